/** What an ingest route does with a body. */

/** One shape of body and the route that takes it. */
export interface IngestFormat {
  /** Path below the ingest prefixes: `` for the raw route, `/json` ... */
  readonly path: string;
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
