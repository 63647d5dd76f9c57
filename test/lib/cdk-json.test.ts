import { execFileSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { expect, test } from 'vitest';
import cdk from '../../cdk.json' with { type: 'json' };

/** What finds the machine's own Node and npx, and not the project's, as a `cdk` that is installed globally does. */
const GLOBAL_PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

test('a global cdk runs the app on the Node of the project, whatever the machine has', () => {
  const [program = '', ...args] = cdk.app.replace('bin/app.ts', '--version').split(' ');

  const version = execFileSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, PATH: GLOBAL_PATH },
    stdio: ['ignore', 'pipe', 'ignore'],
  });

  expect(version.trim()).toBe(process.version);
});
