/** Queries that fail on BigQuery for their values, and so on both engines. */
export const FAILURES: readonly string[] = [
  'select sum(x) as s from unnest([9223372036854775807, 1]) as x',
  'select sum(x) over () as s from unnest([9223372036854775807, 1]) as x',
  'select x + 1 as s from unnest([9223372036854775807]) as x',
  'select x * 2 as s from unnest([9223372036854775807]) as x',
  'select -x as s from unnest([-9223372036854775807 - 1]) as x',
  'select abs(x) as s from unnest([-9223372036854775807 - 1]) as x',
  "select cast(x as int64) as s from unnest(['9223372036854775808']) as x",
  'select cast(x as int64) as s from unnest([1e19]) as x',
  'select x << -1 as s from unnest([1]) as x',
  'select 1 / x as s from unnest([0]) as x',
  'select mod(1, x) as s from unnest([0]) as x',
  'select [1, 2][offset(x)] as s from unnest([2]) as x',
  'select (select x from unnest([1, 2]) as x) as s',
  "select cast(x as timestamp) as s from unnest(['soon']) as x",
  "select cast(x as date) as s from unnest(['2026-02-30']) as x",
  "select cast(x as bool) as s from unnest(['yes']) as x",
];
