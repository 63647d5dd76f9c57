/** The order of texts by code point, which is that of their UTF-8: below 0, 0 or above. */
export function compareTexts(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let index = 0; index < end; index++) {
    const difference = rank(a.charCodeAt(index)) - rank(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** UTF-16 puts surrogates before U+E000, although what they spell comes after U+FFFF. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
