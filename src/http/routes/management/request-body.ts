import type { Context } from 'hono';
import { ServiceError } from '../../../platform/errors.ts';
import { readBody } from '../../middleware/read-body.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Several times what DynamoDB lets one object take. */
const MAX_BODY_BYTES = 1_000_000;

/**
 * The body as a JSON object; an empty body is an empty object. The content type does not matter.
 *
 * @throws ServiceError `invalid_json` (400), `body_too_large` (413).
 */
export async function readJsonObject(c: Context): Promise<JsonObject> {
  const value = await readJson(c);
  if (isJsonObject(value)) return value;
  throw new ServiceError('invalid_json', 400, 'The body must be a JSON object.');
}

/** The same, but the body may also be a list of anything. */
export async function readJsonObjectOrList(c: Context): Promise<JsonObject | readonly unknown[]> {
  const value = await readJson(c);
  if (isJsonObject(value) || Array.isArray(value)) return value;
  throw new ServiceError('invalid_json', 400, 'The body must be a JSON object or a list of them.');
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function readJson(c: Context): Promise<unknown> {
  const bytes = await readBody(c, MAX_BODY_BYTES);
  return bytes.byteLength === 0 ? {} : parse(bytes);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ServiceError('invalid_json', 400, 'The body is not valid JSON in UTF-8.', { cause });
  }
}
