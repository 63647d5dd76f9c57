/** Content types of request bodies (Logflare 1.50): one row of a table for each way to parse. */
import { ServiceError } from '../errors.ts';
import { parseJsonBytes } from '../json.ts';
import { FORM, parseForm } from './form.ts';
import type { BodyParser } from './formats/format.ts';
import { onlyObjects } from './json-documents.ts';
import { jsonLines, NDJSON } from './json-lines.ts';

/** What every route reads. */
const BODY_PARSERS: readonly BodyParser[] = [
  { mediaType: /^application\/(?:[^/]+\+)?json$/, isJson: true, parse: parseJsonBody },
  { mediaType: /^application\/csp-report$/, parse: parseJsonBody },
  { mediaType: NDJSON, parse: parseList },
  { mediaType: FORM, parse: parseForm },
  { mediaType: /^$/, parse: parseUnlabelled },
];

/**
 * How to parse a body of a content type.
 *
 * @param ofFormat what the route reads in a way of its own.
 * @throws ServiceError `unsupported_content_type` (415); the parser itself throws that too, for a
 *   body without a content type that is not JSON, and `invalid_json` (400).
 */
export function bodyParser(
  contentType: string | undefined,
  ofFormat: readonly BodyParser[] = [],
): BodyParser {
  const mediaType = mediaTypeOf(contentType) ?? '';
  const fits = (candidate: BodyParser): boolean => candidate.mediaType.test(mediaType);
  const parser = ofFormat.find(fits) ?? BODY_PARSERS.find(fits);
  if (parser === undefined) {
    throw unsupportedType(`The Content-Type ${JSON.stringify(mediaType)} is not supported.`);
  }
  return parser;
}

/** The media type of a `Content-Type`, in lower case and without parameters. */
export function mediaTypeOf(contentType: string | undefined): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase();
}

/**
 * An empty body is an empty object, as Logflare has it. Bytes that are not
 * UTF-8 become U+FFFD, because an agent drops a batch that is refused for one broken line. Depth is
 * left to the normaliser, which refuses one event for it and not the batch. Objects in a row are a
 * list of them: Fluent Bit's `json_stream`, and its `json_lines` up to 1.8, call that JSON.
 */
function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) {
    return {};
  }
  try {
    return parseJsonBytes(bytes);
  } catch (error) {
    const objects = isInvalidJson(error) ? onlyObjects(bytes) : undefined;
    if (objects === undefined) {
      throw error;
    }
    return objects;
  }
}

function isInvalidJson(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'invalid_json';
}

/** A line that is not JSON stays text, which is refused later, by its index. */
function parseList(bytes: Uint8Array): unknown {
  return bytes.length === 0 ? {} : Array.from(jsonLines(bytes), ({ text, value }) => value ?? text);
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
