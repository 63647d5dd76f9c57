import { us } from '../fixtures.ts';
import type { Golden } from './golden.ts';

export const COLUMNS: readonly Golden[] = [
  {
    what: 'the fixed columns, time in microseconds',
    sql: "select id, timestamp, event_message from `edge.logs` where id = 'e1'",
    rows: [{ id: 'e1', timestamp: us(0, 123_456), event_message: 'GET /rest/v1/users' }],
  },
  {
    what: 'metadata is an object, missing metadata is NULL',
    sql: "select metadata from `edge.logs` where id in ('e1', 'e5') order by id",
    rows: [
      {
        metadata: {
          request: { method: 'GET', path: '/rest/v1/users', headers: { user_agent: 'curl' } },
          response: { status_code: 200, origin_time: 10 },
        },
      },
      { metadata: null },
    ],
  },
  {
    what: 'any other top-level field, NULL where an event lacks it',
    sql: 'select id, level, count from `app-logs` order by id',
    rows: [
      { id: 'a1', level: 'info', count: null },
      { id: 'a2', level: 'error', count: null },
      { id: 'a3', level: null, count: 3 },
    ],
  },
  {
    what: 'a table is named bare, with dashes, or in backticks as a whole or by part',
    sql: 'select count(*) as n from app-logs union all select count(*) from `edge`.`logs` union all select count(*) from edge.logs order by n',
    rows: [{ n: 3 }, { n: 5 }, { n: 5 }],
  },
  {
    what: 'a column qualified by the dotted name of its table',
    sql: "select edge.logs.id from edge.logs where `edge.logs`.id = 'e2'",
    rows: [{ id: 'e2' }],
  },
  {
    what: 'integers beyond 2^53 keep their digits',
    sql: "select cast(m.size as string) as size from `app-logs` cross join unnest(metadata) as m where id = 'a1'",
    rows: [{ size: '9007199254740993' }],
  },
];
