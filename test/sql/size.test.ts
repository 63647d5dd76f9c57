import { describe, expect, test } from 'vitest';
import { SqlError } from '../../src/sql/common/sql-error.ts';
import { MAX_SQL_LENGTH } from '../../src/sql/parse/lexer.ts';
import { EVENTS } from './fixtures.ts';
import { sqlBench } from './support.ts';

const list = (n: number, item: (i: number) => string, separator: string): string =>
  Array.from({ length: n }, (_, i) => item(i)).join(separator);
const within = (n: number, open: string, inner: string, close = ')'): string =>
  `${open.repeat(n)}${inner}${close.repeat(n)}`;
const chainOfCtes = (n: number, read: (before: string) => string): string =>
  `with c0 as (select 1 as x), ${list(n, (i) => `c${i + 1} as (${read(`c${i}`)})`, ', ')} select x from c${n}`;
const ONE = "(select 1 as a, parse_json('{}') as j)";

/** Texts that are large in one way each, with a size for each way that is still run. */
const LARGE: Readonly<Record<string, (n: number) => string>> = {
  'arms of UNION ALL': (n) =>
    `select count(*) as x from (${list(n, (i) => `select ${i} as x`, ' union all ')})`,
  'conditions of AND': (n) =>
    `select 1 as x from ${ONE} where ${list(n, (i) => `a <> ${i + 5}`, ' and ')}`,
  'conditions of OR': (n) =>
    `select 1 as x from ${ONE} where ${list(n, (i) => `a = ${i + 1}`, ' or ')}`,
  parentheses: (n) => `select ${within(n, '(', '1')} as x`,
  calls: (n) => `select ${within(n, 'lower(', "'a'")} as x`,
  'NOT and minus': (n) => `select ${'not '.repeat(n)}true as x, ${'- '.repeat(n)}1 as y`,
  'arrays within each other': (n) => `select ${within(n, '[struct(', '1', ')]')} as x`,
  'types within each other': (n) => `select ${within(n, 'array<struct<', 'int64', '>>')}[] as x`,
  'parts of a column name': (n) => `select j${'.a'.repeat(n)} as x from ${ONE}`,
  'parts of a table name': (n) => `select 1 as x from ${'a.'.repeat(n)}b`,
  'parts of a name before a star': (n) => `select ${'a.'.repeat(n)}* from ${ONE}`,
  'fields of an expression': (n) => `select (j)${'.a'.repeat(n)} as x from ${ONE}`,
  additions: (n) => `select ${list(n, () => 'a', ' + ')} as x from ${ONE}`,
  'operators of many kinds': (n) =>
    `select a ${['*', '+', '<<', '&', '^', '|'].map((op) => `${op} a `.repeat(n)).join('')} as x from ${ONE}`,
  'tests of one value': (n) => `select a ${'is null '.repeat(n)} as x from ${ONE}`,
  'casts of one value': (n) => `select a${'::string'.repeat(n)} as x from ${ONE}`,
  'arguments of a call': (n) =>
    `select concat(${list(n, () => "'a'", ', ')}, cast(a as string)) as x from ${ONE}`,
  'patterns of LIKE ANY': (n) =>
    `select cast(a as string) like any (${list(n, (i) => `'${i}'`, ', ')}) as x from ${ONE}`,
  'WHENs of CASE': (n) =>
    `select case ${list(n, (i) => `when a = ${i} then ${i}`, ' ')} end as x from ${ONE}`,
  'columns of a SELECT': (n) => `select ${list(n, () => 'a', ', ')} from ${ONE}`,
  'stars of a SELECT': (n) => `select ${list(n, () => '*', ', ')} from ${ONE}`,
  'keys of GROUP BY': (n) =>
    `select count(*) as x from ${ONE} group by ${list(n, (i) => `a + ${i}`, ', ')}`,
  'keys of ORDER BY': (n) =>
    `select a as x from ${ONE} order by ${list(n, (i) => `a + ${i}`, ', ')}`,
  joins: (n) => `select 1 as x from ${ONE}${list(n, (i) => ` join ${ONE} as t${i} on true`, '')}`,
  'tables with commas': (n) => `select 1 as x from ${list(n, () => ONE, ', ')}`,
  'derived tables': (n) => within(n, 'select * from (', 'select 1 as x'),
  'subqueries within each other': (n) => `select ${within(n, '(select ', 'max(1)')} as x`,
  'CTEs that read each other': (n) => chainOfCtes(n, (before) => `select x from ${before}`),
  'CTEs side by side': (n) =>
    `with ${list(n, (i) => `c${i} as (select 1 as x)`, ', ')} select x from c1`,
  'deep CTEs that read each other': (n) =>
    chainOfCtes(
      n,
      (before) => `select ${within(120, 'abs(', `(select max(x) from ${before})`)} as x`,
    ),
};

