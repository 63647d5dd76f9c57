import { us } from '../fixtures.ts';
import type { Golden } from './golden.ts';

export const GROUPING: readonly Golden[] = [
  {
    what: 'GROUP BY an alias that is also a column',
    sql: 'select timestamp_trunc(timestamp, hour) as timestamp, count(*) as n from `edge.logs` group by timestamp',
    rows: [{ timestamp: us(0), n: 5 }],
  },
  {
    what: 'GROUP BY position, HAVING an alias, ORDER BY an aggregate',
    sql: `select request.path as path, count(*) as n from \`edge.logs\` cross join unnest(metadata) m
            cross join unnest(m.request) request group by 1 having n >= 1 order by count(*) desc, path limit 2`,
    rows: [
      { path: '/rest/v1/users', n: 2 },
      { path: '/auth/v1/token', n: 1 },
    ],
  },
  {
    what: 'aggregates',
    sql: `select count(distinct response.status_code) as d, countif(response.status_code >= 500) as bad,
              sum(response.origin_time) as total, avg(response.origin_time) as mean,
              min(response.origin_time) as low, max(response.origin_time) as high,
              approx_quantiles(response.origin_time, 4)[offset(4)] as p100,
              string_agg(id, '|' order by id desc limit 2) as ids, array_agg(id order by id limit 2) as list
            from \`edge.logs\` cross join unnest(metadata) m cross join unnest(m.response) response`,
    rows: [
      {
        d: 4,
        bad: 2,
        total: 100,
        mean: 25,
        low: 10,
        high: 40,
        p100: 40,
        ids: 'e4|e3',
        list: ['e1', 'e2'],
      },
    ],
  },
  {
    what: 'aggregates of nothing',
    sql: 'select count(*) as n, sum(count) as s, coalesce(sum(count), 0) as z from empty',
    rows: [{ n: 0, s: null, z: 0 }],
  },
  {
    what: 'NULLs come first ascending and last descending',
    sql: 'select level from `app-logs` order by level',
    rows: [{ level: null }, { level: 'error' }, { level: 'info' }],
  },
  {
    what: 'IGNORE NULLS belongs to the window function, not to a call inside it',
    sql: "select id, first_value(nullif(level, 'info') ignore nulls) over (order by id rows between unbounded preceding and unbounded following) as l from `app-logs` order by id limit 1",
    rows: [{ id: 'a1', l: 'error' }],
  },
  {
    what: 'windows',
    sql: 'select id, row_number() over (partition by project order by id) as n, lag(id) over (order by id) as before from `edge.logs` order by id limit 2',
    rows: [
      { id: 'e1', n: 1, before: null },
      { id: 'e2', n: 2, before: 'e1' },
    ],
  },
  {
    what: 'DISTINCT ordered by what it aggregates, a subquery in it',
    sql: "select string_agg(distinct concat(v, (select max(id) from `app-logs`)), ',' order by concat(v, (select max(id) from `app-logs`)) desc) as x from unnest(['a', 'b', 'a']) as v",
    rows: [{ x: 'ba3,aa3' }],
  },
  {
    what: 'GROUP BY ALL of constants alone is one row',
    sql: "select 'a' as x, 1 as y from `edge.logs` where id = 'none' group by all",
    rows: [{ x: 'a', y: 1 }],
  },
  {
    what: 'GROUP BY ALL leaves window functions out, which see the groups',
    sql: 'select project, count(*) as n, row_number() over (order by project) as r, sum(count(*)) over () as total from `edge.logs` group by all order by r',
    rows: [
      { project: 'alpha', n: 4, r: 1, total: 5 },
      { project: 'beta', n: 1, r: 2, total: 5 },
    ],
  },
  {
    what: 'what sorts nothing: a parameter, and a computed constant',
    sql: "select id from `edge.logs` where id < 'e3' order by @missing, concat('a', 'b'), id desc",
    rows: [{ id: 'e2' }, { id: 'e1' }],
  },
  {
    what: 'a subquery over a column that is grouped by',
    sql: `select level, (select count(*) from unnest(['error', 'info', 'info']) as l where l = level) as n
            from (select level from \`app-logs\` where level is not null) group by level order by level`,
    rows: [
      { level: 'error', n: 1 },
      { level: 'info', n: 2 },
    ],
  },
  {
    what: 'a subquery without FROM, and EXISTS over an array, of what is grouped by',
    sql: `select (select upper(level)) as l, count(*) as n from (select level from \`app-logs\`)
            group by level having exists (select 1 from unnest(['info', 'warning']) as x where x = level)`,
    rows: [{ l: 'INFO', n: 1 }],
  },
  {
    what: 'the order of a subquery by a column that nothing reads',
    sql: 'with a as (select 1 as x, 2 as y union all select 3, 4 order by y) select sum(x) as x from a',
    rows: [{ x: 4 }],
  },
];
