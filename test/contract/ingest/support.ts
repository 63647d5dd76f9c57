import { expect } from 'vitest';
import { ingestApp, KEY, WEB } from '../../http/routes/ingest/support.ts';
import type { LogLine } from '../../http/support.ts';
import { Harness, withoutIdAndTime } from '../../ingest/support.ts';

/** A request to an ingest route. */
export interface Sending {
  /** A route without a query string gets one that names {@link WEB}. */
  readonly path?: string;
  readonly method?: string;
  /** Instead of or beside the usual ones; undefined takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Text and bytes are sent as they are, everything else as JSON. */
  readonly body?: unknown;
  /** Further keys, as secret to scopes. */
  readonly keys?: Record<string, readonly string[]>;
}

/** What came of a request. */
export interface Outcome {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON of the answer; undefined for an empty one. */
  readonly answer: unknown;
  /** What was stored: columns and body fields side by side. */
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly log: readonly Pick<LogLine, 'message' | 'fields'>[];
}

/** How a request is answered whose events are all stored. */
export const LOGGED = { status: 200, answer: { message: 'Logged!' } };

export const UNAUTHORIZED = { status: 401, answer: { error: 'Unauthorized' }, events: [] };

/** Sends one request, by default JSON with a key for every source, to a service of its own. */
export async function send(sending: Sending): Promise<Outcome> {
  const { path = '/logs', method = 'POST', keys = {}, body = {} } = sending;
  const harness = new Harness();
  const { app, lines } = ingestApp({ pipeline: harness.pipeline, keys });
  const usual = { 'Content-Type': 'application/json', 'X-API-KEY': KEY };
  const headers = Object.entries({ ...usual, ...sending.headers }).filter(
    (header): header is [string, string] => header[1] !== undefined,
  );

  const response = await app.request(path.includes('?') ? path : `${path}?source=${WEB.token}`, {
    method,
    headers,
    ...(method === 'POST' && { body: bytesOf(body) }),
  });

  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    answer: text === '' ? undefined : JSON.parse(text),
    events: harness.events,
    log: [...lines, ...harness.logger.lines],
  };
}

/** The events of a request that is answered {@link LOGGED}, as they were stored. */
export async function storedEvents(sending: Sending): Promise<Outcome['events']> {
  const outcome = await send(sending);
  expect(outcome).toMatchObject(LOGGED);
  return outcome.events;
}

/** The same without id and timestamp. */
export async function stored(sending: Sending): Promise<readonly unknown[]> {
  return (await storedEvents(sending)).map(withoutIdAndTime);
}

/** Bytes, so that no content type is added to those that the request names. */
function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}
