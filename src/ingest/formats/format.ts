/** What an ingest route does with a body. */
import type { BodyParser } from '../body-parsers.ts';

/** One shape of body and the route that takes it. */
export interface IngestFormat {
  /** Path below the ingest prefixes: `` for the raw route, `/json` ... */
  readonly path: string;
  /** Content types that this route reads besides JSON, or in a way of its own. */
  readonly bodyParsers?: readonly BodyParser[];
  /**
   * Header in which the sender wants to see a code of its own before it trusts an address. The code
   * travels in the address, as the query parameter of that name, or in the same header.
   */
  readonly verificationHeader?: string;
  /** @throws ServiceError 400 when the body has not the shape that the route takes. */
  decode(input: DecodeInput): DecodedEvents;
}

export interface DecodeInput {
  /** The parsed body: any JSON value. */
  readonly body: unknown;
  /** A request header by name, in any case. */
  readonly header: (name: string) => string | undefined;
  /** All request headers by name in lower case. */
  readonly headers: () => Readonly<Record<string, string>>;
}

export interface DecodedEvents {
  /** In the order of the body. What is not an object is refused later, by its index. */
  readonly events: readonly unknown[];
  /** The source that a single object's body names; query string and headers go first. */
  readonly source?: SourceHint;
}

export interface SourceHint {
  readonly token?: string;
  readonly name?: string;
}
