/** What an ingest route does with a body. */
import type { ServiceError } from '../../platform/errors.ts';
import type { StoreOutcome } from '../event/store-outcome.ts';

/** One shape of body and the route that takes it. */
export interface IngestFormat {
  /** Path below the ingest prefixes: `` for the raw route, `/json` ... A first part as `:index` stands for any. */
  readonly path: string;
  /** Whether the path stands at the root instead, where the sender's own protocol wants it. */
  readonly atRoot?: true;
  /** Header in which the sender puts the key, where it can set no header of its user's choice. */
  readonly keyHeader?: string;
  /** Whether every text in its events stands so in the body, none made or taken apart here. */
  readonly keepsTexts?: true;
  /** Content types that this route reads in a way of its own; they go before those of all routes. */
  readonly bodyParsers?: readonly BodyParser[];
  /**
   * Header in which the sender wants to see a code of its own before it trusts an address. The code
   * travels in the address, as the query parameter of that name, or in the same header.
   */
  readonly verificationHeader?: string;
  /** How the sender signs bodies with a secret that it shares with its user. */
  readonly signature?: SignatureStyle;
  /**
   * How a protocol names the source whose senders do not know this service. It makes a key that may send to
   * one source alone name that one; then counts the name that this gives, and a query parameter `source`
   * only where it is a UUID.
   */
  readonly ownSource?: (request: Given) => string | undefined;
  /** The codings of a body where `Content-Encoding` does not say all of them. */
  readonly codings?: (contentType: string | undefined, contentEncoding?: string) => string;
  /** What senders ask before they send. */
  readonly probes?: readonly Probe[];
  /** @throws ServiceError 400 when the body has not the shape that the route takes. */
  decode(input: DecodeInput): DecodedEvents;
  /** How the sender wants to be answered, where it is not as all others. */
  readonly answers?: AnswerStyle;
}

/** An HMAC of the body as sent, in hex. */
export interface SignatureStyle {
  readonly header: string;
  readonly algorithm: 'sha1' | 'sha256';
  /** What stands before the digits. */
  readonly prefix: string;
}

/** The answers of a protocol that has its own. Neither function may throw. */
export interface AnswerStyle {
  /** The answer once every event was stored or rejected. */
  stored(outcome: StoreOutcome, headers: RequestHeaders, decoded: DecodedEvents): Answer;
  /** What tells of an error; its `Retry-After` is that of all routes. */
  failed(error: ServiceError, headers: RequestHeaders): ErrorAnswer;
}

export interface ErrorAnswer extends Omit<Answer, 'status'> {
  /** Where the protocol gives that of the error a meaning of its own. */
  readonly status?: 400;
}

export interface Answer {
  readonly status: 200 | 201 | 202 | 204 | 400 | 406;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Not sent with 204. */
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** A question of senders that has always the same answer. */
export interface Probe {
  readonly methods: readonly ('GET' | 'POST' | 'PUT')[];
  readonly path: string;
  /** Whether it is answered without a key. */
  readonly isOpen?: true;
  /** Whether browsers are left to other routes. */
  readonly notForPages?: true;
  readonly answer: Answer;
}

/** What the address and the headers of a request give. */
export interface Given {
  header(name: string): string | undefined;
  query(name: string): string | undefined;
  readonly path: string;
}

/** All request headers by name in lower case. */
export type RequestHeaders = () => Readonly<Record<string, string>>;

/** One way to parse a body. */
export interface BodyParser {
  /** Media types in lower case, without parameters; the empty text where none is sent. */
  readonly mediaType: RegExp;
  /** Whether the whole body is read as JSON. */
  readonly isJson?: true;
  /**
   * May give a promise, where the parser is loaded when it is first needed.
   *
   * @throws ServiceError 400 or 413, or 415 when the bytes are not what they are taken for.
   */
  readonly parse: (bytes: Uint8Array) => unknown;
}

export interface DecodeInput {
  /** The parsed body: any JSON value, or what the format's own parser gave. */
  readonly body: unknown;
  readonly headers: RequestHeaders;
  /** What the address gives. */
  readonly address: Pick<Given, 'query' | 'path'>;
  /** Bytes of what is compressed inside the body, once it is decompressed; all of it together. */
  readonly maxInflatedBytes: number;
}

export interface DecodedEvents {
  /**
   * In the order of the body. What is not an object is refused later, by its index; so is an
   * `EventRejected`, for its own reason.
   */
  readonly events: readonly unknown[];
  /** Position of the record that each event is part of, where one may become several events. */
  readonly recordOf?: readonly number[];
  /**
   * Whether no text in the events has a character that JSON escapes. Where it is known for all of them,
   * no encoder needs to look at each.
   */
  readonly hasPlainTexts?: boolean;
  /** The source that a single object's body names; query string and headers go first. */
  readonly source?: SourceHint;
  /** What the answer of the format tells of each event. */
  readonly forAnswer?: unknown;
}

export interface SourceHint {
  /** Whether the events name other sources, too. */
  readonly isOneOfSeveral?: true;
  readonly token?: string;
  readonly name?: string;
}
