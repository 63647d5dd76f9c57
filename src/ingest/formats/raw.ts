import { sourceHint } from '../decode/body-source.ts';
import type { DecodedEvents, IngestFormat } from '../decode/format.ts';
import { logpushParser } from './logpush.ts';

/**
 * Events as they are stored: one object, a list of them, or `{"batch": [...]}`. Cloudflare Workers
 * send their source and a `log_entry` this way too. Lines of NDJSON are Logpush's (Logflare 1.50).
 */
export const rawFormat: IngestFormat = {
  path: '',
  keepsTexts: true,
  bodyParsers: [logpushParser],

  decode({ body }): DecodedEvents {
    return { events: eventsOf(body), ...sourceHint(body) };
  },
};

/** Where loggers of Elixir post (Logflare 1.50). */
export const elixirFormat: IngestFormat = { ...rawFormat, path: '/elixir/logger' };

function eventsOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  const batch: unknown = (body as { batch?: unknown } | null)?.batch;
  return Array.isArray(batch) ? batch : [body];
}
