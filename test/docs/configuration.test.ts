import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { resources, synthesise } from '../lib/stacks.ts';

test('docs/configuration.md has the memory and the time limit of every function', () => {
  const markdown = readFileSync('docs/configuration.md', 'utf8');
  const documented = [...markdown.matchAll(/^\| `([a-z-]+)` \| (\d+) \| (\d+) \|$/gm)].map(
    ([, name, memory, seconds]) => ({ name, memory: Number(memory), seconds: Number(seconds) }),
  );

  const deployed = Object.values(resources(synthesise().service, 'AWS::Lambda::Function')).map(
    ({ Properties: { FunctionName, MemorySize, Timeout } }) => ({
      name: FunctionName.replace('sluice-prod-', ''),
      memory: MemorySize,
      seconds: Timeout,
    }),
  );

  const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }) =>
    String(a.name).localeCompare(String(b.name));
  expect(documented.sort(byName)).toEqual(deployed.sort(byName));
});
