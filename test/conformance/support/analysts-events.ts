/** A small lake with something to find for every query of `lib/query/named-queries` and `docs/analysts.md`. */

const at = (time: string): number => Date.parse(`2026-02-${time}:00Z`);

export const EDGE = 'aaaaaaaa-0000-4000-8000-000000000001';
export const POSTGRES = 'bbbbbbbb-0000-4000-8000-000000000002';

export const SOURCES = [
  { token: EDGE, name: 'cloudflare.logs.prod', insertedAt: '2026-01-01T00:00:00.000Z' },
  { token: POSTGRES, name: 'postgres.logs', insertedAt: '2026-01-01T00:00:00.000Z' },
];

export interface AnalystsArrival {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly token: string;
  readonly events: readonly unknown[];
}

interface RequestFields {
  readonly city: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly tags?: readonly string[];
}

function request(id: string, time: string, { city, path, status, ms, tags }: RequestFields) {
  return {
    id,
    timestamp: `2026-02-${time}.123456Z`,
    event_message: `GET | ${status} | ${path}`,
    project: 'acme',
    ...(tags === undefined ? {} : { tags }),
    metadata: {
      request: { method: 'GET', path, cf: { city, country: 'DE' } },
      response: { status_code: status, origin_time: ms },
    },
  };
}

function statement(id: string, time: string, severity: string) {
  return {
    id,
    timestamp: `2026-02-${time}Z`,
    event_message: `${severity}: statement`,
    project: 'acme',
    metadata: { parsed: { error_severity: severity, user_name: 'app' } },
  };
}

/** In order of time. The last is a copy that was sent again; `late` happened nine hours before it arrived. */
export const ARRIVALS: readonly AnalystsArrival[] = [
  {
    at: at('02T22:50'),
    token: EDGE,
    events: [
      request('e1', '02T22:49:01', {
        city: 'Berlin',
        path: '/a',
        status: 200,
        ms: 10,
        tags: ['beta', 'eu'],
      }),
      request('e2', '02T22:49:02', {
        city: 'Berlin',
        path: '/a',
        status: 200,
        ms: 30,
        tags: ['eu'],
      }),
      request('e3', '02T22:49:03', { city: 'Köln', path: '/slow', status: 500, ms: 900 }),
    ],
  },
  {
    at: at('03T05:20'),
    token: POSTGRES,
    events: [statement('p1', '03T05:19:15', 'LOG'), statement('p2', '03T05:19:16', 'ERROR')],
  },
  {
    at: at('03T08:10'),
    token: EDGE,
    events: [
      request('e4', '03T08:09:30', { city: 'Köln', path: '/slow', status: 200, ms: 1100 }),
      request('late', '02T23:09:30', { city: 'Bonn', path: '/a', status: 200, ms: 20 }),
    ],
  },
  { at: at('03T09:40'), token: POSTGRES, events: [statement('p2', '03T05:19:16', 'ERROR')] },
];
