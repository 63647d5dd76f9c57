import { type Golden, one } from './golden.ts';

const STRUCTS = "unnest([struct(1 as a, 'x' as b), (2, null), struct(cast(null as int64), 'z')])";

/** STRUCTs, and what `*` is of them. */
export const STRUCTS_AND_STARS: readonly Golden[] = [
  one(
    'fields of unnested STRUCTs are columns',
    `select a, b from ${STRUCTS} order by a desc`,
    ...[
      { a: 2, b: null },
      { a: 1, b: 'x' },
      { a: null, b: 'z' },
    ],
  ),
  one('a star is the fields', `select * from ${STRUCTS} where a = 1`, { a: 1, b: 'x' }),
  one('an element is the whole STRUCT', `select e from ${STRUCTS} as e where e.b = 'z'`, {
    e: { a: null, b: 'z' },
  }),
  one(
    'a NULL among STRUCTs',
    'select e.a from unnest([struct(1 as a), null]) as e order by 1',
    ...[{ a: null }, { a: 1 }],
  ),
  one(
    'STRUCTs with numbers of both types',
    'select * from unnest([struct(1 as a), struct(2.5)]) order by a',
    ...[{ a: 1 }, { a: 2.5 }],
  ),
  one('a STRUCT column with a star', 'select x.* from (select struct(1 as a, [2] as b) as x)', {
    a: 1,
    b: [2],
  }),
  one(
    'alternatives that are STRUCTs',
    "select if(i = 0, struct(1 as a, 'x' as b), s) as s from unnest([0, 1]) as i cross join (select struct(2.5 as c, 'y' as d) as s) order by i",
    ...[{ s: { a: 1, b: 'x' } }, { s: { a: 2.5, b: 'y' } }],
  ),
  one(
    'a STRUCT and an ARRAY of declared types',
    "select struct<a float64, b array<string>>(1, ['x']) as s, array<float64>[1] as n",
    {
      s: { a: 1, b: ['x'] },
      n: [1],
    },
  ),
  one(
    'a star has what UNNEST gives',
    "select * from (select 1 as a, ['x', 'y'] as list), unnest(list) as item with offset as i order by i",
    ...[
      { a: 1, list: ['x', 'y'], item: 'x', i: 0 },
      { a: 1, list: ['x', 'y'], item: 'y', i: 1 },
    ],
  ),
  one(
    'a star over an array without a name',
    'select * from unnest([1, 2]) order by 1',
    ...[{ f0_: 1 }, { f0_: 2 }],
  ),
  one(
    'a star of an unnested object has the fields that events have shown',
    "select r.* from `edge.logs` as t cross join unnest(t.metadata) as m cross join unnest(m.response) as r where id = 'e1'",
    { status_code: 200, origin_time: 10 },
  ),
];
