import { cors } from 'hono/cors';
import { RATE_LIMIT_HEADERS } from './ingest-admission.ts';

/**
 * Any page may call the service: credentials travel in headers, never in cookies, so an origin check
 * would protect nothing. Preflights are answered before the key check, on every path, which
 * Logflare lacks, and error answers carry the headers as well, because a page cannot read an error
 * without them.
 */
export const allowAnyOrigin = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'Content-Length',
    'Content-Encoding',
    'Cache-Control',
    'X-Requested-With',
    'X-Request-Id',
    'X-API-Key',
    'X-Source',
    'X-Collection',
    'LF-ENDPOINT-LABELS',
    'LF-ENDPOINT-REDACT-PII',
    'LF-ENDPOINT-BIGQUERY-RESERVATION',
  ],
  exposeHeaders: [
    'Age',
    'Cache-Control',
    'Server-Timing',
    'Sluice-Cache',
    'Sluice-Bytes-Scanned',
    'Sluice-Ignored',
    'Retry-After',
    'X-Request-Id',
    ...RATE_LIMIT_HEADERS,
  ],
  // Seconds; what Logflare configures, far above what browsers honour (Chromium caps at 7200).
  maxAge: 1_728_000,
});
