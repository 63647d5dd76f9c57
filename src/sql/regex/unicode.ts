/**
 * Unicode's properties and case pairs, from the tables of the JavaScript engine. The printed patterns
 * spell the characters out, because the engines' own tables are of different years.
 */
import {
  ANY,
  type CodePointRange,
  type CodePoints,
  MAX_CODE_POINT,
  rangesOf,
  union,
} from './code-points.ts';
import { SCRIPTS } from './scripts.ts';

/** Surrogates are one block of this size, and no other block holds any. */
const BLOCK = 0x800;
const SURROGATES = 0xd800;
/** Planes in which Unicode has not assigned anything yet. */
const VACANT: CodePointRange = [0x40000, 0xdffff];
/** Letters with another case are in the first two planes. */
const LAST_CASED = 0x1ffff;

/** RE2's C lacks the code points that are not assigned, and it has no Cn. */
const OTHER = String.raw`\p{Cc}\p{Cf}\p{Co}`;
const CATEGORY = /^(?:C[cfos]|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;

const groups = new Map<string, CodePoints>();

/** The group that `\p{name}` means in RE2: a general category, a script by its long name, or `Any`. */
export function unicodeGroup(name: string): CodePoints | undefined {
  const members = membersOf(name);
  if (name === 'Any' || members === undefined) return name === 'Any' ? ANY : undefined;
  const known = groups.get(name) ?? matching(members);
  groups.set(name, known);
  return known;
}

function membersOf(name: string): string | undefined {
  if (name === 'C') return OTHER;
  if (CATEGORY.test(name)) return `\\p{${name}}`;
  return SCRIPTS.has(name) ? `\\p{Script=${name}}` : undefined;
}

/** Every assigned code point that a JavaScript class with these members holds. */
function matching(members: string, end = MAX_CODE_POINT): CodePoints {
  const runs = new RegExp(`[${members}]+`, 'gu');
  const ranges: CodePointRange[] = [];
  for (let start = 0; start <= end; start += BLOCK) {
    if (start === SURROGATES || (start >= VACANT[0] && start <= VACANT[1])) continue;
    const width = start > 0xffff ? 2 : 1;
    for (const { 0: run, index } of blockText(start).matchAll(runs)) {
      const first = start + index / width;
      ranges.push([first, first + run.length / width - 1]);
    }
  }
  return union(ranges);
}

function blockText(start: number): string {
  let text = '';
  for (let code = start; code < start + BLOCK; code += 1) text += String.fromCodePoint(code);
  return text;
}

/** ASCII's letters, and the two beyond that are other cases of them. */
const ASCII_CASED = `${textOf(rangesOf('AZaz'))}\u017F\u212A`;
let cased: string | undefined;

/** The set with all that differs from it only in case, by Unicode's simple case folding, as in RE2. */
export function foldCase(set: CodePoints): CodePoints {
  const letters = (set.at(-1)?.[1] ?? 0) < 0x80 ? ASCII_CASED : casedLetters();
  const members = set.map(([first, last]) => `\\u{${hex(first)}}-\\u{${hex(last)}}`).join('');
  const alike = letters.match(new RegExp(`[${members}]`, 'giu')) ?? [];
  return union([...set, ...alike.map((letter) => sole(letter.codePointAt(0) ?? 0))]);
}

function casedLetters(): string {
  const members = String.raw`\p{Changes_When_Casefolded}\p{Changes_When_Casemapped}`;
  cased ??= textOf(matching(members, LAST_CASED));
  return cased;
}

function textOf(set: CodePoints): string {
  return set
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i))
    .map((code) => String.fromCodePoint(code))
    .join('');
}

function sole(code: number): CodePointRange {
  return [code, code];
}

function hex(code: number): string {
  return code.toString(16);
}
