import type { Golden } from './golden.ts';

export const QUALIFY: readonly Golden[] = [
  {
    what: 'filters by a window function, before DISTINCT and ORDER BY',
    sql: `select distinct project, request.method as method from \`edge.logs\` t
            cross join unnest(metadata) m cross join unnest(m.request) request
            qualify row_number() over (partition by request.method order by timestamp desc) = 1 order by method`,
    rows: [
      { project: 'alpha', method: 'GET' },
      { project: 'alpha', method: 'POST' },
    ],
  },
  {
    what: 'knows aliases, and sorts by what is not selected',
    sql: 'select id, row_number() over (order by id desc) as n from `edge.logs` where true qualify n <= 2 order by timestamp',
    rows: [
      { id: 'e4', n: 2 },
      { id: 'e5', n: 1 },
    ],
  },
  {
    what: 'a condition around a window function leaves out none of the rows that it counts',
    sql: `select id, n, total from (
            select id, timestamp, row_number() over (order by timestamp, id) as n, count(*) over () as total
            from \`edge.logs\`
          ) where timestamp >= '2026-02-03 09:30:00' order by n`,
    rows: [
      { id: 'e4', n: 4, total: 5 },
      { id: 'e5', n: 5, total: 5 },
    ],
  },
];
