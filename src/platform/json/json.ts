/**
 * JSON that loses nothing: integers beyond 2^53 keep their digits, keys such as `__proto__` are
 * plain data, and text of any nesting is safe to parse.
 */
import { ServiceError } from '../errors.ts';
import { isRawNumber, parseExactly } from './exact-json.ts';
import { mayHoldUnsafeInteger, textMayHoldUnsafeInteger } from './unsafe-integers.ts';

export { isRawNumber, type RawNumber, rawNumber } from './exact-json.ts';

/** Levels of objects and lists that a JSON text may nest. */
export const MAX_JSON_DEPTH = 64;

/**
 * Parses JSON text. Integers outside ±(2^53 - 1) become {@link RawNumber}s, which
 * {@link stringifyJson} writes digit by digit.
 *
 * @throws ServiceError `invalid_json`, or `nesting_too_deep` past `maxDepth` levels (400).
 */
export function parseJson(text: string, maxDepth = MAX_JSON_DEPTH): unknown {
  const value = parse(text, textMayHoldUnsafeInteger(text));
  if (isDeeperThan(value, maxDepth)) throw nestingTooDeep();
  return value;
}

/** The same, but undefined for what is no JSON or nests deeper. */
export function parseJsonIfAny(text: string, maxDepth?: number): unknown {
  return unlessRefused(() => parseJson(text, maxDepth));
}

/** The result, or undefined where it is a refusal of the input; other errors are faults, and stay. */
function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

const decoder = new TextDecoder();

/**
 * The same for UTF-8, for the hot path of ingest: what is not UTF-8 becomes U+FFFD, and depth is
 * the caller's to bound.
 *
 * @param text the bytes as text, where the caller has that already.
 * @throws ServiceError `invalid_json`; `nesting_too_deep` where the stack ends.
 */
export function parseJsonBytes(bytes: Uint8Array, text = decoder.decode(bytes)): unknown {
  return parse(text, mayHoldUnsafeInteger(bytes));
}

/** Compact JSON text of a JSON value; always well-formed Unicode (lone surrogates are escaped). */
export function stringifyJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/** Longest string whose characters are looked at one by one, which up to here beats the call. */
export const SHORT_STRING = 48;

/** Whether a string is short and its JSON text is itself between quotes. */
export function isPlainString(text: string): boolean {
  if (text.length > SHORT_STRING) return false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) return false;
  }
  return true;
}

/** A string, number or boolean as text, as its JSON spells it; undefined for an object or a list. */
export function scalarText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return isRawNumber(value) ? value.rawJSON : undefined;
  }
}

/** Whether a JSON value is an object: no list, no null, no {@link RawNumber}. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
  );
}

/** The answer to JSON that nests deeper than {@link MAX_JSON_DEPTH}. */
export function nestingTooDeep(): ServiceError {
  return new ServiceError(
    'nesting_too_deep',
    400,
    `The JSON nests deeper than ${MAX_JSON_DEPTH} levels. Flatten it, or send the inner part as a string.`,
  );
}

function parse(text: string, isExact: boolean): unknown {
  try {
    return isExact ? parseExactly(text) : JSON.parse(text);
  } catch (cause) {
    // V8 parses any depth in constant stack, but a reviver's walk recurses.
    if (cause instanceof RangeError) throw nestingTooDeep();
    throw new ServiceError('invalid_json', 400, `This is not valid JSON${position(cause)}.`);
  }
}

/** V8's own sentence quotes the text, which may hold secrets: only its position is passed on. */
function position(cause: unknown): string {
  const at = /at position \d+/.exec(cause instanceof Error ? cause.message : '');
  return at === null ? '' : ` (${at[0]})`;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}
