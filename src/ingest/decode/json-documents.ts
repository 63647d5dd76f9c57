/** JSON documents that follow each other, with or without something between them, among other text. */
import { isPlainObject } from '../../platform/json/json.ts';
import { MAX_EVENTS, tooManyEvents } from '../event/max-events.ts';
import { ValueBudget } from '../event/max-values.ts';
import { parseEventJsonIfAny } from './event-json.ts';

/** An object, or text that is none. */
export type JsonDocument =
  | { readonly value: Readonly<Record<string, unknown>> }
  | { readonly text: string };

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const decoder = new TextDecoder();
const NOTHING = new Uint8Array();

/**
 * The objects of UTF-8 text in order: back to back, one a line, over several lines, or in lists of
 * nothing but objects. All else is text, line by line; blank lines are nothing. Takes time in
 * proportion to the text: once brackets that go over a line end lead nowhere, the rest is read by
 * lines.
 *
 * @param budget of the request, where the text is a part of one.
 * @throws ServiceError `too_many_values` (413).
 */
export function* jsonDocuments(
  bytes: Uint8Array,
  budget = new ValueBudget(),
): Generator<JsonDocument, void, undefined> {
  let spansLines = true;
  let at = skipBlank(bytes, hasByteOrderMark(bytes) ? 3 : 0);
  budget.check(isOpening(bytes[at]) ? bytes : NOTHING);
  const whole = isOpening(bytes[at]) ? objectsOf(bytes.subarray(at)) : undefined;
  if (whole !== undefined) {
    budget.spend(bytes);
    yield* documentsOf(whole);
    return;
  }
  let lineEnd = -1;
  while (at < bytes.length) {
    // Not for each document: a line may hold millions.
    if (lineEnd < at) {
      const newline = bytes.indexOf(NEWLINE, at);
      lineEnd = newline === -1 ? bytes.length : newline;
    }
    const end = isOpening(bytes[at])
      ? closing(bytes, at, spansLines ? bytes.length : lineEnd)
      : undefined;
    const document =
      end !== undefined && isBoundary(bytes, end) ? bytes.subarray(at, end) : undefined;
    budget.spend(document ?? NOTHING);
    const objects = document && objectsOf(document);
    if (end !== undefined && objects !== undefined) {
      yield* documentsOf(objects);
      at = skipBlank(bytes, end);
      at = bytes[at] === COMMA ? skipBlank(bytes, at + 1) : at;
      continue;
    }
    if (isOpening(bytes[at]) && (end === undefined || end > lineEnd)) spansLines = false;
    const isReturn = bytes[lineEnd - 1] === RETURN && lineEnd - 1 > at;
    yield { text: decoder.decode(bytes.subarray(at, isReturn ? lineEnd - 1 : lineEnd)) };
    at = skipBlank(bytes, lineEnd);
  }
}

/**
 * The objects of UTF-8 text that holds nothing else; undefined where there is anything else, or no
 * object at all.
 *
 * @throws ServiceError `too_many_events` (413), before there is too much to hold.
 */
export function onlyObjects(bytes: Uint8Array): readonly JsonObject[] | undefined {
  const objects: JsonObject[] = [];
  for (const document of jsonDocuments(bytes)) {
    if (!('value' in document)) return undefined;
    if (objects.length === MAX_EVENTS) throw tooManyEvents();
    objects.push(document.value);
  }
  return objects.length === 0 ? undefined : objects;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** JSON that is an object, or a list of nothing else; undefined for everything else. */
function objectsOf(bytes: Uint8Array): readonly JsonObject[] | undefined {
  const parsed = parseEventJsonIfAny(bytes);
  const values: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return values.length > 0 && values.every(isPlainObject) ? values : undefined;
}

/** One by one, because a list may hold millions. */
function* documentsOf(objects: readonly JsonObject[]): Generator<JsonDocument, void, undefined> {
  for (const value of objects) yield { value };
}

/** Where the bracket at an offset is closed, before an end; brackets in strings do not count. */
function closing(bytes: Uint8Array, from: number, end: number): number | undefined {
  let depth = 0;
  let isString = false;
  for (let at = from; at < end; at++) {
    const byte = bytes[at];
    if (isString) {
      if (byte === BACKSLASH) {
        at++;
      } else if (byte === QUOTE) {
        isString = false;
      }
    } else if (byte === QUOTE) {
      isString = true;
    } else if (isOpening(byte)) {
      depth++;
    } else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) {
      return at + 1;
    }
  }
  return undefined;
}

/** Whether a document may end here: `[1] text` is a line of text and no list before a text. */
function isBoundary(bytes: Uint8Array, end: number): boolean {
  let at = end;
  while (isBlank(bytes[at]) && bytes[at] !== NEWLINE) at++;
  const byte = bytes[at];
  return byte === undefined || byte === NEWLINE || byte === COMMA || isOpening(byte);
}

function isOpening(byte: number | undefined): boolean {
  return byte === OPEN_BRACE || byte === OPEN_BRACKET;
}

function skipBlank(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isBlank(bytes[at])) at++;
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === NEWLINE || byte === RETURN || byte === TAB;
}

function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
