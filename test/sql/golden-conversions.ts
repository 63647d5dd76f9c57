import type { Golden } from './golden-cases.ts';

const over = (
  what: string,
  list: string,
  expression: string,
  values: readonly unknown[],
): Golden => ({
  what,
  sql: `select ${expression} as x from unnest([${list}]) as v with offset as i order by i`,
  rows: values.map((x) => ({ x })),
});

const NUMBERS =
  "'1', ' +2 ', '-0', '1.5', '1e3', '0x1F', '-0x1f', '5f', '1_000', '１', '', 'inf', 'nan'";

const one = (what: string, sql: string, ...rows: unknown[]): Golden => ({ what, sql, rows });

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
    { status_code: 200, origin_time: 10, headers: null },
  ),
];

const TIMES =
  "'2026-02-03', '2026-02-03T10:20:30.1234567', '2026-02-03 10:20:00+05:30', '2026-02-03 10:20 -0130', '2026-2-3 1:2:3.5', '2026-02-30', '2026-02-03 24:00', '2026-02-03 23:59:60', '0000-01-01', '2026-02-03 10:20:30+15', 'epoch', 'infinity'";

/** What engines convert each in their own way. */
export const CONVERSIONS: readonly Golden[] = [
  over(
    'FLOAT64 as text',
    '2.5, 3.0, 1e15, 1234567890123456.0, 1e17, 0.0001, 0.00001, -0.0, 1e300',
    'cast(v as string)',
    ['2.5', '3', '1e+15', '1234567890123456', '1e+17', '0.0001', '1e-05', '0', '1e+300'],
  ),
  over(
    'FLOAT64 that is no number as text',
    "'inf', '-Infinity', 'NaN'",
    "concat(cast(v as float64), '!', to_json_string(cast(v as float64)))",
    ['inf!"Infinity"', '-inf!"-Infinity"', 'nan!"NaN"'],
  ),
  over('a computed FLOAT64 as text', '1.0, 2.0', 'cast(v / 3 as string)', [
    '0.3333333333333333',
    '0.6666666666666666',
  ]),
  over(
    'halves are rounded away from zero',
    '0.5, 1.5, 2.5, -2.5',
    'cast(v as int64)',
    [1, 2, 3, -3],
  ),
  over('text as INT64', NUMBERS, 'safe_cast(v as int64)', [
    ...[1, 2, 0, null, null, 31, -31, null, null, null, null, null, null],
  ]),
  over('text as FLOAT64', NUMBERS, 'safe_cast(v as float64)', [
    ...[1, 2, 0, 1.5, 1000, null, null, null, null, null, null, 'Infinity', 'NaN'],
  ]),
  over('text as BOOL', "'true', 'FALSE', 't', 'yes', '1', ''", 'safe_cast(v as bool)', [
    ...[true, false, null, null, null, null],
  ]),
  over('text as TIMESTAMP', TIMES, "format_timestamp('%F %H:%M:%E6S', safe_cast(v as timestamp))", [
    '2026-02-03 00:00:00.000000',
    '2026-02-03 10:20:30.123456',
    '2026-02-03 04:50:00.000000',
    '2026-02-03 11:50:00.000000',
    '2026-02-03 01:02:03.500000',
    ...[null, null, null, null, null, null, null],
  ]),
  over('text as DATETIME', TIMES, 'safe_cast(v as datetime)', [
    '2026-02-03T00:00:00',
    '2026-02-03T10:20:30.123456',
    null,
    null,
    '2026-02-03T01:02:03.500000',
    ...[null, null, null, null, null, null, null],
  ]),
  over('text as DATE', TIMES, 'safe_cast(v as date)', [
    '2026-02-03',
    ...[null, null, null, null, null, null, null, null, null, null, null],
  ]),
  over('capitals of ß', "'Straße', 'ß'", 'upper(v)', ['STRASSE', 'SS']),
  over('texts as JSON text', String.raw`'😀', '\\ud83d', 'say "1.0E7"'`, 'to_json_string(v)', [
    '"😀"',
    String.raw`"\\ud83d"`,
    String.raw`"say \"1.0E7\""`,
  ]),
  {
    what: 'arrays inside a STRUCT that a derived table gives',
    sql: `select s.n[offset(1)] as n, s.t, s.f[offset(0)] as f, s.e[offset(0)].x as x
      from (select struct([1, 2] as n, ['a', null] as t, [1.5, 2] as f, [struct('y' as x)] as e) as s)`,
    rows: [{ n: 2, t: ['a', null], f: 1.5, x: 'y' }],
  },
  {
    what: 'a STRUCT of a derived table as JSON text',
    sql: `select to_json_string(s) as x
      from (select struct(1 as a, struct('b' as c, timestamp '2026-02-03 10:00:00' as t) as d) as s)`,
    rows: [{ x: '{"a":1,"d":{"c":"b","t":"2026-02-03T10:00:00Z"}}' }],
  },
  {
    what: 'COUNT(DISTINCT ..) of a constant beside another aggregate',
    sql: 'select count(distinct 7) as a, count(distinct b) as b, count(v) as n from (select v, 1 as b from unnest([1, 2, 3]) as v)',
    rows: [{ a: 1, b: 1, n: 3 }],
  },
];

/** IN, where it cannot be told. */
export const MEMBERS: readonly Golden[] = [
  over('a list with NULL', '1, 2, null', 'v in (1, null)', [true, null, null]),
  over('not in a list with NULL', '1, 2, null', 'v not in (null, 1)', [false, null, null]),
  over('a list of nothing but NULL', '1, null', 'v in (null)', [null, null]),
  one(
    'elements of an array of each row',
    "select 'a' in unnest(split(v)) as x, cast(null as string) in unnest(split(v)) as n from unnest(['a,b', 'c']) as v with offset as i order by i",
    ...[
      { x: true, n: null },
      { x: false, n: null },
    ],
  ),
  one(
    'a NULL among the elements, and no elements',
    'select 2 in unnest(l) as x, 2 not in unnest(l) as y from (select array_agg(a) as l from unnest([1, null]) as a) as t',
    { x: null, y: null },
  ),
  one(
    'elements of a JSON list',
    "select id from `edge.logs` where '200' in unnest(metadata.response.status_code) order by id",
  ),
];
