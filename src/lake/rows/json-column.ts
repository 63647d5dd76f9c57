/** JSON text that every reader of the lake accepts. */

import { Fields } from '../../platform/json/fields.ts';
import { isRawNumber, stringifyJson } from '../../platform/json/json.ts';
import type { JsonColumn } from './row.ts';

/** How `JSON.stringify` begins the escape of a lone surrogate. */
const LONE_SURROGATE = '\\ud';

/**
 * A JSON value with its text. Lone surrogates become U+FFFD: they are not Unicode text, and DuckDB
 * refuses a whole file for one. Only a text that shows their escape is looked at more closely.
 */
export function jsonColumn(value: unknown): JsonColumn {
  const text = stringifyJson(value);
  if (!text.includes(LONE_SURROGATE)) return { value, text };
  const wellFormed = toWellFormed(value);
  return { value: wellFormed, text: stringifyJson(wellFormed) };
}

/** A string as it is, any other JSON value as JSON text. */
export function storedText(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : jsonColumn(value).text;
}

function toWellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  if (Array.isArray(value)) return value.map(toWellFormed);
  const fields = new Fields();
  for (const [key, member] of Object.entries(value)) {
    fields[key.toWellFormed()] = toWellFormed(member);
  }
  return fields;
}
