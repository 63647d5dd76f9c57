import type { Context } from 'hono';
import { ServiceError } from '../../errors.ts';
import { readBody } from '../core.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Several times what DynamoDB lets one object take. */
const MAX_BODY_BYTES = 1_000_000;

/**
 * The body as a JSON object; an empty body is an empty object. The content type does not matter.
 *
 * @throws ServiceError `invalid_json` (400), `body_too_large` (413).
 */
export async function readJsonObject(c: Context): Promise<JsonObject> {
  const bytes = await readBody(c, MAX_BODY_BYTES);
  if (bytes.byteLength === 0) return {};
  const value = parse(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ServiceError('invalid_json', 400, 'The body must be a JSON object.');
  }
  return value as JsonObject;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ServiceError('invalid_json', 400, 'The body is not valid JSON in UTF-8.', { cause });
  }
}
