/** Longest text that is remembered, in bytes. */
const MAX_LENGTH = 40;
/** A power of two. Each may hold a text, so 40 KB at most. */
const PLACES = 1024;

/**
 * Texts out of UTF-8, of which short ones in ASCII are remembered: comparing one with bytes is
 * cheaper than making it, and V8 finds fields of an object sooner by a string that it knows.
 */
export class StringInternPool {
  readonly #texts: string[] = new Array(PLACES).fill('');

  /** The text of some bytes; what is not UTF-8 becomes U+FFFD. */
  at(bytes: Buffer, start: number, end: number): string {
    const length = end - start;
    if (length > MAX_LENGTH) return bytes.toString('utf8', start, end);
    let hash = length;
    let all = 0;
    for (let index = start; index < end; index++) {
      const byte = bytes[index] as number;
      hash = (Math.imul(hash, 31) + byte) | 0;
      all |= byte;
    }
    if (all >= 0x80) return bytes.toString('utf8', start, end);
    const place = (hash ^ (hash >>> 12)) & (PLACES - 1);
    const known = this.#texts[place] as string;
    if (isTextOf(known, bytes, start, length)) return known;
    const text = bytes.toString('latin1', start, end);
    this.#texts[place] = text;
    return text;
  }
}

function isTextOf(text: string, bytes: Buffer, start: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let index = 0; index < length; index++) {
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
}
