import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startTrino } from '../conformance/trino/server.ts';
import { type Deployment, synthesizeDeployment } from './chain/deployment.ts';
import { startMoto } from './moto.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of moto's server. */
    moto: string;
    /** What `cdk deploy` would put into an account. */
    deployment: Deployment;
  }
}

/** One moto, one Trino and one bundling for all files of a run; gives back what ends them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [moto, trino] = await Promise.all([startMoto(), startTrino()]);
  const outdir = await mkdtemp(join(tmpdir(), 'sluice-deployment-'));
  project.provide('moto', moto.url);
  project.provide('trino', trino.address);
  project.provide('deployment', synthesizeDeployment(outdir));
  return async () => {
    await Promise.all([moto.stop(), trino.stop(), rm(outdir, { recursive: true })]);
  };
}
