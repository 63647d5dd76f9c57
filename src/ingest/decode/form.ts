/** `application/x-www-form-urlencoded` bodies: one event, each field one of its keys. */
import { ServiceError } from '../../platform/errors.ts';
import { parseJsonBody } from './json-body.ts';
import { parseText } from './text-body.ts';

export const FORM = /^application\/x-www-form-urlencoded$/;

/** Logflare's limit (1.50): pairs of `a&b&c` take many times their bytes. */
const MAX_FORM_BYTES = 1_000_000;

const BRACE = 0x7b;
const BRACKET = 0x5b;

/** The name of a first field. Browsers write white space as `+`, and a field without a value as `a=`. */
const FIRST_NAME = /^[^\s=&]+=/;

/**
 * The fields of a form, all of them text; of equal names the last counts. `curl -d` calls whatever it sends
 * a form: JSON, which begins with a brace or a bracket, which are percent-encoded in forms; and text, which
 * does not begin with a name.
 *
 * @throws ServiceError `invalid_json` (400), `body_too_large`, `too_many_values`, `too_many_events` (413).
 */
export function parseForm(bytes: Uint8Array): unknown {
  if (bytes[0] === BRACE || bytes[0] === BRACKET) return parseJsonBody(bytes);
  const form = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  if (!FIRST_NAME.test(form)) return parseText(bytes);
  if (bytes.length > MAX_FORM_BYTES) {
    throw new ServiceError(
      'body_too_large',
      413,
      `A form may have ${MAX_FORM_BYTES} bytes. Send JSON with the header "Content-Type: application/json".`,
    );
  }
  return Object.fromEntries(new URLSearchParams(form));
}
