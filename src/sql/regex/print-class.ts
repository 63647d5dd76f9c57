import type { SqlTarget } from '../common/result-schema.ts';
import { type CodePoints, complement, MAX_CODE_POINT } from './code-points.ts';

const PLAIN = /^[\p{L}\p{N}\p{P}\p{S} ]$/u;

/** A character as it stands for itself outside of a class. */
export function characterText(code: number, target: SqlTarget): string {
  return escaped(code, target, /[\\^$.|?*+()[\]{}]/);
}

/** `[..]` with ranges, or `[^..]` where the set reaches to the end of Unicode. */
export function classText(set: CodePoints, target: SqlTarget): string {
  const negated = set.at(-1)?.[1] === MAX_CODE_POINT && complement(set).length > 0;
  const ranges = (negated ? complement(set) : set).map(([first, last]) => {
    const [from, to] = [inClass(first, target), inClass(last, target)];
    return last === first ? from : last === first + 1 ? `${from}${to}` : `${from}-${to}`;
  });
  return `[${negated ? '^' : ''}${ranges.join('')}]`;
}

/** Java's syntax has `&&` for an intersection, and a bracket for a class in a class. */
function inClass(code: number, target: SqlTarget): string {
  return escaped(code, target, /[\\^\]&[-]/);
}

/** Joni has no way to write a code point beyond 16 bits but the character itself. */
function escaped(code: number, target: SqlTarget, special: RegExp): string {
  const character = String.fromCodePoint(code);
  if (special.test(character)) return `\\${character}`;
  if (PLAIN.test(character) || (target === 'athena' && code > 0xffff)) return character;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return target === 'athena' ? `\\u${hex(code, 4)}` : `\\x{${hex(code, 1)}}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).toUpperCase().padStart(digits, '0');
}
