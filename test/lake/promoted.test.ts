import { describe, expect, test } from 'vitest';
import { parseJson, stringifyJson } from '../../src/json.ts';
import type { LakeType, PromotedColumn } from '../../src/lake/columns.ts';
import { promotedText, promotionTree } from '../../src/lake/promoted.ts';

const column = (name: string, path: string, type: LakeType, holds: 'value' | 'object' = 'value') =>
  ({ name, type, holds, path: path.split('.'), comment: '' }) satisfies PromotedColumn;

/** The columns that an event, given as JSON text, fills. */
function promote(columns: readonly PromotedColumn[], event: string): unknown {
  const text = promotedText(promotionTree(columns), parseJson(event));
  return parseJson(`{${text.slice(1)}}`);
}

describe('a value column', () => {
  test.each<[LakeType, string, string | undefined]>([
    ['string', '"text"', '"text"'],
    ['string', '"quote \\" and \\n"', '"quote \\" and \\n"'],
    ['string', `"${'long '.repeat(40)}"`, `"${'long '.repeat(40)}"`],
    ['string', '5', '"5"'],
    ['string', '-1.5', '"-1.5"'],
    ['string', 'true', '"true"'],
    ['string', '12345678901234567890', '"12345678901234567890"'],
    ['string', '["a"]', undefined],
    ['string', '{"a":1}', undefined],
    ['bigint', '200', '200'],
    ['bigint', '-1', '-1'],
    ['bigint', '9223372036854775807', '9223372036854775807'],
    ['bigint', '-9223372036854775808', '-9223372036854775808'],
    ['bigint', '9223372036854775808', undefined],
    ['bigint', '-9223372036854775809', undefined],
    ['bigint', '123456789012345678901234567890', undefined],
    ['bigint', '1e300', undefined],
    ['bigint', '1.5', undefined],
    ['bigint', '"200"', '200'],
    ['bigint', '"-7"', '-7'],
    ['bigint', '"007"', '7'],
    ['bigint', '" +7\\n"', '7'],
    ['bigint', '"-0"', '0'],
    ['bigint', `"${'0'.repeat(50)}1"`, '1'],
    ['bigint', '"9223372036854775808"', undefined],
    ['bigint', '"0x1F"', undefined],
    ['bigint', '""', undefined],
    ['bigint', '"12ab"', undefined],
    ['bigint', '"1234567890123456789"', '1234567890123456789'],
    ['double', '1.5', '1.5'],
    ['double', '3', '3'],
    ['double', '1e300', '1e+300'],
    ['double', '12345678901234567890', '12345678901234567890'],
    ['double', '"1.5"', '1.5'],
    ['double', '" .5e1 "', '5'],
    ['double', '"1e999"', undefined],
    ['double', '"NaN"', undefined],
    ['double', '"1.5f"', undefined],
    ['boolean', 'true', 'true'],
    ['boolean', 'false', 'false'],
    ['boolean', '1', undefined],
    ['boolean', '"TRUE"', 'true'],
    ['boolean', '"yes"', undefined],
    ['timestamp', '"2024-01-01 00:00:00.000"', undefined],
  ])('of type %s takes %s as %s', (type, json, expected) => {
    const promoted = promote([column('c', 'a.b', type)], `{"a":{"b":${json}}}`);
    expect(stringifyJson(promoted)).toBe(expected === undefined ? '{}' : `{"c":${expected}}`);
  });

  test.each(['{}', '{"a":null}', '{"a":[{"b":1}]}', '{"a":"b"}', '{"b":1}', '{"a":{"c":1}}'])(
    'is absent from %s',
    (event) => {
      expect(promote([column('c', 'a.b', 'bigint')], event)).toEqual({});
    },
  );

  test('may stand at the top', () => {
    expect(promote([column('c', 'level', 'string')], '{"level":"info"}')).toEqual({ c: 'info' });
  });
});

describe('an object column', () => {
  const columns = [
    column('has_a', 'a', 'boolean', 'object'),
    column('has_b', 'a.b', 'boolean', 'object'),
  ];

  test.each([
    ['{"a":{"b":{"c":1}}}', { has_a: true, has_b: true }],
    ['{"a":{"b":[{}]}}', { has_a: true }],
    ['{"a":{"b":"{}"}}', { has_a: true }],
    ['{"a":{"b":12345678901234567890}}', { has_a: true }],
    ['{"a":[1]}', {}],
    ['{"c":{"a":{}}}', {}],
  ])('of %s is %j', (event, expected) => {
    expect(promote(columns, event)).toEqual(expected);
  });
});

test('columns that share a path each have it', () => {
  const columns = [column('text', 'a.b', 'string'), column('also', 'a.b', 'string')];
  expect(promote(columns, '{"a":{"b":"x"}}')).toEqual({ text: 'x', also: 'x' });
});
