import type { Readable } from 'node:stream';
import type { Context } from 'hono';

/** What the adapters hand to the app beside the Request. */
interface AdapterEnv {
  /** Node's own request, from `@hono/node-server`. */
  readonly incoming?: Readable;
  /** The gateway's event, from Hono's Lambda adapter, after {@link setGetBodyAside}. */
  readonly event?: { readonly getBody?: string };
}

interface GatewayEvent {
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean;
}

/**
 * A Fetch Request may not have a body with GET, so Hono's Lambda adapter fails on an event that has
 * one. Call this on the event of a GET before the adapter sees it: the body moves, as base64, to where
 * {@link getBody} finds it.
 */
export function setGetBodyAside<Event extends GatewayEvent>(
  event: Event,
): Event & { getBody?: string } {
  const { body, isBase64Encoded = false } = event;
  if (body === undefined || body === null || body === '') return event;
  const getBody = isBase64Encoded ? body : Buffer.from(body).toString('base64');
  return { ...event, body: null, isBase64Encoded: false, getBody };
}

/**
 * The body of a GET request, in pieces, which the Fetch API cannot see. Logflare's clients send long
 * queries this way.
 */
export async function* getBody(c: Context): AsyncGenerator<Uint8Array> {
  const { incoming, event } = (c.env ?? {}) as AdapterEnv;
  if (event?.getBody !== undefined) yield Buffer.from(event.getBody, 'base64');
  // Not destroyed when the reader stops early: the answer that says why needs the connection.
  if (incoming !== undefined) yield* incoming.iterator({ destroyOnReturn: false });
}
