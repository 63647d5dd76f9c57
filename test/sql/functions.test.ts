import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FUNCTION_NAMES } from '../../src/sql/functions/table.ts';

test('docs/sql.md names every function that exists', () => {
  const docs = readFileSync(new URL('../../docs/sql.md', import.meta.url), 'utf8');
  const named = (name: string): boolean => docs.includes(`\`${name.toUpperCase()}\``);
  // Summed up in the text as "the same for DATETIME_ and DATE_".
  const summed = /^(datetime|date)_(add|sub|diff)$/;
  expect(FUNCTION_NAMES.filter((name) => !summed.test(name) && !named(name))).toEqual([]);
});
