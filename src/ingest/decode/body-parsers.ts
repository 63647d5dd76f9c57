/** Content types of request bodies (Logflare 1.50): one row of a table for each way to parse. */
import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../../platform/errors.ts';
import { FORM, parseForm } from './form.ts';
import type { BodyParser } from './format.ts';
import { parseJsonBody } from './json-body.ts';
import { jsonLines, NDJSON } from './json-lines.ts';
import { parseText } from './text-body.ts';

/** What every route reads. */
const BODY_PARSERS: readonly BodyParser[] = [
  { mediaType: /^application\/(?:[^/]+\+)?json$/, isJson: true, parse: parseJsonBody },
  { mediaType: /^application\/csp-report$/, parse: parseJsonBody },
  { mediaType: NDJSON, parse: parseList },
  { mediaType: FORM, parse: parseForm },
  { mediaType: /^text\/plain$/, parse: parseText },
  { mediaType: /^$/, parse: parseUnlabelled },
];

/**
 * How to parse a body of a content type.
 *
 * @param ofFormat what the route reads in a way of its own.
 * @throws ServiceError `unsupported_content_type` (415); the parser itself throws that too, for a
 *   body without a content type that is no text, and `invalid_json` (400).
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

/** A line that is not JSON stays text, which is refused later, by its index. */
function parseList(bytes: Uint8Array): unknown {
  return bytes.length === 0 ? {} : Array.from(jsonLines(bytes), ({ text, value }) => value ?? text);
}

/** A body without a content type is text, if it can be. */
function parseUnlabelled(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw unsupportedType('The body has no Content-Type and is not text.');
  return parseText(bytes);
}

function unsupportedType(problem: string): ServiceError {
  return new ServiceError(
    'unsupported_content_type',
    415,
    `${problem} Send JSON with the header "Content-Type: application/json".`,
  );
}
