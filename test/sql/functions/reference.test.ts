import { describe, expect, test } from 'vitest';
import {
  FUNCTION_GROUPS,
  FUNCTION_NAMES,
  functionExamples,
} from '../../../src/sql/functions/table.ts';
import { sqlBench } from '../support.ts';

const bench = sqlBench({});

describe('the examples of the reference', () => {
  test.for(functionExamples())('$sql', async ({ sql, value }) => {
    const query = `select ${sql} as x`;
    expect(await bench.rows(query)).toEqual([{ x: value }]);
    expect(bench.compile(query, { target: 'athena' }).text).toMatch(/^SELECT /);
  });
});

describe('arguments that no value could be right for are refused', () => {
  test.for([
    ["md5('a')", 'write TO_HEX(MD5(..))'],
    ["to_hex('a')", 'TO_HEX takes the result of MD5, SHA1 or SHA256'],
    ['generate_array(1, 2, 0)', 'must be a literal other than zero'],
    ["generate_date_array('2026-01-01', '2026-01-02', interval 1 hour)", 'steps by DAY'],
    ["generate_timestamp_array('2026-01-01', '2026-01-02')", 'takes 3 arguments, not 2'],
    ["generate_timestamp_array('2026-01-01', '2026-01-02', interval 1 month)", 'steps by'],
    ["last_day(date '2026-01-01', hour)", 'LAST_DAY knows the parts'],
    ['generate_array(1, 10001)', 'makes at most 10000 elements'],
    ["generate_timestamp_array('2026-01-01', '2026-01-02', interval 1 second)", 'at most 10000'],
    ['approx_quantiles(1, 100001)', 'takes a number from 1 to 100000'],
    ['approx_quantiles(1, 0)', 'takes a number from 1 to 100000'],
    ["'a' like 'a\\\\'", 'ends in a backslash'],
    ['array_reverse(1)', 'needs an array, not INT64'],
  ])('%s', ([sql, message]) => {
    expect(() => bench.compile(`select ${sql} as x`)).toThrow(message);
  });
});

describe('every function', () => {
  const documented = FUNCTION_GROUPS.flatMap(({ functions }) => functions);

  test('stands in one group', () => {
    expect(documented.map(({ name }) => name).toSorted()).toEqual(FUNCTION_NAMES.toSorted());
  });

  test.for(documented)('$name is called in its signatures and examples', ({ name, doc }) => {
    const call = `${name.toUpperCase()}(`;
    expect(doc.signatures.filter((signature) => !signature.startsWith(call))).toEqual([]);
    expect(doc.examples.filter(({ sql }) => !sql.includes(call))).toEqual([]);
    expect(doc.signatures.length).toBeGreaterThan(0);
    expect(doc.examples.length).toBeGreaterThan(0);
    expect(doc.rule).toMatch(/[.)]$/);
    expect(doc.source).toMatch(/^BigQuery: \w/);
  });
});
