import { describe, expect, test } from 'vitest';
import { sqlBench } from '../sql/support.ts';
import { ENDPOINT, EVENTS } from './fixtures.ts';

/** The consumer's text takes the place of the endpoint's final SELECT, over the endpoint's tables. */
const bench = sqlBench(EVENTS);

describe('a consumer reads', () => {
  test.each<{ fact: number; what: string; sql: string; rows: unknown[] }>([
    {
      fact: 50,
      what: 'any table of the endpoint, with those that it is made of',
      sql: 'select a, b from big order by a',
      rows: [
        { a: 6, b: 6 },
        { a: 9, b: 8 },
      ],
    },
    {
      fact: 51,
      what: 'in an order of its own',
      sql: 'select c, a from src order by c asc, a desc',
      rows: [
        { c: 'x', a: 6 },
        { c: 'x', a: 3 },
        { c: 'y', a: 9 },
      ],
    },
    {
      fact: 52,
      what: 'through a subquery',
      sql: 'select c from (select c from src where a = 9) as sub',
      rows: [{ c: 'y' }],
    },
    {
      fact: 53,
      what: 'the elements of a list, by a comma',
      sql: 'select c, f from src, unnest(src.col) as f order by f',
      rows: [
        { c: 'x', f: 'p' },
        { c: 'x', f: 'q' },
        { c: 'x', f: 'r' },
      ],
    },
    {
      fact: 54,
      what: 'several tables, one below the other',
      sql: 'select a from big union all select b from big union all select a from src order by a',
      rows: [{ a: 3 }, { a: 6 }, { a: 6 }, { a: 6 }, { a: 8 }, { a: 9 }, { a: 9 }],
    },
    {
      fact: 55,
      what: 'a table of its own beside one of the endpoint',
      sql: 'with mine as (select max(b) as top from big) select a, top from big, mine order by a',
      rows: [
        { a: 6, top: 8 },
        { a: 9, top: 8 },
      ],
    },
    {
      fact: 56,
      what: 'no table at all',
      sql: "select 'hello' as world",
      rows: [{ world: 'hello' }],
    },
    {
      fact: 66,
      what: 'its own table where that has the name of one of the endpoint',
      sql: 'with src as (select 1 as c) select c from src',
      rows: [{ c: 1 }],
    },
    {
      fact: 68,
      what: 'a table under its quoted name',
      sql: 'select c from `src` where a = 9',
      rows: [{ c: 'y' }],
    },
    {
      fact: 75,
      what: "without the endpoint's own ORDER BY and LIMIT",
      sql: 'select count(*) as n from (select c from src)',
      rows: [{ n: 3 }],
    },
  ])('$fact $what', async ({ sql, rows }) => {
    expect(await bench.rows(ENDPOINT, { consumerSql: sql })).toEqual(rows);
  });

  test('77 at most what a LIMIT inside of a table leaves', async () => {
    const sql = 'with few as (select a from my_table order by a limit 2) select a from few limit 1';

    expect(await bench.rows(sql, { consumerSql: 'select a from few limit 100000' })).toEqual([
      { a: 3 },
      { a: 6 },
    ]);
    expect(
      await bench.rows(sql, { consumerSql: 'select a from few limit 100000', maxRows: 1 }),
    ).toHaveLength(1);
  });

  test('78 the rows of the endpoint itself, where that has no tables to read', async () => {
    const sql = 'select a from my_table where n = 2';

    expect(await bench.rows(sql, { consumerSql: 'select 1 as x' })).toEqual([{ a: 6 }]);
  });
});
