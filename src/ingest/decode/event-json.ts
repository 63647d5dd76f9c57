/** JSON as senders of events write it, which is not always JSON. */
import { ServiceError } from '../../platform/errors.ts';
import { parseJsonBytes } from '../../platform/json/json.ts';

const decoder = new TextDecoder();

/**
 * Parses UTF-8; what is not UTF-8 becomes U+FFFD, and depth is the caller's to bound. `NaN`, `Infinity` and
 * `-Infinity`, which Python writes unless it is told not to, are null.
 *
 * @param text the bytes as text, where the caller has that already.
 * @throws ServiceError `invalid_json`; `nesting_too_deep` where the stack ends (400).
 */
export function parseEventJson(bytes: Uint8Array, text?: string): unknown {
  try {
    return parseJsonBytes(bytes, text);
  } catch (error) {
    const mended = isInvalidJson(error)
      ? withoutNonNumbers(text ?? decoder.decode(bytes))
      : undefined;
    if (mended === undefined) throw error;
    try {
      return parseJsonBytes(bytes, mended);
    } catch {
      // The first error has the place of the trouble in the text as it was sent.
      throw error;
    }
  }
}

/** The same, but undefined for what is no JSON. */
export function parseEventJsonIfAny(bytes: Uint8Array, text?: string): unknown {
  try {
    return parseEventJson(bytes, text);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

export function isInvalidJson(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'invalid_json';
}

/** Where a string begins, or something that is no number. */
const STRING_OR_WORD = /"|-?NaN|-?Infinity/g;

/** The text with null for what Python calls numbers; undefined where there is none outside of strings. */
function withoutNonNumbers(text: string): string | undefined {
  if (!text.includes('NaN') && !text.includes('Infinity')) return undefined;
  let mended = '';
  let copied = 0;
  STRING_OR_WORD.lastIndex = 0;
  for (let match = STRING_OR_WORD.exec(text); match !== null; match = STRING_OR_WORD.exec(text)) {
    const [found] = match;
    if (found === '"') {
      STRING_OR_WORD.lastIndex = endOfString(text, match.index);
      continue;
    }
    mended += `${text.slice(copied, match.index)}null`;
    copied = match.index + found.length;
  }
  return copied === 0 ? undefined : mended + text.slice(copied);
}

/** After the quote that ends the string whose first quote is at `start`; the end of the text without one. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}
