import { type Golden, value } from './golden.ts';

export const VALUES: readonly Golden[] = [
  value('integer division is float', '1 / 2', 0.5),
  value('DIV cuts towards zero', 'div(-7, 2)', -3),
  value('strings and escapes', String.raw`'it\'s' || "\x41\n" || r'\d'`, "it'sA\n\\d"),
  value('a raw triple-quoted string', `r'''it's \\d'''`, "it's \\d"),
  value('a comment mark inside a string is text', "'a--b' /* as y */", 'a--b'),
  value('safe_cast of what does not fit', "safe_cast('1.5' as int64)", null),
  value('PostgreSQL cast', "'12'::int", 12),
  value(
    'regexp_extract gives the group',
    "regexp_extract('took 12.5 ms', r'took ([0-9.]+) ms')",
    '12.5',
  ),
  value(
    'regexp_extract without a group gives the match',
    "regexp_extract('took 12 ms', r'[0-9]+')",
    '12',
  ),
  value('regexp_extract without a match is NULL', "regexp_extract('none', r'[0-9]+')", null),
  value(
    'regexp_extract of a group that took no part is NULL',
    "regexp_extract('took ms', r'took( [0-9]+)? ms')",
    null,
  ),
  value(
    'regexp_extract from a position, and of a later occurrence',
    "regexp_extract('a=1 b=2 c=3', r'[a-z]=([0-9])', 3, 2)",
    '3',
  ),
  value('SAFE. before a regular expression', "safe.regexp_contains('abc', 'B')", false),
  value(
    'the end is the very end, unless lines are asked for',
    "[regexp_contains('a\\n', 'a$'), regexp_contains('a\\n', '(?m)a$')]",
    [false, true],
  ),
  value(
    'classes are ASCII, and case is all of Unicode',
    "[regexp_extract('é٣x1', r'\\w'), regexp_extract('É', '(?i)é'), regexp_extract('\\u212A', '(?i)k')]",
    ['x', 'É', '\u212A'],
  ),
  value(
    'a pattern is an expression of constants',
    "regexp_contains('GET /v1', concat('^', 'get'))",
    false,
  ),
  value(
    'a wrong pattern in a branch that is never taken',
    "if(1 = 2, regexp_contains('a', '('), true)",
    true,
  ),
  value(
    'regexp_replace does not replace the empty text behind a match',
    "regexp_replace('xabx', 'x*', '-')",
    '-a-b-',
  ),
  value(
    'regexp_replace with a group',
    String.raw`regexp_replace('a1b2', r'([a-z])(\d)', r'\2\1')`,
    '1a2b',
  ),
  value('substr counts from one, zero counts as one', "substr('hello', 0, 2)", 'he'),
  value('concat with NULL', "concat('a', null)", null),
  value('safe_divide by zero', 'safe_divide(1, 0)', null),
  value('case with an operand', "case 'b' when 'a' then 1 when 'b' then 2 end", 2),
  value(
    'if, ifnull, nullif, coalesce',
    "if(true, ifnull(null, nullif('x', 'y')), coalesce(null, 'z'))",
    'x',
  ),
  value('in a list', '3 in (1, 2, 3) and 4 not in (1, 2)', true),
  value('is distinct from', 'null is distinct from 1', true),
  value('ilike', "'Hello' ilike '%ELL%'", true),
  value('arrays', "array_length(['a', 'b']) + [1, 2, 3][offset(2)]", 5),
  value('safe_offset out of range', '[1, 2][safe_offset(5)]', null),
  {
    what: 'unnamed columns are f0_, f1_, counted without the others; a trailing comma is fine',
    sql: 'select 1, 2 as named, 3,',
    rows: [{ f0_: 1, named: 2, f1_: 3 }],
  },
  {
    what: 'a star gives columns without a name other numbers',
    sql: 'select 0, * from (select 1, 2 as named, 3)',
    rows: [{ f0_: 0, f1_: 1, named: 2, f2_: 3 }],
  },
  { what: 'an alias may be a string', sql: "select 1 as 'my time'", rows: [{ 'my time': 1 }] },
  {
    what: 'of two columns with one name the last wins',
    sql: 'select 1 as a, 2 as a',
    rows: [{ a: 2 }],
  },
];
