import type { TestProject } from 'vitest/node';
import { startTrino, type TrinoAddress } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    trino: TrinoAddress;
  }
}

/** One Trino for all files of a run; gives back what ends it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTrino();
  project.provide('trino', server.address);
  return server.stop;
}
