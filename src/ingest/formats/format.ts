/** What an ingest route does with a body. */

/** One shape of body and the route that takes it. */
export interface IngestFormat {
  /** Path below the ingest prefixes: `` for the raw route, `/json` ... */
  readonly path: string;
  /** Content types that this route reads in a way of its own; they go before those of all routes. */
  readonly bodyParsers?: readonly BodyParser[];
  /**
   * Header in which the sender wants to see a code of its own before it trusts an address. The code
   * travels in the address, as the query parameter of that name, or in the same header.
   */
  readonly verificationHeader?: string;
  /** @throws ServiceError 400 when the body has not the shape that the route takes. */
  decode(input: DecodeInput): DecodedEvents;
}

/** One way to parse a body. */
export interface BodyParser {
  /** Media types in lower case, without parameters; the empty text where none is sent. */
  readonly mediaType: RegExp;
  /** @throws ServiceError 400 or 413, or 415 when the bytes are not what they are taken for. */
  readonly parse: (bytes: Uint8Array) => unknown;
}

export interface DecodeInput {
  /** The parsed body: any JSON value. */
  readonly body: unknown;
  /** All request headers by name in lower case. */
  readonly headers: () => Readonly<Record<string, string>>;
}

export interface DecodedEvents {
  /**
   * In the order of the body. What is not an object is refused later, by its index; so is an
   * `EventRefused`, for its own reason.
   */
  readonly events: readonly unknown[];
  /** The source that a single object's body names; query string and headers go first. */
  readonly source?: SourceHint;
}

export interface SourceHint {
  readonly token?: string;
  readonly name?: string;
}
