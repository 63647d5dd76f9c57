import type { FieldPath } from './clause.ts';
import type { Scanner } from './scanner.ts';
import { name } from './syntax.ts';

export const PATH = /[A-Za-z._0-9]+/y;

/** Deeper than any real event; each part may cost a join. */
const MAX_PARTS = 20;

/**
 * Splits a dotted name that starts at `at`. A leading `m.` stands for `metadata.`; unlike upstream also
 * before a single letter, where Logflare would look for a column named `m`.
 *
 * @throws SqlError `lql_syntax` when a part is empty or there are too many.
 */
export function pathOf(reader: Scanner, text: string, at: number): FieldPath {
  const parts = [];
  let offset = at;
  for (const part of text.split('.')) {
    parts.push(name(part, offset));
    offset += part.length + 1;
  }
  const empty = parts.find((part) => part.text === '');
  if (empty !== undefined) {
    throw reader.fail('A name is missing here: names of a path are separated by one dot', empty.at);
  }
  if (parts.length > MAX_PARTS) throw reader.fail(`A path can have at most ${MAX_PARTS} names`, at);
  const [first, ...rest] = parts;
  if (first?.text === 'm' && rest.length > 0) {
    return { at, parts: [{ ...first, text: 'metadata' }, ...rest] };
  }
  return { at, parts };
}

/** A column of the table by its plain name. */
export function columnPath(field: string, at: number): FieldPath {
  return { at, parts: [name(field, at)] };
}

export function pathText(path: FieldPath): string {
  return path.parts.map((part) => part.text).join('.');
}

export const EVENT_MESSAGE = 'event_message';
export const PROJECT = 'project';
export const TIMESTAMP = 'timestamp';
