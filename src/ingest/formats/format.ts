/** What an ingest route does with a body. */
import type { BodyParser } from '../body-parsers.ts';

/** One shape of body and the route that takes it. */
export interface IngestFormat {
  /** Path below the ingest prefixes: `` for the raw route, `/json` ... */
  readonly path: string;
  /** What the route takes beside JSON, where it takes anything else. */
  readonly body?: BodyParser;
  /** @throws ServiceError 400 when the body has not the shape that the route takes. */
  decode(input: DecodeInput): DecodedEvents;
}

export interface DecodeInput {
  /** The parsed body: any JSON value, or what the format's own parser makes of it. */
  readonly body: unknown;
  /** A request header by name, in any case. */
  readonly header: (name: string) => string | undefined;
}

export interface DecodedEvents {
  /**
   * In the order of the body. What is not an object is refused later, by its index; an EventRefused
   * stands for what the format itself refuses.
   */
  readonly events: readonly unknown[];
  /** The source that a single object's body names; query string and headers go first. */
  readonly source?: SourceHint;
}

export interface SourceHint {
  readonly token?: string;
  readonly name?: string;
}
