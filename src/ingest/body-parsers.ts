/** Content types of request bodies (Logflare 1.50): one row of a table for each way to parse. */
import { ServiceError } from '../errors.ts';
import { parseJsonBytes } from '../json.ts';

type ParseBody = (bytes: Uint8Array) => unknown;

/** One way to read a body. */
export interface BodyParser {
  /** Media types in lower case, without parameters. */
  readonly mediaType: RegExp;
  readonly parse: ParseBody;
}

const BODY_PARSERS: readonly BodyParser[] = [
  { mediaType: /^application\/(?:[^/]+\+)?json$/, parse: parseJsonBody },
  { mediaType: /^application\/csp-report$/, parse: parseJsonBody },
];

/**
 * How to parse a body of a content type.
 *
 * @param ofFormat what the format of the route reads besides JSON; goes before the common rows.
 * @throws ServiceError `unsupported_content_type` (415); the parser itself throws that too, for a
 *   body without a content type that is not JSON, and `invalid_json` (400).
 */
export function bodyParser(
  contentType: string | undefined,
  ofFormat: readonly BodyParser[] = [],
): ParseBody {
  const mediaType = mediaTypeOf(contentType);
  if (!mediaType) {
    return parseUnlabelled;
  }
  const parsers = ofFormat.length === 0 ? BODY_PARSERS : [...ofFormat, ...BODY_PARSERS];
  const parser = parsers.find((candidate) => candidate.mediaType.test(mediaType));
  if (parser === undefined) {
    throw unsupportedType(`The Content-Type ${JSON.stringify(mediaType)} is not supported.`);
  }
  return parser.parse;
}

/** The media type of a `Content-Type`, in lower case and without parameters. */
export function mediaTypeOf(contentType: string | undefined): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase();
}

/**
 * An empty body is an empty object, as Logflare has it. Bytes that are not
 * UTF-8 become U+FFFD, because an agent drops a batch that is refused for one broken line. Depth is
 * left to the normaliser, which refuses one event for it and not the batch.
 */
function parseJsonBody(bytes: Uint8Array): unknown {
  return bytes.length === 0 ? {} : parseJsonBytes(bytes);
}

/** A body without a content type is JSON if it parses as such. */
function parseUnlabelled(bytes: Uint8Array): unknown {
  try {
    return parseJsonBody(bytes);
  } catch (cause) {
    throw unsupportedType('The body has no Content-Type and is not JSON.', cause);
  }
}

function unsupportedType(problem: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'unsupported_content_type',
    415,
    `${problem} Send JSON with the header "Content-Type: application/json".`,
    { cause },
  );
}
