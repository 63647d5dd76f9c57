import { describe, expect, test } from 'vitest';
import { bound, passed, scan } from './support.ts';

const DAY_US = 86_400_000_000;
const NONE = { from: Number.NEGATIVE_INFINITY, before: Number.POSITIVE_INFINITY };

/** Event times that can matter, in days of 1970 counted from zero. */
function days(sql: string): { from: number; before: number } {
  const { from, before } = scan(passed(sql, 'prune_partitions')).times;
  return { from: from / DAY_US, before: before / DAY_US };
}

const SINCE_5 = "timestamp >= '1970-01-06'";

describe('conditions on times say which partitions are read', () => {
  test('bound, a scan reads all times', () => {
    expect(scan(bound(`select id from logs where ${SINCE_5}`)).times).toEqual(NONE);
  });

  test('a lower and an upper bound', () => {
    const sql = `select id from logs where ${SINCE_5} and timestamp < '1970-01-08'`;

    expect(days(sql)).toEqual({ from: 5, before: 7 });
  });

  test('a condition around a query goes into it', () => {
    const sql = `select id from (select id, timestamp from logs where timestamp >= '1970-01-03') where ${SINCE_5}`;

    expect(days(sql)).toEqual({ from: 5, before: NONE.before });
  });

  test('of several readers the widest counts', () => {
    const sql = `with l as (select id, timestamp from logs)
      select id from l where ${SINCE_5} union all select id from l where timestamp >= '1970-01-04'`;

    expect(days(sql)).toEqual({ from: 3, before: NONE.before });
  });

  test.each([
    ['a LIMIT', 'select id, timestamp from logs order by id limit 2'],
    ['an OFFSET', 'select id, timestamp from logs order by id limit 1000 offset 1'],
    [
      'a window function',
      'select timestamp, row_number() over (order by timestamp) as n from logs',
    ],
    [
      'a QUALIFY',
      'select id, timestamp from logs qualify row_number() over (order by timestamp) = 1',
    ],
    ['an aggregate', 'select max(timestamp) as timestamp from logs'],
  ])('it does not go below %s, which sees other rows then', (_what, inner) => {
    expect(days(`select * from (${inner}) where ${SINCE_5}`)).toEqual(NONE);
  });

  test('nor into a subquery of an expression', () => {
    const sql = `select 1 as one from unnest([timestamp '1970-01-06']) as t
      where t > timestamp '1970-01-05' and exists (select id from logs where timestamp < t)`;

    expect(days(sql)).toEqual(NONE);
  });

  test('a condition in a subquery says nothing about the rows around it', () => {
    const sql =
      "select id from logs where project in (select 'p' from unnest([1]) as x where timestamp > '1970-01-06')";

    expect(days(sql)).toEqual(NONE);
  });
});
