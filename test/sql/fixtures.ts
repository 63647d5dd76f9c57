import { rawNumber } from '../../src/platform/json/json.ts';

/** Events as they are posted; `at` makes their time, minutes after 2026-02-03 09:00 UTC. */
export function at(minutes: number, micros = 0): string {
  const ms = Date.UTC(2026, 1, 3, 9) + minutes * 60_000;
  return `${new Date(ms).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`;
}

/** The same time as answers have it. */
export function us(minutes: number, micros = 0): number {
  return (Date.UTC(2026, 1, 3, 9) + minutes * 60_000) * 1000 + micros;
}

function request(
  id: string,
  minute: number,
  method: string,
  path: string,
  status: number,
  ms: number,
) {
  return {
    id,
    timestamp: at(minute, 123_456),
    event_message: `${method} ${path}`,
    project: 'alpha',
    metadata: {
      request: { method, path, headers: { user_agent: 'curl' } },
      response: { status_code: status, origin_time: ms },
    },
  };
}

function typed(id: string, minute: number, metadata: Readonly<Record<string, unknown>>): object {
  return { id, timestamp: at(minute), metadata };
}

export const EVENTS = {
  'edge.logs': [
    request('e1', 0, 'GET', '/rest/v1/users', 200, 10),
    request('e2', 1, 'GET', '/rest/v1/users', 500, 30),
    request('e3', 1, 'POST', '/auth/v1/token', 401, 20),
    request('e4', 30, 'GET', '/storage/v1/object', 503, 40),
    { id: 'e5', timestamp: at(31), event_message: 'no metadata', project: 'beta' },
  ],
  'app-logs': [
    {
      id: 'a1',
      timestamp: at(0),
      message: 'started',
      level: 'info',
      metadata: {
        tags: ['blue', 'green'],
        spans: [
          { name: 'db', ms: 12 },
          { name: 'http', ms: 30.5 },
        ],
        Query_Id: 7,
        size: rawNumber('9007199254740993'),
      },
    },
    {
      id: 'a2',
      timestamp: at(5),
      message: 'it\'s "done"',
      level: 'error',
      metadata: { tags: ['red'] },
    },
    { id: 'a3', timestamp: at(6), message: 'plain', count: 3 },
  ],
  'typed.logs': [
    typed('t1', 0, {
      status: 99,
      level: 30,
      path: 1,
      event_type: true,
      msg: 'seven',
      execution_time_ms: '10',
      parsed: { sql_state_code: rawNumber('9007199254740993') },
    }),
    typed('t2', 1, { status: 1000, level: 50, path: 2.25, event_type: false, msg: 7 }),
    typed('t3', 2, { status: 200, level: 30, path: -0.5, msg: true, execution_time_ms: '9' }),
  ],
  empty: [],
  'mixed.logs': [
    {
      id: 'm1',
      timestamp: at(0),
      level: 5,
      metadata: { shape: 'round', value: 1, tag: '{"a":1}', flag: true, deep: { n: 1 } },
    },
    {
      id: 'm2',
      timestamp: at(1),
      level: 'warn',
      metadata: {
        shape: { kind: 'square' },
        value: '2',
        tag: 'null',
        flag: 'true',
        deep: { n: 2.5 },
      },
    },
    {
      id: 'm3',
      timestamp: at(2),
      level: { name: 'error' },
      metadata: {
        shape: ['a', { kind: 'b' }],
        value: true,
        tag: '"q" \\ \n é 😀',
        flag: 'no',
        deep: 'none',
      },
    },
    { id: 'm4', timestamp: at(3), metadata: 'just text' },
    { id: 'm5', timestamp: at(4), metadata: { value: 1e21 } },
  ],
};
