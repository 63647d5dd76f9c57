import type { PatternReader } from './reader.ts';

/** Options of a part of a pattern. */
export interface Flags {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
  readonly swapGreed: boolean;
}

export const NO_FLAGS: Flags = {
  ignoreCase: false,
  multiLine: false,
  dotAll: false,
  swapGreed: false,
};

const FLAGS: Readonly<Record<string, keyof Flags>> = {
  i: 'ignoreCase',
  m: 'multiLine',
  s: 'dotAll',
  U: 'swapGreed',
};

/** Letters, marks, digits and connectors. */
const NAME = /^[\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]+$/u;

export type GroupOpening =
  | { readonly kind: 'capture' }
  | { readonly kind: 'plain'; readonly flags: Flags }
  /** `(?i)`: no group, but options for the rest of the one around it. */
  | { readonly kind: 'flags'; readonly flags: Flags };

/** `(`, `(?:`, `(?i-s:`, `(?i)`, `(?P<name>` or `(?<name>`. */
export function parseOpening(reader: PatternReader, flags: Flags): GroupOpening {
  const start = reader.at;
  reader.take('(');
  if (!reader.take('?')) return { kind: 'capture' };
  const unsupported = OTHERS.find(([opening]) => reader.take(opening));
  if (unsupported !== undefined) throw reader.fail(start, unsupported[1]);
  if (reader.take('P<') || reader.take('<')) {
    const name = reader.takeUntil('>');
    if (name === undefined || !NAME.test(name)) {
      throw reader.fail(start, 'a group is named with letters, digits and _, as in (?P<name>..)');
    }
    return { kind: 'capture' };
  }
  return parseFlags(reader, start, flags);
}

function parseFlags(reader: PatternReader, start: number, before: Flags): GroupOpening {
  let flags = before;
  let negated = false;
  let any = false;
  for (;;) {
    const letter = reader.next();
    const flag = FLAGS[letter];
    if (flag !== undefined) {
      flags = { ...flags, [flag]: !negated };
      any = true;
    } else if (letter === '-' && !negated) {
      negated = true;
      any = false;
    } else if ((letter === ':' || letter === ')') && (any || !negated)) {
      return { kind: letter === ':' ? 'plain' : 'flags', flags };
    } else {
      throw reader.fail(
        start,
        'RE2 knows the groups (..), (?:..), (?P<name>..) and the options i, m, s, U, as in (?i) or (?s:..)',
      );
    }
  }
}

const LOOK =
  'RE2 cannot look ahead or behind: match what stands around the text too, and put a group (..) around the text';
const LOOK_NOT =
  'RE2 cannot look ahead or behind: write a second condition, AND NOT REGEXP_CONTAINS(..)';
const OTHERS: readonly (readonly [string, string])[] = [
  ['=', LOOK],
  ['!', LOOK_NOT],
  ['<=', LOOK],
  ['<!', LOOK_NOT],
  ['>', 'RE2 has no atomic groups, and no need of them: write (?:..)'],
  ['#', 'RE2 has no comments in patterns: leave it out'],
  ['P=', 'RE2 cannot refer back to a group: spell out what is to come again'],
  ['P>', 'RE2 has no recursion'],
  ["'", 'RE2 names a group (?P<name>..)'],
];
