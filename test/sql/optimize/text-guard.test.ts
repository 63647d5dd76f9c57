import { describe, expect, test } from 'vitest';
import type { Ir } from '../../../src/sql/ir/ir.ts';
import { passed } from './support.ts';

/** What kinds of conditions the WHERE of a statement has. */
function conditions({ root: { body } }: Ir): string[] {
  return body.kind === 'select' ? body.where.map(({ op }) => op) : [];
}

const guarded = (condition: string): string[] =>
  conditions(passed(`select id from logs where ${condition}`, 'push_paths'));

describe('JSON is parsed for a text only where the text is in it', () => {
  test('a path that is compared with a text has a search for the text before it', () => {
    expect(guarded("json_value(metadata, '$.other') = 'checkout'")).toEqual(['call', 'compare']);
  });

  test.each([
    ['a path that has a slot', "json_value(metadata, '$.path') = 'checkout'"],
    ['a text that JSON escapes', `json_value(metadata, '$.other') = 'a"b'`],
    ['a text that engines may spell otherwise', "json_value(metadata, '$.other') = '10'"],
    ['another comparison', "json_value(metadata, '$.other') != 'checkout'"],
  ])('%s has none', (_what, condition) => {
    expect(guarded(condition)).toEqual(['compare']);
  });
});
