/** JSON whose integers keep all their digits. */

/** An integer whose digits a double cannot hold, kept as its source text. */
export interface RawNumber {
  readonly rawJSON: string;
}

/** What the language has (ES2026, JSON.parse source text access) and the compiler's library lacks. */
interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context: Context) => unknown): unknown;
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
}

interface Context {
  /** The text of a primitive value; absent for objects and arrays. */
  readonly source?: string;
}

const exact = JSON as unknown as ExactJson;

/** An integer given by its decimal digits. */
export function rawNumber(digits: string): RawNumber {
  return exact.rawJSON(digits);
}

export function isRawNumber(value: unknown): value is RawNumber {
  // The property alone rules nearly everything out, at a fraction of the call's cost.
  return (value as RawNumber | null | undefined)?.rawJSON !== undefined && exact.isRawJSON(value);
}

/**
 * Parses JSON text; integers outside ±(2^53 - 1) become {@link RawNumber}s.
 *
 * A reviver would do, and costs four times the parse. So such integers are made strings with a mark
 * first, which only they have then, and the strings are looked through.
 *
 * @throws SyntaxError; RangeError where the stack ends.
 */
export function parseExactly(text: string): unknown {
  return parseMarked(text) ?? exact.parse(text, keepDigits);
}

/** DEL, which stands in a JSON string as it is. */
const MARK = '\u007f';
const HAS_MARK = /\u007f|\\u007f/i;
const LIST_OR_OBJECT = /^\s*[[{]/;
/** Within a string it may match too; the quotes that it gets break the JSON then. */
const LONG_INTEGER = /([:,[]\s*)(-?[1-9]\d{15,})(?=\s*[,}\]])/g;

/** Undefined for text that this way cannot be sure of. */
function parseMarked(text: string): unknown {
  if (!LIST_OR_OBJECT.test(text) || HAS_MARK.test(text)) return undefined;
  try {
    return unmarked(JSON.parse(text.replace(LONG_INTEGER, `$1"${MARK}$2"`)));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A value with its marked strings as numbers, changed in place. */
function unmarked(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.startsWith(MARK) ? integer(value.slice(MARK.length)) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const key in members) {
    const member = members[key];
    if (typeof member === 'string' ? member.startsWith(MARK) : typeof member === 'object') {
      members[key] = unmarked(member);
    }
  }
  return value;
}

function integer(digits: string): unknown {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : exact.rawJSON(digits);
}

function keepDigits(_key: string, value: unknown, { source }: Context): unknown {
  return typeof value === 'number' &&
    !Number.isSafeInteger(value) &&
    source !== undefined &&
    /^-?\d+$/.test(source)
    ? exact.rawJSON(source)
    : value;
}
