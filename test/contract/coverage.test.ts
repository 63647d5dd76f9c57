import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ascending, documentedUnder, range, testedIn } from './facts.ts';

const FACTS = range(1, 168);

const DIFFERENCES = 'differences.test.ts';

const OTHERS = readdirSync(import.meta.dirname).filter(
  (name) => name.endsWith('.test.ts') && !['coverage.test.ts', DIFFERENCES].includes(name),
);

const tested = (file: string) => testedIn(`test/contract/${file}`);
const documented = documentedUnder('Facts of queries and management');

test('every fact is either tested or documented as a difference, and once', () => {
  expect(ascending([...OTHERS.flatMap(tested), ...documented])).toEqual(FACTS);
});

test('every documented difference is shown by a test', () => {
  expect(ascending(tested(DIFFERENCES))).toEqual(ascending(documented));
});
