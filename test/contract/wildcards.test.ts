import { describe, expect, test } from 'vitest';
import { us } from '../sql/fixtures.ts';
import { sqlBench } from '../sql/support.ts';
import { ENDPOINT, EVENTS } from './fixtures.ts';

describe('a wildcard is expanded to the columns of its table', () => {
  const bench = sqlBench(EVENTS);

  test('26 alone, behind a table, and beside a column', async () => {
    const own = { id: 'o1', timestamp: us(0), a: 6, word: 'six' };

    expect(await bench.rows('select * from other_table where a = 6')).toMatchObject([own]);
    expect(await bench.rows('select other_table.* from other_table where a = 6')).toMatchObject([
      own,
    ]);
    expect(await bench.rows('select 1 as q, o.* from other_table as o where a = 6')).toMatchObject([
      { q: 1, ...own },
    ]);
  });

  test.each<{ fact: number; where: string; sql: string; rows: unknown[] }>([
    {
      fact: 27,
      where: 'in a subquery',
      sql: 'select a from (select * from my_table) order by a limit 1',
      rows: [{ a: 3 }],
    },
    {
      fact: 28,
      where: 'over a CTE',
      sql: 'with q as (select a, word from other_table) select * from q order by a limit 1',
      rows: [{ a: 6, word: 'six' }],
    },
    {
      fact: 29,
      where: 'in an arm of a UNION',
      sql: `with b as (select a from other_table)
        select a from my_table where n = 1 union all select * from b order by a`,
      rows: [{ a: 3 }, { a: 6 }, { a: 9 }],
    },
    {
      fact: 30,
      where: 'without the columns that EXCEPT names',
      sql: 'select * except (word) from (select a, word from other_table) order by a limit 1',
      rows: [{ a: 6 }],
    },
  ])('$fact $where', async ({ sql, rows }) => {
    expect(await bench.rows(sql)).toEqual(rows);
  });

  test('57 by a consumer, where the endpoint allows it', async () => {
    const consumerSql = 'select * from src order by a limit 1';

    await expect(
      bench.rows(ENDPOINT, { consumerSql, consumerWildcards: false }),
    ).rejects.toMatchObject({
      code: 'sql_wildcard',
      message: expect.stringContaining('restricted wildcard (*) in a result column'),
    });

    expect(await bench.rows(ENDPOINT, { consumerSql })).toEqual([
      { id: 'm1', a: 3, b: 4, c: 'x', col: ['p', 'q'] },
    ]);
  });
});
