/** A morning of one project and a little of another, for every source of the shipped endpoints. */

/** 2026-02-03 09:00 UTC and some minutes; microseconds tell equal minutes apart. */
function at(minutes: number, micros = 0): string {
  const ms = Date.UTC(2026, 1, 3, 9) + minutes * 60_000;
  return `${new Date(ms).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`;
}

const PATHS = ['/rest/v1/todos', '/auth/v1/token', '/storage/v1/object/a.png', '/realtime/v1/ws'];
const METHODS = ['GET', 'POST', 'PATCH'];
const STATUS = [200, 201, 304, 401, 404, 500, 503];
const AGENTS = ['curl/8.5.0', 'Mozilla/5.0 (X11; Linux x86_64)', undefined];

function edge(i: number) {
  const path = PATHS[i % PATHS.length];
  const method = METHODS[i % METHODS.length];
  return {
    id: `edge-${String(i).padStart(2, '0')}`,
    // Two in the same minute, some of an earlier day.
    timestamp: at(i < 36 ? Math.floor(i / 2) * 3 : -1440 * (i - 34), i * 1009),
    event_message: `${method} | ${STATUS[i % STATUS.length]} | https://p.example.test${path}?n=${i}`,
    project: i % 9 === 8 ? 'other' : 'acme',
    identifier: i % 2 === 0 ? 'acme-eu' : null,
    metadata: {
      request: {
        method,
        path,
        search: i % 3 === 0 ? `?select=*&id=eq.${i}` : undefined,
        host: 'p.example.test',
        url: `https://p.example.test${path}`,
        protocol: 'HTTP/2',
        headers: { user_agent: AGENTS[i % AGENTS.length], 'x-client-info': 'js/2.4' },
        cf: { country: ['DE', 'US', 'JP'][i % 3], asOrganization: 'Größe & Söhne', colo: 'FRA' },
      },
      response: {
        status_code: STATUS[i % STATUS.length],
        origin_time: 10 + ((i * 37) % 400),
        headers: { cf_cache_status: i % 4 === 0 ? 'HIT' : 'MISS', content_length: `${i * 100}` },
      },
      load_balancer_redirect_identifier: null,
    },
  };
}

function postgres(i: number) {
  const severity = ['LOG', 'ERROR', 'FATAL', 'WARNING'][i % 4];
  return {
    id: `pg-${i}`,
    timestamp: at(i * 4, 500_000 + i),
    event_message: `${severity}: statement ${i} in "public"."todos"`,
    project: 'acme',
    metadata: {
      host: 'db-acme',
      parsed: {
        error_severity: severity,
        sql_state_code: severity === 'ERROR' ? '42P01' : '00000',
        user_name: i % 2 === 0 ? 'authenticator' : 'postgres',
        detail: i % 3 === 0 ? "it's a detail: 50% \\ done" : null,
        query: 'select * from todos where id = $1',
        application_name: 'psql',
        backend_type: 'client backend',
      },
    },
  };
}

function functionEdge(i: number) {
  return {
    id: `fe-${i}`,
    timestamp: at(i * 5, 1),
    event_message: `POST | ${i % 3 === 0 ? 500 : 200} | /functions/v1/hello`,
    metadata: {
      project_ref: 'acme',
      function_id: `fn-${i % 2}`,
      execution_id: `run-${i}`,
      deployment_id: 'd-1',
      execution_time_ms: i * 17.5 + (i % 2 === 0 ? 0.5 : 0),
      version: `${i}`,
      request: { method: 'POST', pathname: '/hello', url: 'https://p.example.test/hello' },
      response: { status_code: i % 3 === 0 ? 500 : 200 },
    },
  };
}

function functionOutput(i: number) {
  return {
    id: `fo-${i}`,
    timestamp: at(i * 5, 2),
    event_message: `line ${i}\nsecond line`,
    metadata: {
      project_ref: 'acme',
      function_id: `fn-${i % 2}`,
      execution_id: `run-${i}`,
      event_type: i % 3 === 0 ? 'Boot' : 'Log',
      level: ['info', 'error', 'warning'][i % 3],
      boot_time: i % 3 === 0 ? 31 : undefined,
    },
  };
}

function auth(i: number) {
  return {
    id: `au-${i}`,
    timestamp: at(i * 7, 3),
    event_message: JSON.stringify({ msg: 'request completed', status: 200 + i }),
    project: 'acme',
    metadata: {
      level: i % 2 === 0 ? 'info' : 'warning',
      status: `${200 + (i % 3) * 100}`,
      path: '/token',
      msg: i % 2 === 0 ? 'request completed' : '400: Invalid login',
      error: i % 2 === 0 ? undefined : 'invalid_grant',
      duration: 1_000_000 * i,
    },
  };
}

const count = <T>(n: number, make: (i: number) => T): T[] =>
  Array.from({ length: n }, (_, i) => make(i));

export const SHIPPED_EVENTS: Readonly<Record<string, readonly unknown[]>> = {
  'cloudflare.logs.prod': count(40, edge),
  'postgres.logs': count(12, postgres),
  'deno-relay-logs': count(8, functionEdge),
  'deno-subhosting-events': count(9, functionOutput),
  'gotrue.logs.prod': count(6, auth),
  'realtime.logs.prod': count(3, (i) => ({
    id: `rt-${i}`,
    timestamp: at(i, 4),
    event_message: `channel ${i} joined`,
    metadata: { project: 'acme', level: 'info', external_id: 'acme', measurements: { joins: i } },
  })),
  'storage.logs.prod.2': count(4, (i) => ({
    id: `st-${i}`,
    timestamp: at(i * 2, 5),
    event_message: `GET | 200 | /object/${i}`,
    metadata: {
      project: 'acme',
      level: 'info',
      req: { method: 'GET', url: `/object/${i}` },
      res: { statusCode: 200 },
      responseTime: i * 1.25,
      context:
        i === 0
          ? []
          : [
              { host: 'a', pid: i },
              { host: 'b', pid: i + 1 },
            ],
    },
  })),
  'postgREST.logs.prod': count(2, (i) => ({
    id: `pr-${i}`,
    timestamp: at(i, 6),
    event_message: 'Schema cache loaded',
    project: 'acme',
    metadata: { host: 'db-acme' },
  })),
  'pgbouncer.logs.prod': count(2, (i) => ({
    id: `pb-${i}`,
    timestamp: at(i, 7),
    event_message: `stats: ${i} xacts/s`,
    project: 'acme',
    metadata: { host: 'db-acme', xacts: i },
  })),
  'sluice.queries': count(24, (i) => ({
    id: `q-${i}`,
    timestamp: at(i < 18 ? Math.floor(i / 3) * 10 : -600 * (i - 17), 8),
    event_message: 'logs.all 200 miss',
    metadata: {
      endpoint: i % 3 === 0 ? 'logs.all' : 'usage.api-counts',
      endpoint_token: '22222222-2222-4222-8222-222222222222',
      key_id: i % 4 === 3 ? undefined : 'key',
      language: 'none',
      origin: i % 4 === 3 ? 'warmer' : 'call',
      ...(i % 6 === 5
        ? { status_code: 504, error_code: 'query_timeout' }
        : { status_code: 200, cache: ['hit', 'miss', 'stale', 'off'][i % 4], rows: i }),
      ...(i % 4 === 1 || i % 4 === 3
        ? // The same for all: engines differ in how they approximate quantiles of a few values.
          { bytes_scanned: i * 1_000_000, cost_usd: 0.00005 * i, queue_ms: i, engine_ms: 250 }
        : {}),
    },
  })),
};
