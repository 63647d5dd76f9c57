import { describe, expect, test } from 'vitest';
import { sqlBench } from '../sql/support.ts';
import { EVENTS } from './fixtures.ts';

const bench = sqlBench(EVENTS);

describe("the text of an endpoint over its author's sources", () => {
  test.each<{ fact: number; what: string; sql: string; rows: unknown[] }>([
    {
      fact: 1,
      what: 'a source is a table under its name',
      sql: 'select a from my_table order by a',
      rows: [{ a: 3 }, { a: 6 }, { a: 9 }],
    },
    {
      fact: 2,
      what: 'a quoted name of a source also stands before its columns',
      sql: 'select n from `my_table` where `my_table`.a > 5 order by `my_table`.n',
      rows: [{ n: 2 }, { n: 3 }],
    },
    {
      fact: 3,
      what: 'so does a quoted name with dots in it',
      sql: 'select val from `my.table.name` where `my.table.name`.val > 5',
      rows: [{ val: 7 }],
    },
    {
      fact: 5,
      what: 'two sources are joined on a condition',
      sql: 'select my_table.id, f.word from my_table join other_table as f on my_table.a = f.a order by id',
      rows: [
        { id: 'm2', word: 'six' },
        { id: 'm3', word: 'nine' },
      ],
    },
    {
      fact: 6,
      what: 'a list named through its source is unnested',
      sql: 'select id, f from my_table cross join unnest(my_table.col) as f order by f',
      rows: [
        { id: 'm1', f: 'p' },
        { id: 'm1', f: 'q' },
        { id: 'm2', f: 'r' },
      ],
    },
    {
      fact: 7,
      what: 'a list is joined without an alias, on true',
      sql: 'select a from my_table join unnest(my_table.col) on true order by a',
      rows: [{ a: 3 }, { a: 3 }, { a: 6 }],
    },
    {
      fact: 8,
      what: 'columns are named with and without their source',
      sql: 'select n, my_table.c from my_table where my_table.b = 8',
      rows: [{ n: 3, c: 'y' }],
    },
    {
      fact: 9,
      what: 'the name of a source stands in GROUP BY and HAVING',
      sql: 'select my_table.c from my_table group by my_table.c having count(my_table.id) > 1',
      rows: [{ c: 'x' }],
    },
    {
      fact: 10,
      what: 'an alias stands for its source',
      sql: 'select a from my_table as src where src.b > 5 order by src.a desc',
      rows: [{ a: 9 }, { a: 6 }],
    },
    {
      fact: 11,
      what: 'a CTE is a table',
      sql: 'with src as (select n from my_table) select n from src order by n',
      rows: [{ n: 1 }, { n: 2 }, { n: 3 }],
    },
    {
      fact: 12,
      what: 'a UNION reads a CTE on one side and a source on the other',
      sql: 'with abc as (select a from my_table) select a from abc union select a from other_table order by a',
      rows: [{ a: 3 }, { a: 6 }, { a: 9 }],
    },
    {
      fact: 14,
      what: 'a subquery is a table',
      sql: 'select b from (select b from my_table) order by b limit 1',
      rows: [{ b: 4 }],
    },
    {
      fact: 17,
      what: 'a query needs no table',
      sql: 'select current_date() as date',
      rows: [{ date: '2026-02-03' }],
    },
    {
      fact: 31,
      what: 'the star of count(*) is no wildcard',
      sql: 'select count(*) as n from my_table',
      rows: [{ n: 3 }],
    },
    {
      fact: 43,
      what: 'the name of a forbidden function may name a column',
      sql: 'select a as session_user from my_table where n = 1',
      rows: [{ session_user: 3 }],
    },
    {
      fact: 47,
      what: 'a comma may trail the selected columns',
      sql: "select id, c, from my_table where c = 'y'",
      rows: [{ id: 'm3', c: 'y' }],
    },
  ])('$fact $what', async ({ sql, rows }) => {
    expect(await bench.rows(sql)).toEqual(rows);
  });

  test('4 quotes around a dotted name, whole, in parts or none at all, mean the same source', async () => {
    const spellings = [
      '`my.table.name`',
      '`my`.`table`.`name`',
      'my.table.name',
      '`my.table`.name',
    ];
    for (const name of spellings) {
      expect(await bench.rows(`select val from ${name}`), name).toEqual([{ val: 7 }]);
    }
  });

  test('15 a STRUCT has values, of columns too, with names or without', async () => {
    const sql = `select struct(1, 2, 3) as numbers, struct('abc') as text, struct(c as word) as named
      from my_table where n = 3`;

    expect(await bench.rows(sql)).toEqual([
      {
        numbers: { _field_1: 1, _field_2: 2, _field_3: 3 },
        text: { _field_1: 'abc' },
        named: { word: 'y' },
      },
    ]);
  });

  test('16 an element of a list is taken by its place, counted from zero', async () => {
    const sql = 'select d[0] as plain, d[offset(0)] as spelled from my_table where n = 1';

    expect(await bench.rows(sql)).toEqual([{ plain: 10, spelled: 10 }]);
  });

  test('33 semicolons may end the text', async () => {
    for (const sql of ['select 1 as one;', 'select 1 as one;;']) {
      expect(await bench.rows(sql), sql).toEqual([{ one: 1 }]);
    }
  });
});

describe('a table that looks like one of the engine', () => {
  const physical = sqlBench({
    ...EVENTS,
    'acme-project.logs.requests': [{ id: 'q1', val: 1 }],
    'memory.main.log_events': [{ id: 'own', val: 2 }],
  });

  test('21 three names with dots are a source if one is called so', async () => {
    const sql = 'select val from `acme-project.logs.requests`';

    expect(await physical.rows(sql)).toEqual([{ val: 1 }]);
    expect(() => bench.compile(sql)).toThrow("can't find source acme-project.logs.requests");
  });

  test('23 the table behind all sources cannot be named', () => {
    for (const name of ['log_events', 'main.log_events', physical.compile('select 1').text]) {
      expect(() => bench.compile(`select id from \`${name}\``), name).toThrow("can't find source");
    }
  });

  test('24 a source that is called like that table shows its own events only', async () => {
    const sql = 'select id from `memory.main.log_events`';

    expect(await physical.rows(sql)).toEqual([{ id: 'own' }]);
  });
});
