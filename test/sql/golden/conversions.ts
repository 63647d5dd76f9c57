import { type Golden, over } from './golden.ts';

const NUMBERS =
  "'1', ' +2 ', '-0', '1.5', '1e3', '0x1F', '-0x1f', '5f', '1_000', '１', '', 'inf', 'nan'";

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
  over(
    "a zone's name in a text cannot be read, and leaves the texts behind it alone",
    "'2026-07-01 10:00:00 Europe/Berlin', '2026-07-01 10:00:00', '2026-07-01'",
    'safe_cast(v as timestamp)',
    [null, Date.UTC(2026, 6, 1, 10) * 1000, Date.UTC(2026, 6, 1) * 1000],
  ),
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
