import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FACTS = Array.from({ length: 168 }, (_, index) => index + 1);

const DIFFERENCES = 'differences.test.ts';

const OTHERS = readdirSync(import.meta.dirname).filter(
  (name) => name.endsWith('.test.ts') && !['coverage.test.ts', DIFFERENCES].includes(name),
);

/** Numbers of the facts that a file tests: `fact: 26` in a table, or a title that begins with one. */
function tested(file: string): number[] {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8');
  const found = text.matchAll(/\bfact: (\d+),|\b(?:test|describe)\(\s*['"`](\d+) /g);
  return [...found].map(([, inTable, inTitle]) => Number(inTable ?? inTitle));
}

/** Numbers in the first column of the table of deliberate differences. */
function documented(): number[] {
  const path = join(import.meta.dirname, '../../docs/compatibility.md');
  const [, section = ''] = readFileSync(path, 'utf8').split('## Facts that differ on purpose');
  const cells = [...section.matchAll(/^\| ([\d, ]+) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => cell.split(',').map(Number));
}

const ascending = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

test('every fact is either tested or documented as a difference, and once', () => {
  expect(ascending([...OTHERS.flatMap(tested), ...documented()])).toEqual(FACTS);
});

test('every documented difference is shown by a test', () => {
  expect(ascending(tested(DIFFERENCES))).toEqual(ascending(documented()));
});
