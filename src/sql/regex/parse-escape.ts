import { type CodePoints, codeOf, MAX_CODE_POINT } from './code-points.ts';
import { PERL_CLASSES } from './named-classes.ts';
import type { PatternReader } from './reader.ts';
import { unicodeGroup } from './unicode.ts';

/** A set, or all but the set. */
export interface Member {
  readonly set: CodePoints;
  readonly negated: boolean;
}

const CONTROL: Readonly<Record<string, string>> = {
  a: '\x07',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** `\d`, `\W`, `\pL`, `\P{Greek}` ... if one comes next. */
export function parseClassEscape(reader: PatternReader): Member | undefined {
  const start = reader.at;
  if (reader.peek() !== '\\') return undefined;
  const letter = reader.peek(1);
  if (letter === 'p' || letter === 'P') {
    reader.take(`\\${letter}`);
    return unicodeMember(reader, start, letter === 'P');
  }
  const set = PERL_CLASSES[letter.toLowerCase()];
  if (set === undefined) return undefined;
  reader.take(`\\${letter}`);
  return { set, negated: letter !== letter.toLowerCase() };
}

function unicodeMember(reader: PatternReader, start: number, negated: boolean): Member {
  const name = reader.take('{') ? reader.takeUntil('}') : reader.next();
  if (name === undefined || name === '') {
    throw reader.fail(start, 'the name of a Unicode group follows, as in \\pL or \\p{Greek}');
  }
  const turned = name.startsWith('^');
  const set = unicodeGroup(turned ? name.slice(1) : name);
  if (set === undefined) {
    throw reader.fail(
      start,
      `RE2 knows no such Unicode group: write a general category such as \\p{Lu} or a script such as \\p{Greek}`,
    );
  }
  return { set, negated: negated !== turned };
}

/** A backslash and what it stands for: one code point. */
export function parseEscape(reader: PatternReader): number {
  const start = reader.at;
  reader.take('\\');
  if (reader.atEnd) {
    throw reader.fail(start, 'nothing follows the backslash: write \\\\ for a backslash');
  }
  const character = reader.next();
  const control = CONTROL[character];
  if (control !== undefined) return codeOf(control);
  if (character === 'x') return hexadecimal(reader, start);
  if (/[0-7]/.test(character)) return octal(reader, start, character);
  if (/[89A-Za-z]/.test(character) || codeOf(character) > 0x7f) {
    throw reader.fail(start, unknownEscape(character));
  }
  return codeOf(character);
}

function octal(reader: PatternReader, start: number, first: string): number {
  let digits = first;
  while (digits.length < 3 && /[0-7]/.test(reader.peek())) digits += reader.next();
  if (digits.length === 1 && first !== '0') throw reader.fail(start, unknownEscape(first));
  return Number.parseInt(digits, 8);
}

function hexadecimal(reader: PatternReader, start: number): number {
  const braced = reader.take('{');
  const digits = braced ? reader.takeUntil('}') : reader.next() + reader.next();
  const code = Number.parseInt(digits ?? '', 16);
  const written = braced ? /^[0-9A-Fa-f]+$/ : /^[0-9A-Fa-f]{2}$/;
  if (!written.test(digits ?? '') || code > MAX_CODE_POINT) {
    throw reader.fail(start, 'a code point is written \\x7F or \\x{10FFFF}');
  }
  return code;
}

function unknownEscape(character: string): string {
  if (/[1-9]/.test(character)) {
    return 'RE2 cannot refer back to a group: spell out what is to come again';
  }
  const instead: Readonly<Record<string, string>> = {
    Z: 'write \\z, or \\n?\\z for an end with or without a line break',
    h: 'write [\\t ]',
    R: 'write \\r?\\n',
    G: 'RE2 has no such anchor',
    u: 'write \\x{20AC}',
    e: 'write \\x1B',
    k: 'RE2 cannot refer back to a group',
    K: 'RE2 cannot set the start of a match: use a group',
    E: 'there is no \\Q before it',
    b: 'write \\x08 for a backspace',
  };
  return `RE2 has no escape \\${character}: ${instead[character] ?? 'leave out the backslash, or write \\\\ for one'}`;
}
