import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Tables in fences that end with a sum, as `npm run cost` prints them. */
function costTables(markdown: string): string[][] {
  // A fence with a language is matched too, or its end would be taken for a beginning.
  return [...markdown.matchAll(/^```\w*\n(.*?)^```$/gms)]
    .map(([, body = '']) => body.trimEnd().split('\n'))
    .filter((lines) => lines.some((line) => line.startsWith('sum ')));
}

test('the costs in docs/deploy.md are those of the model', () => {
  const printed = execFileSync(process.execPath, ['bin/cost.ts'], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trimEnd());
  const tables = costTables(readFileSync('docs/deploy.md', 'utf8'));

  expect(tables).toHaveLength(2);
  for (const line of tables.flat()) expect(printed).toContain(line);
});
