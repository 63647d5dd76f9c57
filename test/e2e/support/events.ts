/**
 * One event of each log source, with the fields and the nesting that the products send: where the
 * project is named differs, and the tables of `logs.all` look there.
 */

/** What every product's event takes. */
export interface Common {
  readonly project: string;
  readonly message?: string;
  /** ISO 8601 text; the time of arrival when left out. */
  readonly timestamp?: string | undefined;
}

export interface Event {
  readonly project?: string;
  readonly event_message: string;
  readonly metadata: object;
}

type EventOf = (common: Common) => Event;

export interface EdgeRequest extends Common {
  readonly path?: string;
  readonly method?: string;
  readonly status?: number;
}

export function edgeRequest(event: EdgeRequest): Event {
  const { project, path = '/rest/v1/orders', method = 'GET', status = 200 } = event;
  const host = `${project}.example.co`;
  return {
    ...envelope(event, `${method} | ${status} | 198.51.100.7 | https://${host}${path}`),
    project,
    metadata: {
      logflare_worker: { worker_id: 'K3J9QX' },
      request: {
        cf: {
          asn: 64_500,
          city: 'Lyon',
          country: 'FR',
          colo: 'CDG',
          isEUCountry: '1',
          botManagement: { score: 87, verifiedBot: false },
          tlsClientAuth: { certPresented: '0', certVerified: 'NONE' },
        },
        headers: { cf_connecting_ip: '198.51.100.7', host, user_agent: 'orders-app/4.2' },
        host,
        method,
        path,
        protocol: 'https:',
        search: '?select=id',
        url: `https://${host}${path}`,
      },
      response: {
        headers: { cf_cache_status: 'MISS', content_type: 'application/json' },
        origin_time: 38,
        status_code: status,
      },
    },
  };
}

export const postgresLog: EventOf = (event) => ({
  ...envelope(event, 'duplicate key value violates unique constraint "orders_pkey"'),
  project: event.project,
  metadata: {
    host: `db-${event.project}`,
    parsed: {
      backend_type: 'client backend',
      command_tag: 'INSERT',
      error_severity: 'ERROR',
      process_id: 4711,
      session_line_num: 3,
      sql_state_code: '23505',
      timestamp: '2026-02-03 04:05:06.789 UTC',
      user_name: 'authenticator',
    },
  },
});

export const functionRequest: EventOf = (event) => ({
  ...envelope(event, 'POST | 204 | https://functions.example.co/send-mail'),
  metadata: {
    deployment_id: 'send-mail_7',
    execution_time_ms: 21,
    function_id: '0f2f6c0e-4d7c-4f2e-9f4e-5b8d3f8a1c11',
    project_ref: event.project,
    request: {
      headers: { accept: '*/*', host: 'functions.example.co' },
      method: 'POST',
      pathname: '/send-mail',
      url: 'https://functions.example.co/send-mail',
    },
    response: { headers: { content_length: '0' }, status_code: 204 },
    version: '7',
  },
});

export const functionOutput: EventOf = (event) => ({
  ...envelope(event, 'mail queued\n'),
  metadata: {
    deployment_id: 'send-mail_7',
    event_type: 'Log',
    execution_id: '7f1d0a52-93cf-4f0a-8f2e-06f6f2b0c9d4',
    function_id: '0f2f6c0e-4d7c-4f2e-9f4e-5b8d3f8a1c11',
    level: 'info',
    project_ref: event.project,
    region: 'eu-west-3',
    timestamp: '2026-02-03T04:05:06.789012345+00:00',
    version: '7',
  },
});

export const authLog: EventOf = (event) => ({
  ...envelope(event, '{"component":"api","level":"info","msg":"request completed"}'),
  project: event.project,
  metadata: {
    component: 'api',
    args: ['--verbose'],
    auth_event: {
      action: 'login',
      actor_via_sso: false,
      traits: { provider: 'email', user_email: 'ada@example.com' },
    },
    level: 'info',
    msg: 'request completed',
    path: '/token',
    // Not the project that the event belongs to: that is named beside the metadata.
    project: 'instance-of-auth',
    status: '200',
    timestamp: '2026-02-03T04:05:06Z',
  },
});

export const realtimeLog: EventOf = (event) => ({
  ...envelope(event, 'Channel closed: {:error, "no rows"}'),
  metadata: {
    context: {
      application: 'realtime',
      domain: ['elixir'],
      line: 118,
      mfa: ['Elixir.Channel', 'handle_info', '2'],
      time: 1_770_091_506_789_012,
      vm: { node: 'realtime@fdaa::2' },
    },
    external_id: event.project,
    level: 'error',
    project: event.project,
  },
});

export const storageLog: EventOf = (event) => ({
  ...envelope(event, 'PUT | 200 | /object/avatars/1.png'),
  metadata: {
    context: { host: 'storage-1.internal', pid: 1 },
    level: 'info',
    project: event.project,
    reqId: '8ac1d2-CDG',
    tenantId: event.project,
  },
});

export const postgrestLog: EventOf = (event) => ({
  ...envelope(event, 'Schema cache loaded'),
  project: event.project,
  metadata: { host: event.project },
});

export const pgbouncerLog: EventOf = (event) => ({
  ...envelope(event, 'C-0xaaa: postgres/postgres@127.0.0.1 login attempt'),
  project: event.project,
  metadata: { host: `db-${event.project}` },
});

function envelope({ message, timestamp }: Common, usual: string) {
  return {
    event_message: message ?? usual,
    ...(timestamp === undefined ? {} : { timestamp }),
  };
}