/** What has no bound but that of the text. */
const LONG: Readonly<Record<string, string>> = {
  'an IN list of 10,000': `select 1 as x from ${ONE} where a in (${list(10_000, (i) => `${i}`, ', ')})`,
  'an array of 20,000': `select array_length([${list(20_000, () => '1', ', ')}]) as x`,
};

describe('however large a text is, it runs or is refused as too large', () => {
  const bench = sqlBench(EVENTS);

  const compiles = (sql: string): boolean => {
    try {
      bench.compile(sql, { checkAll: true });
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(SqlError);
      return false;
    }
  };

  test.each(Object.entries(LARGE))('12,000 %s', (_, text) => {
    const sql = text(12_000);

    for (const target of ['duckdb', 'athena'] as const) {
      expect(() => bench.compile(sql, { target, checkAll: true })).toThrow(
        expect.objectContaining({ code: 'sql_too_large', status: 400 }),
      );
    }
  });

  test.each(Object.entries(LARGE))('as many %s as are taken', async (_, text) => {
    const most = largest((n) => compiles(text(n)), 12_000);

    if (most > 0) {
      const rows = await bench.rows(text(most)).catch(tooLarge);
      expect(rows).toHaveLength(1);
    }
  });

  test.each(Object.entries(LONG))('%s', async (_, sql) => {
    expect(await bench.rows(sql)).toEqual([expect.objectContaining({ x: expect.any(Number) })]);
  });

  test('any text of the largest size, of any of these', () => {
    for (const [what, text] of Object.entries(LARGE)) {
      const size = text(1_000).length / 1_000;
      const sql = text(Math.floor((MAX_SQL_LENGTH * 0.9) / size));

      expect(() => bench.compile(sql, { checkAll: true }), what).toThrow(SqlError);
    }
  });

  test('a consumer reads no more CTEs than a text may have, with those of the endpoint', () => {
    const endpoint = `with c0 as (select 1 as x), ${list(40, (i) => `c${i + 1} as (select x from c${i})`, ', ')} select x from c40`;
    const consumerSql = `with d0 as (select x from c40), ${list(40, (i) => `d${i + 1} as (select x from d${i})`, ', ')} select x from d40`;

    expect(() => bench.compile(endpoint, { consumerSql })).toThrow(
      expect.objectContaining({ code: 'sql_too_large' }),
    );
  });
});

/** What is printed as many levels each is refused by the engine, in the same words. */
function tooLarge(error: unknown): unknown[] {
  expect(error).toMatchObject({ code: 'sql_too_large', status: 400 });
  return [error];
}

/** The largest size up to a limit that fits, if all smaller ones do. */
function largest(fits: (n: number) => boolean, limit: number): number {
  let [most, least] = [0, limit];
  while (least - most > 1) {
    const middle = Math.floor((most + least) / 2);
    [most, least] = fits(middle) ? [middle, least] : [most, middle];
  }
  return most;
}
