import { type Golden, one } from './golden.ts';

/** COUNT of what no event lacks, which is printed as COUNT(*). */
export const COUNTED: readonly Golden[] = [
  one(
    'behind an outer join, where it may be missing all the same',
    'select count(a.id) as a, count(b.id) as b, count(b.n) as n from `app-logs` as a left join (select id, 1 as n from `app-logs` where false) as b on a.id = b.id',
    { a: 3, b: 0, n: 0 },
  ),
  one(
    'on both sides of a FULL JOIN',
    "select count(a.id) as a, count(b.id) as b from (select id from `app-logs`) as a full join (select 'other' as id) as b on a.id = b.id",
    { a: 3, b: 1 },
  ),
  one(
    'through a CTE, a UNION and a FILTER',
    'with c as (select id, timestamp from `app-logs`), u as (select id from c union all select id from c) select count(u.id) as n, count(id) filter (where id is null) as none from u',
    { n: 6, none: 0 },
  ),
  one(
    'in a UNION with NULLs',
    'select count(id) as n from (select id from `app-logs` union all select null)',
    { n: 3 },
  ),
];
