import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { referenceMarkdown, withReference } from '../../../src/sql/functions/reference-markdown.ts';
import {
  FUNCTION_GROUPS,
  FUNCTION_NAMES,
  REFERENCE_GROUPS,
} from '../../../src/sql/functions/table.ts';

const docs = readFileSync(new URL('../../../docs/sql.md', import.meta.url), 'utf8');

test('docs/sql.md is what docs/generate-sql-reference.ts writes', () => {
  expect(docs).toBe(withReference(docs, REFERENCE_GROUPS));
});

test('the reference names every function that exists, each once', () => {
  const reference = referenceMarkdown(FUNCTION_GROUPS);
  const rows = [...reference.matchAll(/^\| `(\w+)\(/gm)].map(([, name]) => name?.toLowerCase());
  expect(rows.toSorted()).toEqual(FUNCTION_NAMES.toSorted());
});

test('a bar in a text does not end its cell', () => {
  const doc = {
    signatures: ['F(a|b)'],
    rule: 'a | b',
    source: 'BigQuery: Functions',
    examples: [],
  };
  const markdown = referenceMarkdown([{ title: 'Group', functions: [{ name: 'f', doc }] }]);
  expect(markdown).toContain('| `F(a\\|b)` | a \\| b |');
});

test('a document without markers is refused', () => {
  expect(() => withReference('# SQL', FUNCTION_GROUPS)).toThrow('markers');
});
