import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { Progress } from '../../conformance/trino/progress.ts';
import { agentsRoot, libraryDirectory } from './packages.ts';

const CACHE = fileURLToPath(new URL('../../../.agents', import.meta.url));

declare module 'vitest' {
  interface ProvidedContext {
    agents: { readonly root: string; readonly libraries: string };
  }
}

/** The agents for all files of a run. */
export default async function setup(project: TestProject): Promise<void> {
  const root = await agentsRoot(CACHE, new Progress('agents'));
  project.provide('agents', { root, libraries: await libraryDirectory(root) });
}
