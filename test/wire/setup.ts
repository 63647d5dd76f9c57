import type { TestProject } from 'vitest/node';
import { startMoto } from './moto.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of moto's server. */
    moto: string;
  }
}

/** One moto for all files of a run; gives back what ends it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const moto = await startMoto();
  project.provide('moto', moto.url);
  return moto.stop;
}
