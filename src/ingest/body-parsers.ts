/** Content types of request bodies (Logflare 1.50): one row of a table for each way to parse. */
import { ServiceError } from '../errors.ts';
import { parseJsonBytes } from '../json.ts';

export type ParseBody = (bytes: Uint8Array) => unknown;

export interface BodyParser {
  /** Media types in lower case, without parameters. */
  readonly mediaType: RegExp;
  readonly parse: ParseBody;
}

const BODY_PARSERS: readonly BodyParser[] = [
  { mediaType: /^application\/(?:[^/]+\+)?json$/, parse: parseJsonBody },
];

/**
 * How to parse a body of a content type.
 *
 * @param own what the route takes beside JSON; also how it reads a body without a content type that
 *   is not JSON.
 * @throws ServiceError `unsupported_content_type` (415); the parser itself throws that too, for a
 *   body without a content type that is not JSON, and `invalid_json` (400).
 */
export function bodyParser(contentType: string | undefined, own?: BodyParser): ParseBody {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (!mediaType) {
    return (bytes) => parseUnlabelled(bytes, own);
  }
  if (own?.mediaType.test(mediaType)) {
    return own.parse;
  }
  const parser = BODY_PARSERS.find((candidate) => candidate.mediaType.test(mediaType));
  if (parser === undefined) {
    throw unsupportedType(`The Content-Type ${JSON.stringify(mediaType)} is not supported.`);
  }
  return parser.parse;
}

/**
 * An empty body is an empty object, as Logflare has it. Bytes that are not
 * UTF-8 become U+FFFD, because an agent drops a batch that is refused for one broken line. Depth is
 * left to the normaliser, which refuses one event for it and not the batch.
 */
function parseJsonBody(bytes: Uint8Array): unknown {
  return bytes.length === 0 ? {} : parseJsonBytes(bytes);
}

/** A body without a content type is JSON if it parses as such, else what the route says. */
function parseUnlabelled(bytes: Uint8Array, own: BodyParser | undefined): unknown {
  try {
    return parseJsonBody(bytes);
  } catch (cause) {
    if (own !== undefined) {
      return own.parse(bytes);
    }
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
