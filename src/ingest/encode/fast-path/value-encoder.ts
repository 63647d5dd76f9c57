/** JSON objects of known shape as the text of a JSON column, cleaned as the normalizer cleans them. */

import type { TypeMask } from '../../../catalog/source-schema.ts';
import { SLOT_COLUMNS } from '../../../lake/layout/columns.ts';
import { fitsInt64 } from '../../../lake/schema/inferred-schema.ts';
import { JsonType } from '../../../lake/schema/schema.ts';
import { OBJECT_MARK } from '../../../lake/schema/slots.ts';
import { type Fields, isEmpty, Shared } from '../../../platform/json/fields.ts';
import {
  isPlainString,
  isRawNumber,
  type RawNumber,
  SHORT_STRING,
} from '../../../platform/json/json.ts';
import type { EventShape, Member } from './event-shape.ts';
import { type EncodedObject, encodedOnce } from './shared-value-cache.ts';

/** Whether a field of the event is no part of the text. */
type IsLeftOut = (key: string, value: unknown) => boolean;

/**
 * Makes text out of few parts, each of which costs: V8 joins strings lazily and copies the parts one
 * by one in the end. So the quote that ends a string waits to be written with what follows it.
 */
export class FastValueEncoder {
  /** Whether all that was met is what the schema knows, and nothing unusual. */
  isKnown = true;
  /** Whether no text that is given has a character that JSON escapes. */
  hasPlainTexts = false;
  /** Whether any of the values is written otherwise than it is: renamed, or without empty parts. */
  isChanged = false;
  /** Keys met, at all depths. */
  keys = 0;
  /**
   * Row text of the slots that the values fill, `","s012":"value` ...: it goes on within the text of the column
   * before, and ends within that of the last slot.
   */
  slots = '';
  #text = '';
  /** Brackets that are written once something follows them. */
  #pending = '';
  /** Whether the text ends within a string. */
  #isInString = false;
  #visits = 0;

  reset(): void {
    this.isKnown = true;
    this.isChanged = false;
    this.keys = 0;
    this.slots = '';
  }

  /**
   * The text of an object, escaped for the string that it becomes in the row; the empty text when
   * nothing is left of it.
   */
  textOf(object: Fields, shape: EventShape, isLeftOut?: IsLeftOut): string {
    this.#text = '';
    this.#pending = '';
    this.#isInString = false;
    this.#object(object, shape, '{', isLeftOut);
    return this.#text;
  }

  /** Notices when rows may not hold a type at a path yet. */
  expect(shape: EventShape | undefined, type: TypeMask): void {
    this.isKnown &&= shape !== undefined && (shape.node.settled & type) !== 0;
  }

