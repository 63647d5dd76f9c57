import { type Golden, one } from './golden.ts';

const T = `(select cast('nan' as float64) as n, 1.5 as x, cast('inf' as float64) as i,
  cast(null as float64) as z)`;
const LIST =
  "unnest([1.5, cast('nan' as float64), null, cast('-inf' as float64), cast('inf' as float64)])";
const A = "with a as (select cast('nan' as float64) as n union all select 1.5)";
const sorted = (...values: (number | string | null)[]) => values.map((x) => ({ x }));

/** NaN equals nothing, is neither less nor greater than anything, and sorts between NULL and all numbers. */
export const NOT_A_NUMBER: readonly Golden[] = [
  one(
    'NaN beside numbers',
    `select n = x as a, n != x as b, n < x as c, n > x as d, x < n as e, x > n as f, n <= i as g, i <= n as h from ${T}`,
    { a: false, b: true, c: false, d: false, e: false, f: false, g: false, h: false },
  ),
  one(
    'NaN beside NaN',
    `select n = n as a, n != n as b, n < n as c, n >= n as d, n between n and n as e, not (n = n) as f,
       n is not distinct from n as g from ${T}`,
    { a: false, b: true, c: false, d: false, e: false, f: true, g: true },
  ),
  one(
    'NaN beside NULL is unknown',
    `select n = z as a, n > z as b, z >= n as c, n between x and z as d from ${T}`,
    { a: null, b: null, c: null, d: false },
  ),
  one(
    'infinity beside itself, and computed numbers',
    `select i = i as a, (i + 1) >= i as b, (n + 1) * 2 > n - 1 as c, (n + 1) = n + 1 as d from ${T}`,
    { a: true, b: true, c: false, d: false },
  ),
  one(
    'constants',
    "select cast('nan' as float64) = cast('nan' as float64) as a, 1 < cast('nan' as float64) as b, cast('nan' as float64) not between 1 and null as c",
    { a: false, b: false, c: true },
  ),
  one(
    'NaN is in no list, array or subquery',
    `${A} select n in (x, n) as a, n not in (n) as b, n in unnest([n, x]) as c, n in (select n from a) as d,
       x in (select n from a) as e, case n when n then 'same' else 'other' end as f from ${T}`,
    { a: false, b: true, c: false, d: false, e: true, f: 'other' },
  ),
  one(
    'sorted upwards',
    `select x from ${LIST} as x order by x`,
    ...sorted(null, 'NaN', '-Infinity', 1.5, 'Infinity'),
  ),
  one(
    'sorted downwards',
    `select x from ${LIST} as x order by x desc`,
    ...sorted('Infinity', 1.5, '-Infinity', 'NaN', null),
  ),
  one(
    'sorted with NULL at the other end',
    `select x from ${LIST} as x order by x nulls last`,
    ...sorted('NaN', '-Infinity', 1.5, 'Infinity', null),
  ),
  one(
    'sorted behind a set operation and DISTINCT',
    `select x from (select distinct x from ${LIST} as x order by x limit 2)
     union all select 2.5 union all select cast('nan' as float64) order by x desc limit 3`,
    ...sorted(2.5, 'NaN', 'NaN'),
  ),
  one(
    'ranked by a window, and collected',
    `select x, rank() over (order by x) as r from unnest([cast('nan' as float64), 1.5, cast('-inf' as float64), cast('nan' as float64)]) as x order by r, x`,
    ...[
      { x: 'NaN', r: 1 },
      { x: 'NaN', r: 1 },
      { x: '-Infinity', r: 3 },
      { x: 1.5, r: 4 },
    ],
  ),
  one('joins by nothing', `${A} select count(*) as n from a join a as b using (n)`, { n: 1 }),
  one(
    'grouped as one',
    `select x, count(*) as n from unnest([cast('nan' as float64), 1.5, cast('nan' as float64)]) as x group by x order by x`,
    ...[
      { x: 'NaN', n: 2 },
      { x: 1.5, n: 1 },
    ],
  ),
];
