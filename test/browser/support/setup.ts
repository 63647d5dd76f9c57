import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { Progress } from '../../conformance/trino/progress.ts';
import { type Chromium, findChromium } from './chromium.ts';

const CACHE = fileURLToPath(new URL('../../../.agents', import.meta.url));

declare module 'vitest' {
  interface ProvidedContext {
    chromium: Chromium;
  }
}

/** A Chromium that starts, for all files of a run. @throws Error with what it printed if it does not. */
export default async function setup(project: TestProject): Promise<void> {
  const found = await findChromium(CACHE, new Progress('browser'));
  const browser = await launch(found);
  await browser.close();
  project.provide('chromium', found);
}

/** Without a sandbox, which root has none of; it only ever opens pages of the tests. */
export function launch({ executable, env }: Chromium) {
  return chromium.launch({
    executablePath: executable,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    args: ['--no-sandbox', '--disable-gpu'],
  });
}
