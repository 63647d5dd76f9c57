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

/**
 * One moto, one Trino and one bundling for all files of a run; gives back what ends them.
 *
 * @throws Error when one of them fails, and then nothing goes on running.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outdir = await mkdtemp(join(tmpdir(), 'sluice-deployment-'));
  const starts = [startMoto(), startTrino()] as const;
  const stop = async () => {
    const servers = await Promise.allSettled(starts);
    const running = servers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await Promise.all([...running.map((each) => each.stop()), rm(outdir, { recursive: true })]);
  };
  try {
    const [moto, trino] = await Promise.all(starts);
    project.provide('moto', moto.url);
    project.provide('trino', trino.address);
    project.provide('deployment', synthesizeDeployment(outdir));
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
