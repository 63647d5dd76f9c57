/** STRUCTURED-DATA of a syslog message (RFC 5424 6.3). */

import { Fields } from '../../../platform/json/fields.ts';

/** The SD-ID as `id`, beside it the parameters. */
export type SdElement = Readonly<Record<string, unknown>>;

export interface StructuredData {
  readonly elements: readonly SdElement[];
  /** Where the text goes on after it. */
  readonly end: number;
}

/** Elements of one message; what has more is read as plain text. */
const MAX_ELEMENTS = 1000;

/** Names, longer than the 32 characters of RFC 5424 if need be. Sticky: they are read where they stand. */
const SD_ID = /\[([^\s=\]"]{1,255})/y;
const PARAM_NAME = / ([^\s=\]"]{1,255})="/y;

/**
 * The structured data at an offset, up to the space or the end that has to follow it; undefined when
 * what is there is something else. Heroku sends no structured data, so a message that only looks
 * similar, such as `[info] Sent 200`, is text: an element without parameters needs an SD-ID with an
 * `@` in it, as RFC 5424 7 has it for all but three registered ones.
 */
export function readStructuredData(text: string, start: number): StructuredData | undefined {
  if (text[start] === '-') {
    return isEnd(text, start + 1) ? { elements: [], end: start + 1 } : undefined;
  }
  const elements: SdElement[] = [];
  let at = start;
  while (text[at] === '[' && elements.length < MAX_ELEMENTS) {
    const element = readElement(text, at);
    if (element === undefined) return undefined;
    elements.push(element.value);
    at = element.end;
  }
  return elements.length > 0 && isEnd(text, at) ? { elements, end: at } : undefined;
}

function isEnd(text: string, at: number): boolean {
  return at === text.length || text[at] === ' ';
}

interface Read<T> {
  readonly value: T;
  readonly end: number;
}

function readElement(text: string, start: number): Read<SdElement> | undefined {
  const id = match(SD_ID, text, start)?.[1];
  if (id === undefined) return undefined;
  const value = new Fields();
  let isEmpty = true;
  let at = start + 1 + id.length;
  for (;;) {
    const param = match(PARAM_NAME, text, at);
    if (param === null) break;
    const read = readValue(text, at + param[0].length);
    if (read === undefined) return undefined;
    value[param[1] ?? ''] = read.value;
    isEmpty = false;
    at = read.end;
  }
  if (text[at] !== ']' || (isEmpty && !id.includes('@'))) return undefined;
  value.id = id;
  return { value, end: at + 1 };
}

/** A value up to its closing quote. A backslash escapes `"`, `\` and `]`, else it is itself. */
function readValue(text: string, start: number): Read<string> | undefined {
  const end = text.indexOf('"', start);
  const upToQuote = text.slice(start, end);
  if (end !== -1 && !upToQuote.includes('\\')) return { value: upToQuote, end: end + 1 };
  let value = '';
  let from = start;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') return { value: value + text.slice(from, at), end: at + 1 };
    const next = text[at + 1];
    if (character === '\\' && (next === '"' || next === '\\' || next === ']')) {
      value += text.slice(from, at);
      at++;
      from = at;
    }
  }
  return undefined;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
