import type { Context } from 'hono';
import { ServiceError, unauthorized } from '../../../platform/errors.ts';
import { isPlainObject, parseJson } from '../../../platform/json/json.ts';
import type { CallInput } from '../../../query/parameters/parameters.ts';
import type { HttpEnv } from '../../middleware/http-env.ts';
import { readBody } from '../../middleware/read-body.ts';
import { getBody } from './get-with-body.ts';

/** Bodies hold a query and its parameters; the engine takes 256 KB of text. */
const MAX_BODY_BYTES = 1_000_000;

/** A key in the body has to be found before it is known whether the caller may send a body at all. */
const MAX_STRANGERS_BYTES = 65_536;

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/;
const FORM_TYPE = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)$/;

/** The parameters of the query string; of a repeated one the last counts. */
export function queryStringInput(c: Context<HttpEnv>): CallInput {
  return Object.fromEntries(new URL(c.req.url).searchParams);
}

/**
 * The parameters of a POST body: a JSON object or a form. A body without a content type is read as
 * JSON.
 *
 * @throws ServiceError 400, `body_too_large` (413), `unsupported_content_type` (415).
 */
export async function postInput(
  c: Context<HttpEnv>,
  maxBytes = MAX_BODY_BYTES,
): Promise<CallInput> {
  const body = await readBody(c, maxBytes);
  if (body.byteLength === 0) return {};
  const type = contentType(c);
  if (FORM_TYPE.test(type)) return formInput(c, body);
  return jsonInput(type, body);
}

/**
 * The same, of a caller who may have put the key into the body.
 *
 * @throws ServiceError 401 for a body that cannot be read, or is larger than such a body may be.
 */
export async function strangersInput(c: Context<HttpEnv>): Promise<CallInput> {
  try {
    return await postInput(c, MAX_STRANGERS_BYTES);
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) throw unauthorized();
    throw error;
  }
}

/**
 * The parameters of a GET body, which has to be a JSON object.
 *
 * @throws ServiceError as {@link postInput}.
 */
export async function getInput(c: Context<HttpEnv>): Promise<CallInput> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of getBody(c)) {
    length += chunk.byteLength;
    if (length > MAX_BODY_BYTES) {
      throw new ServiceError(
        'body_too_large',
        413,
        `The body is larger than ${MAX_BODY_BYTES} bytes, the most that a query may take.`,
      );
    }
    chunks.push(chunk);
  }
  return length === 0 ? {} : jsonInput(contentType(c), Buffer.concat(chunks));
}

function contentType(c: Context<HttpEnv>): string {
  return (c.req.header('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function jsonInput(type: string, body: Uint8Array): CallInput {
  if (type !== '' && !JSON_TYPE.test(type)) {
    throw new ServiceError(
      'unsupported_content_type',
      415,
      `A body of type ${type} cannot be read here. Send parameters as application/json, ` +
        'or with POST as application/x-www-form-urlencoded.',
    );
  }
  const value = parseJson(new TextDecoder().decode(body));
  if (!isPlainObject(value)) {
    throw new ServiceError(
      'invalid_body',
      400,
      'The body must be a JSON object that maps parameter names to values.',
    );
  }
  return value;
}

async function formInput(c: Context<HttpEnv>, body: Uint8Array): Promise<CallInput> {
  try {
    const headers = { 'Content-Type': c.req.header('Content-Type') ?? '' };
    const form = await new Response(new Uint8Array(body), { headers }).formData();
    // Uploaded files are no parameter values; as objects they are refused where a name is used.
    return Object.fromEntries(form);
  } catch (cause) {
    throw new ServiceError('invalid_body', 400, 'The body is not a form that can be read.', {
      cause,
    });
  }
}
