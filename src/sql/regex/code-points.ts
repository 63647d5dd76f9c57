/** First and last code point. */
export type CodePointRange = readonly [number, number];

/** Ranges in order, none touching another; surrogates count for nothing, as no text has them. */
export type CodePoints = readonly CodePointRange[];

export const MAX_CODE_POINT = 0x10ffff;
const SURROGATES: CodePointRange = [0xd800, 0xdfff];

/** All code points of ranges that may overlap, in any order. */
export function union(ranges: readonly CodePointRange[]): CodePoints {
  const merged: [number, number][] = [];
  for (const range of ranges.toSorted(([a], [b]) => a - b)) {
    const [first, last] = withoutSurrogates(range);
    const before = merged.at(-1);
    if (first > last) continue;
    if (before !== undefined && first <= following(before[1])) {
      before[1] = Math.max(before[1], last);
    } else {
      merged.push([first, last]);
    }
  }
  return merged;
}

export function complement(set: CodePoints): CodePoints {
  const gaps: CodePointRange[] = [];
  let next = 0;
  for (const [first, last] of set) {
    gaps.push([next, first - 1]);
    next = last + 1;
  }
  return union([...gaps, [next, MAX_CODE_POINT]]);
}

export function includes(set: CodePoints, code: number): boolean {
  return set.some(([first, last]) => first <= code && code <= last);
}

export function sameCodePoints(a: CodePoints, b: CodePoints): boolean {
  return (
    a.length === b.length &&
    a.every(([first, last], i) => {
      const other = b[i];
      return other !== undefined && other[0] === first && other[1] === last;
    })
  );
}

export const ANY: CodePoints = union([[0, MAX_CODE_POINT]]);
export const NOT_NEWLINE: CodePoints = complement(charactersOf('\n'));

/** `az09_`: pairs of a first and a last character; a single one is written twice. */
export function rangesOf(pairs: string): CodePoints {
  const codes = Array.from(pairs, codeOf);
  return union(
    codes.flatMap((first, i) => (i % 2 === 0 ? [[first, codes[i + 1] ?? first] as const] : [])),
  );
}

function charactersOf(text: string): CodePoints {
  return union(Array.from(text, (character) => [codeOf(character), codeOf(character)] as const));
}

/** The code point of a text of one character. */
export function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function withoutSurrogates([first, last]: CodePointRange): CodePointRange {
  const inside = (code: number): boolean => code >= SURROGATES[0] && code <= SURROGATES[1];
  return [inside(first) ? SURROGATES[1] + 1 : first, inside(last) ? SURROGATES[0] - 1 : last];
}

function following(code: number): number {
  return code + 1 === SURROGATES[0] ? SURROGATES[1] + 1 : code + 1;
}
