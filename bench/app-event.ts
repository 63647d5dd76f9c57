/** Log events of an application, about 1 KB each: fields of every type, of names that no release knows. */
import { PROJECT_REFERENCES, type Random } from './scan/scan-event.ts';

const SERVICES = ['checkout', 'catalog', 'search', 'mailer', 'billing', 'gateway'];
const ROUTES = [
  '/orders/:id',
  '/orders',
  '/cart',
  '/products/:sku',
  '/session',
  '/invoices/:id/pdf',
];
const REGIONS = ['eu-central', 'us-east', 'ap-south'];
const PLANS = ['free', 'free', 'free', 'pro', 'team', 'enterprise'];
const LEVELS = ['debug', 'info', 'info', 'info', 'info', 'info', 'info', 'warn', 'error'];
const FAILURES = [
  'upstream timed out after 30000 ms',
  'connection refused by 10.4.7.21:5432',
  'duplicate key value violates unique constraint "orders_pkey"',
];
const AGENTS = ['okhttp/4.12.0', 'Dart/3.5 (dart:io)', 'node-fetch/1.0', 'python-requests/2.32.3'];

/** An event that happened at a time, milliseconds since the epoch. One in some hundred has no project. */
export function appEvent(timestamp: number, random: Random): unknown {
  const pick = <T>(values: readonly T[]): T => values[random() % values.length] as T;
  const hex = (parts: number): string =>
    Array.from({ length: parts }, () => random().toString(16).padStart(8, '0')).join('');

  const level = pick(LEVELS);
  const failure = level === 'error' ? pick(FAILURES) : undefined;
  const method = pick(['GET', 'GET', 'POST', 'PATCH']);
  const route = pick(ROUTES);
  const status =
    failure === undefined ? pick([200, 200, 200, 201, 304, 404]) : pick([500, 502, 504]);
  const latency = (random() % 2_000_000) / 1000;
  const user = `usr_${hex(2)}`;
  const trace = hex(4);
  const doing = `${method} ${route.replace(/:\w+/, hex(1))} for ${user} in ${latency} ms`;

  return {
    timestamp,
    event_message: `${doing}: ${failure ?? `answered ${status}`} (trace ${trace})`,
    project: PROJECT_REFERENCES[Math.floor((random() % 2500) ** 2 / 125_001)],
    metadata: {
      level,
      service: pick(SERVICES),
      region: pick(REGIONS),
      host: `node-${random() % 40}`,
      version: `2026.${random() % 12}.${random() % 30}`,
      latency_ms: latency,
      retries: random() % 3,
      cached: random() % 2 === 0,
      // Of two types: the code of an answer, or the name of what failed.
      code: failure === undefined ? status : pick(['ETIMEDOUT', 'ECONNREFUSED', '23505']),
      http: {
        method,
        route,
        status,
        bytes: random() % 90_000,
        client: { agent: pick(AGENTS), address: `198.51.${random() % 256}.${random() % 256}` },
      },
      user: { id: user, plan: pick(PLANS), session: hex(3), locale: pick(['de', 'en', 'pt']) },
      trace: { trace_id: trace, span_id: hex(2), parent_id: hex(2), sampled: random() % 10 === 0 },
      feature_flags: ['new-cart', ...(random() % 2 === 0 ? ['fast-search'] : [])],
      ...(failure === undefined
        ? { sql: `select * from orders where account = ${random() % 90_000} limit 50` }
        : {
            error: {
              kind: 'Unavailable',
              stack: `${failure}\n  at call (/srv/app/${hex(1)}.js:9)`,
            },
          }),
    },
  };
}
