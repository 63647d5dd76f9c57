import { type Golden, one, over, value } from './golden.ts';

/** A form within itself. */
function nest(depth: number, innermost: string, form: (inner: string) => string): string {
  return depth === 0 ? innermost : form(nest(depth - 1, innermost, form));
}

const halves = (depth: number, of: string): string => nest(depth, of, (x) => `div(${x}, 2)`);
const shares = (depth: number, of: string): string => nest(depth, of, (x) => `(8 / ${x})`);

/** Functions within functions, so deep that an operand is no longer printed where it is needed twice. */
export const DEEP: readonly Golden[] = [
  over('divisions within each other', '4096, 5, null', halves(12, 'v'), [1, 0, null]),
  over('floating point divisions within each other', '2.0, null', shares(13, 'v'), [4, null]),
  over(
    'texts within each other',
    "'abcdefgh', null",
    nest(6, 'v', (x) => `right(substr(${x}, 1, 9), 7)`),
    ['bcdefgh', null],
  ),
  over(
    'JSON within JSON',
    `'{"a": {"a": {"a": 1}}}', '{"a": 2}', 'no'`,
    nest(3, 'v', (x) => `json_query(${x}, '$.a')`),
    ['1', null, null],
  ),
  one(
    'a deep expression is grouped by, selected and ordered by',
    `select ${halves(10, 'v')} as half, count(*) as n from unnest([2048, 2050, 4096]) as v group by ${halves(10, 'v')} having ${halves(10, 'v')} > 0 order by half desc`,
    { half: 4, n: 1 },
    { half: 2, n: 2 },
  ),
  one(
    'aggregates, windows and subqueries lie inside of deep expressions',
    `select ${halves(9, 'sum(v)')} as summed, ${halves(9, '(select max(w) from unnest([2048]) as w)')} as chosen from unnest([1024, 1024]) as v`,
    { summed: 4, chosen: 4 },
  ),
  one(
    'deep expressions lie inside of aggregates and windows',
    `select sum(${halves(9, 'v')}) over (order by ${halves(9, 'v')}) as running from unnest([512, 1024]) as v order by running`,
    { running: 1 },
    { running: 3 },
  ),
  one(
    'a deep expression of a column of an outer query',
    `select (select max(${nest(9, 'v', (x) => `div(${x}, w)`)}) from unnest([2]) as w) as x from unnest([1024]) as v`,
    { x: 2 },
  ),
  one(
    'a bit shift and a join of texts by a column of an outer query',
    "select (select max(w << v) from unnest([1, 3]) as w) as x, (select max(array_to_string(['a', 'b'], concat(w, t))) from unnest(['-']) as w) as y from unnest([2]) as v cross join unnest(['+']) as t",
    { x: 12, y: 'a-+b' },
  ),
  over(
    'what a branch excludes is not evaluated, however deep',
    '0, 512',
    `if(v = 0, -1, ${nest(9, 'div(1024, v)', (x) => `div(${x} * 2, 2)`)})`,
    [-1, 2],
  ),
  over(
    'SAFE catches what lies deep',
    '0, 1',
    `safe.div(1024, ${nest(9, 'v', (x) => `div(${x} * 2, 2)`)})`,
    [null, 1024],
  ),
  one(
    'SAFE of aggregates, window functions and subqueries',
    'select v, safe.div(v, sum(w)) as a, safe.mod(max(w), (select 0)) as b, safe.div(1, sum(sum(w)) over ()) as c from unnest([1, 2]) as v cross join unnest([1, -1]) as w group by v order by v',
    { v: 1, a: null, b: null, c: null },
    { v: 2, a: null, b: null, c: null },
  ),
  over(
    'BETWEEN, LIKE ANY, IN and CASE look at a deep value once',
    '4096, 5',
    `concat(${halves(12, 'v')} between 1 and 2, cast(${halves(12, 'v')} as string) like any ('1%', 'x'), ${halves(12, 'v')} in unnest([1, v]), case ${halves(12, 'v')} when 0 then 'none' when 1 then 'one' end)`,
    ['truetruetrueone', 'falsefalsefalsenone'],
  ),
  over(
    'a CASE of a deep value whose branches compute',
    '4096, 5',
    `case ${halves(12, 'v')} when 0 then div(v, 5) when div(v, 4096) then -1 end`,
    [-1, 1],
  ),
  one(
    'an aggregate is looked for in a list',
    'select sum(v) in unnest([3, 4]) as x, max(v) not in unnest([min(v)]) as y from unnest([1, 2]) as v',
    { x: true, y: true },
  ),
  over(
    'arrays, their offsets and a deep index',
    '2048, 1024',
    `[10, 20, 30][offset(${halves(10, 'v')})]`,
    [30, 20],
  ),
  over(
    'times within each other',
    "timestamp '2026-02-03 10:20:30'",
    nest(6, 'v', (x) => `timestamp_trunc(timestamp_add(${x}, interval 1 day), day, 'Asia/Tokyo')`),
    [Date.UTC(2026, 1, 8, 15) * 1000],
  ),
  value(
    'quantiles by the thousand',
    '(select approx_quantiles(v, 1000)[offset(999)] from unnest([7]) as v)',
    7,
  ),
  value(
    'the most quantiles',
    '(select array_length(approx_quantiles(v, 100000)) from unnest([7]) as v)',
    100001,
  ),
  over(
    'a pattern of LIKE takes any character behind a backslash as it is',
    "'ab', 'a%', 'a' || chr(92)",
    String.raw`concat(v like r'a\b', v like r'a\%', v like concat(substr(r'a\b', 1, 2), substr(v, 2)))`,
    ['truefalsetrue', 'falsetruetrue', 'falsefalsetrue'],
  ),
  value(
    'numbers that JSON lacks are texts in arrays and STRUCTs',
    'to_json_string(struct([ieee_divide(0, 0), ieee_divide(-1, 0), 1.5] as a, ieee_divide(0, 0) as b))',
    '{"a":["NaN","-Infinity",1.5],"b":"NaN"}',
  ),
];
