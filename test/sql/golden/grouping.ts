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
];
