/** How many values the JSON of one request may hold. */
import { ServiceError } from '../../platform/errors.ts';

/**
 * Elements of lists and members of objects. `[],` takes three bytes and, once parsed, 30 bytes and a tenth
 * of a microsecond: 20 MiB of it would hold up every other request for a second and more. Real events have
 * 20 to 40 bytes for each value.
 */
export const MAX_VALUES = 2_000_000;

/** The shortest value takes two bytes: `1,`. */
const MIN_VALUE_BYTES = 2;

/** Counts the values in the JSON texts of one request, before they are parsed. */
export class ValueBudget {
  readonly #max: number;
  #bytes = 0;
  #values = 0;

  constructor(max = MAX_VALUES) {
    this.#max = max;
  }

  /**
   * Takes a text into account that is about to be parsed. Nothing is counted as long as all texts together
   * are too short to hold too much, so that ordinary requests pay nothing.
   *
   * @throws ServiceError `too_many_values` (413).
   */
  spend(json: Uint8Array): void {
    this.#values += this.#countedIn(json);
    this.#bytes += json.length;
  }

  /** As {@link spend} for a text that may turn out to be several, each of which is spent then. */
  check(json: Uint8Array): void {
    this.#countedIn(json);
  }

  /** Whether a text inside an event may be parsed as well; if so, it is taken into account. */
  affords(text: string): boolean {
    this.#bytes += text.length;
    if (this.#bytes > this.#max * MIN_VALUE_BYTES) this.#values += mostValuesOf(text);
    return this.#values <= this.#max;
  }

  #countedIn(json: Uint8Array): number {
    if (this.#bytes + json.length <= this.#max * MIN_VALUE_BYTES) return 0;
    const left = this.#max - this.#values;
    const most = mostValues(json);
    const values = most <= left ? most : valuesIn(json);
    if (values > left) {
      throw new ServiceError(
        'too_many_values',
        413,
        `The request holds more than ${this.#max} values, which is the most. Split it into several requests.`,
      );
    }
    return values;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;

/** 1 for the bytes before which or after which a value begins. */
const BEGINS_VALUE = new Uint8Array(256);
for (const byte of [COMMA, OPEN_BRACKET, OPEN_BRACE]) BEGINS_VALUE[byte] = 1;

/** No fewer values than a text holds: those of its strings count as well. A third of the exact cost. */
function mostValues(json: Uint8Array): number {
  let values = 0;
  for (let at = 0; at < json.length; at++) values += BEGINS_VALUE[json[at] as number] as number;
  return values;
}

function mostValuesOf(text: string): number {
  let values = 0;
  for (let at = 0; at < text.length; at++) values += BEGINS_VALUE[text.charCodeAt(at)] ?? 0;
  return values;
}

/** The same without what stands in strings. What is empty counts twice. */
function valuesIn(json: Uint8Array): number {
  let values = 0;
  let isString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (!isString) {
      values += BEGINS_VALUE[byte] as number;
      isString = byte === QUOTE;
    } else if (byte === BACKSLASH) {
      at++;
    } else {
      isString = byte !== QUOTE;
    }
  }
  return values;
}
