import { isRawNumber } from '../../json.ts';

/** A scalar as text, as its JSON spells it; undefined for an object or a list. */
export function scalarText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return isRawNumber(value) ? value.rawJSON : undefined;
  }
}

/** The order of texts by code point, which is that of their UTF-8: below 0, 0 or above. */
export function compareTexts(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let index = 0; index < end; index++) {
    const difference = rank(a.charCodeAt(index)) - rank(b.charCodeAt(index));
    if (difference !== 0) {
      return difference;
    }
  }
  return a.length - b.length;
}

/** UTF-16 puts surrogates before U+E000, although what they spell comes after U+FFFF. */
function rank(unit: number): number {
  if (unit < 0xd800) {
    return unit;
  }
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
