import { type Golden, one } from './golden.ts';

const list = (n: number, item: (i: number) => string, separator: string): string =>
  Array.from({ length: n }, (_, i) => item(i)).join(separator);

/** As large as the compiler lets parts of a text be. */
export const SIZES: readonly Golden[] = [
  one(
    '300 conditions',
    `select a from unnest([1, 5000]) as a where ${list(300, (i) => `a <> ${i}`, ' and ')}`,
    { a: 5000 },
  ),
  one(
    '300 alternatives',
    `select a from unnest([1, 5000]) as a where ${list(300, (i) => `a = ${i}`, ' or ')}`,
    { a: 1 },
  ),
  one(
    'an IN list of 10,000',
    `select a from unnest([1, 50000]) as a where a in (${list(10_000, (i) => `${i}`, ', ')})`,
    { a: 1 },
  ),
  one(
    'a CASE of 300 WHENs',
    `select case ${list(300, (i) => `when a = ${i} then ${i * 2}`, ' ')} end as x from unnest([299]) as a`,
    { x: 598 },
  ),
  one(
    '200 operators in a row, and 200 arguments',
    `select a${' + a'.repeat(199)} as x, length(concat(${list(200, () => 'b', ', ')})) as y from (select 2 as a, 'b' as b)`,
    { x: 400, y: 200 },
  ),
  one(
    '50 arms of UNION ALL',
    `select sum(x) as x from (${list(50, (i) => `select ${i} as x`, ' union all ')})`,
    { x: 1_225 },
  ),
  one(
    'a chain of 50 CTEs',
    `with c0 as (select 1 as x), ${list(49, (i) => `c${i + 1} as (select x + 1 as x from c${i})`, ', ')} select x from c49`,
    { x: 50 },
  ),
];