  /** Writes what is left of an object, and says whether anything was. */
  #object(object: Fields, shape: EventShape, prefix: string, isLeftOut?: IsLeftOut): boolean {
    const pendingBefore = this.#pending;
    this.#pending += prefix;
    this.#visits++;
    const visit = this.#visits;
    let position = 0;
    let isFirst = true;
    for (const key in object) {
      this.keys++;
      const value = object[key];
      if (isLeftOut?.(key, value)) continue;
      if (value === undefined || value === '' || value === null) {
        this.isChanged = true;
        continue;
      }
      const member = memberAt(position, shape, key);
      if (member === undefined) {
        this.isKnown &&= isEmpty(value);
        this.isChanged = true;
        continue;
      }
      position++;
      // Which of two keys of one name wins is the normalizer's to say.
      this.isKnown &&= member.shape.lastVisit !== visit;
      member.shape.lastVisit = visit;
      if (this.#value(value, member, isFirst)) {
        isFirst = false;
        this.isChanged ||= member.isRenamed;
      } else {
        this.isChanged = true;
      }
    }
    if (isFirst) {
      this.#pending = pendingBefore;
      return false;
    }
    this.#close('}');
    this.#slot(shape.node.objectSlot, OBJECT_MARK);
    this.expect(shape, JsonType.object);
    return true;
  }

  /** Walks what events share once, and repeats what came of it. */
  #shared(object: Shared, member: Member, isFirst: boolean): boolean {
    const { shape } = member;
    const { text, slots, keys, isChanged, isKnown } = encodedOnce(object, shape, () =>
      this.#apart(object, shape),
    );
    this.keys += keys;
    this.isKnown &&= isKnown;
    this.isChanged ||= isChanged;
    if (text === '') return false;
    this.#flush();
    this.#text += this.#prefix(member, isFirst);
    this.#text += text;
    this.#isInString = false;
    this.slots += slots;
    return true;
  }

  #apart(object: Fields, shape: EventShape): EncodedObject {
    const values = new FastValueEncoder();
    values.hasPlainTexts = this.hasPlainTexts;
    // Visits are told apart by their numbers, which stay in the shapes.
    values.#visits = this.#visits;
    const text = values.textOf(object, shape);
    this.#visits = values.#visits;
    const { slots, keys, isChanged, isKnown } = values;
    return { shape, text, slots, keys, isChanged, isKnown };
  }

  #list(list: readonly unknown[], shape: EventShape, prefix: string): boolean {
    const { elements } = shape;
    const pendingBefore = this.#pending;
    this.#pending += prefix;
    let isFirst = true;
    for (const element of list) {
      if (elements !== undefined && this.#value(element, elements, isFirst)) {
        isFirst = false;
      } else {
        this.isKnown &&= elements !== undefined || isEmpty(element);
        this.isChanged = true;
      }
    }
    if (isFirst) {
      this.#pending = pendingBefore;
      return false;
    }
    this.#close(']');
    this.expect(shape, JsonType.list);
    return true;
  }

  #value(value: unknown, member: Member, isFirst: boolean): boolean {
    switch (typeof value) {
      case 'string':
        return value !== '' && this.#string(value, member, isFirst);
      case 'number':
        return this.#number(value, member, isFirst);
      case 'boolean': {
        const { booleanSlot } = member.shape.node;
        return this.#scalar(String(value), JsonType.bool, booleanSlot, member, isFirst);
      }
      case 'object':
        if (value === null) return false;
        if (Array.isArray(value)) {
          return this.#list(value, member.shape, `${this.#prefix(member, isFirst)}[`);
        }
        if (isRawNumber(value)) return this.#rawNumber(value, member, isFirst);
        if (value instanceof Shared) return this.#shared(value, member, isFirst);
        return this.#object(value as Fields, member.shape, `${this.#prefix(member, isFirst)}{`);
      default:
        return false;
    }
  }

  #string(value: string, { prefix, shape }: Member, isFirst: boolean): true {
    const isPlain = this.hasPlainTexts || isPlainText(value);
    this.#flush();
    if (isFirst) {
      this.#text += prefix.firstText;
    } else {
      this.#text += this.#isInString ? prefix.nextTextAfterText : prefix.nextText;
    }
    const { stringSlot } = shape.node;
    if (isPlain) {
      this.#text += value;
      this.#slot(stringSlot, value);
    } else {
      const { once, twice } = escaped(value);
      this.#text += twice;
      this.#slot(stringSlot, once);
    }
    this.#isInString = true;
    this.expect(shape, JsonType.string);
    return true;
  }

  #number(value: number, member: Member, isFirst: boolean): true {
    this.isKnown &&= Number.isFinite(value);
    const type = Number.isSafeInteger(value) ? JsonType.int : JsonType.float;
    return this.#scalar(String(value), type, member.shape.node.numberSlot, member, isFirst);
  }

  #rawNumber(value: RawNumber, member: Member, isFirst: boolean): true {
    const { rawJSON } = value;
    this.isKnown &&= Number.isFinite(Number(rawJSON));
    const type = fitsInt64(rawJSON) ? JsonType.int : JsonType.float;
    return this.#scalar(rawJSON, type, member.shape.node.numberSlot, member, isFirst);
  }

  #scalar(
    text: string,
    type: TypeMask,
    slot: number | undefined,
    member: Member,
    isFirst: boolean,
  ): true {
    this.#flush();
    this.#text += this.#prefix(member, isFirst);
    this.#text += text;
    this.#isInString = false;
    this.#slot(slot, text);
    this.expect(member.shape, type);
    return true;
  }

  /** What stands before a value that is no string. */
  #prefix({ prefix }: Member, isFirst: boolean): string {
    if (isFirst) return prefix.first;
    return this.#isInString ? prefix.nextAfterText : prefix.next;
  }

  /** @param text as between quotes in JSON. */
  #slot(slot: number | undefined, text: string): void {
    if (slot !== undefined) {
      this.slots += SLOT_OPENINGS[slot];
      this.slots += text;
    }
  }

  #flush(): void {
    if (this.#pending !== '') {
      this.#text += this.#pending;
      this.#pending = '';
    }
  }

  #close(bracket: string): void {
    this.#text += this.#isInString ? `\\"${bracket}` : bracket;
    this.#isInString = false;
  }
}

/** The end of the column before, and the beginning of a slot's text. */
const SLOT_OPENINGS = SLOT_COLUMNS.map(({ name }) => `","${name}":"`);

/** The member of a key that an object has at a position, among the keys that the schema knows. */
function memberAt(position: number, shape: EventShape, key: string): Member | undefined {
  const expected = shape.order[position];
  if (expected?.key === key) return expected;
  const member = shape.member(key);
  if (member !== undefined) shape.order[position] = member;
  return member;
}

/** A lone half of a surrogate pair, which only a pattern of code points can tell, and what JSON escapes. */
const SPECIAL = /["\\\p{Cc}\p{Cs}]/u;
const SPECIAL_BESIDE_QUOTES = /[\\\p{Cc}\p{Cs}]/u;

/** The same for any half: quicker, as patterns of code units are, and enough for texts without emoji. */
const CODE_UNITS = String.raw`\\\u0000-\u001f\u007f-\u009f\ud800-\udfff`;
const MAYBE_SPECIAL = new RegExp(`["${CODE_UNITS}]`);
const MAYBE_SPECIAL_BESIDE_QUOTES = new RegExp(`[${CODE_UNITS}]`);

/** Formats that keep a message twice give the very same string twice. */
let lastText = '';
let isLastPlain = true;

/** Whether the JSON text of a string is itself between quotes. */
export function isPlainText(text: string): boolean {
  if (text.length <= SHORT_STRING) return isPlainString(text);
  if (text !== lastText) {
    lastText = text;
    isLastPlain = !(MAYBE_SPECIAL.test(text) && SPECIAL.test(text));
  }
  return isLastPlain;
}

/** A text with quotes, backslashes or the like, as it is between quotes in JSON, and in JSON within JSON. */
function escaped(text: string): { once: string; twice: string } {
  if (!MAYBE_SPECIAL_BESIDE_QUOTES.test(text) || !SPECIAL_BESIDE_QUOTES.test(text)) {
    return { once: text.replaceAll('"', '\\"'), twice: text.replaceAll('"', '\\\\\\"') };
  }
  const once = JSON.stringify(text.toWellFormed()).slice(1, -1);
  return { once, twice: JSON.stringify(once).slice(1, -1) };
}
