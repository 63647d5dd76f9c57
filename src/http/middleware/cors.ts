import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { RATE_LIMIT_HEADERS } from './rate-limit-headers.ts';

/**
 * Any page may call the service: credentials travel in headers or in the address, never in cookies, so an
 * origin check would protect nothing. Preflights are answered before the key check, on every path, which
 * Logflare lacks, and error answers carry the headers as well, because a page cannot read an error
 * without them.
 *
 * Preflights allow the headers that they ask for: tracing libraries add their own to whatever a page
 * sends (`traceparent`, `baggage`, `sentry-trace`). The HTTP server bounds how many there can be.
 */
const EXPOSED_HEADERS = [
  'Age',
  'Cache-Control',
  'Server-Timing',
  'Sluice-Cache',
  'Sluice-Bytes-Scanned',
  'Sluice-Ignored',
  'Retry-After',
  'X-Request-Id',
  ...RATE_LIMIT_HEADERS,
];
const EXPOSED = EXPOSED_HEADERS.join(',');

const PREFLIGHT = {
  allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  exposeHeaders: EXPOSED_HEADERS,
  // Seconds; what Logflare configures, far above what browsers honour (Chromium caps at 7200).
  maxAge: 1_728_000,
};

const preflight = cors({ ...PREFLIGHT, origin: '*' });

/**
 * `navigator.sendBeacon` always sends the cookies of the address, of which there are none, and a browser
 * then takes no answer that does not name the page's origin and allow that.
 */
const preflightWithCredentials = cors({
  ...PREFLIGHT,
  origin: (origin) => origin || '*',
  credentials: true,
});

/** Below these there is nothing but ingest. */
const INGEST = /^\/(?:logs|api\/logs|api\/events|v1)(?:\/|$)/;

/**
 * Hono's middleware answers preflights only: for other requests it begins an answer of its own, into which the
 * route's is copied (20 us of CPU a request, measured over HTTP), where headers set beforehand cost nothing.
 */
export const allowAnyOrigin: MiddlewareHandler = (c, next) => {
  const mayHaveCredentials = INGEST.test(c.req.path);
  if (c.req.method === 'OPTIONS') {
    return (mayHaveCredentials ? preflightWithCredentials : preflight)(c, next);
  }
  c.header('Access-Control-Expose-Headers', EXPOSED);
  if (mayHaveCredentials) {
    c.header('Access-Control-Allow-Origin', c.req.header('Origin') || '*');
    c.header('Access-Control-Allow-Credentials', 'true');
    c.header('Vary', 'Origin', { append: true });
  } else {
    c.header('Access-Control-Allow-Origin', '*');
  }
  return next();
};
