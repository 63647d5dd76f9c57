/**
 * Whether JSON may hold an integer that a double cannot: a number of 16 digits that begins with 9,
 * or of more digits. Finding out must cost little, because parsing such JSON exactly takes five
 * times as long. Digits inside a string can give a false alarm.
 */

const UNSAFE_INTEGER = /(?:^|[\s:,[])-?(?:9\d{15}|\d{17})/;

export function textMayHoldUnsafeInteger(text: string): boolean {
  return UNSAFE_INTEGER.test(text);
}

/** Digits of 2^53 - 1. */
const SAFE_DIGITS = 16;
/** Every run of 16 digits covers a whole word among those that stand 12 bytes apart. */
const STRIDE_WORDS = 3;

/** The same for UTF-8, at a third of the cost of the regular expression. */
export function mayHoldUnsafeInteger(bytes: Uint8Array): boolean {
  // A shorter view may also end before the next whole word of its buffer begins.
  if (bytes.length < SAFE_DIGITS) return false;
  const offset = -bytes.byteOffset & 3;
  const words = new Uint32Array(
    bytes.buffer,
    bytes.byteOffset + offset,
    Math.max(0, bytes.length - offset) >> 2,
  );
  for (let index = 0; index < words.length; index += STRIDE_WORDS) {
    // The digits and six other characters share their high four bits.
    if (((words[index] ?? 0) & 0xf0f0f0f0) !== 0x30303030) continue;
    const probe = offset + index * 4;
    const start = startOfDigits(bytes, probe);
    const end = endOfDigits(bytes, probe);
    if (isUnsafeInteger(bytes, start, end)) return true;
    // A long run is looked at once: its last words are left for the step that follows.
    index = Math.max(index, ((end - offset) >> 2) - STRIDE_WORDS);
  }
  return false;
}

function startOfDigits(bytes: Uint8Array, from: number): number {
  let start = from;
  while (start > 0 && isDigit(bytes[start - 1])) start--;
  return start;
}

function endOfDigits(bytes: Uint8Array, from: number): number {
  let end = from;
  while (isDigit(bytes[end])) end++;
  return end;
}

/** Bytes that may stand before the digits of a number: space, tab, line ends, `,`, `-`, `:`, `[`. */
const BEFORE_NUMBER = new Set(Buffer.from(' \t\r\n,-:['));
const NINE = 0x39;

function isUnsafeInteger(bytes: Uint8Array, start: number, end: number): boolean {
  const digits = end - start;
  const before = bytes[start - 1];
  return (
    (digits > SAFE_DIGITS || (digits === SAFE_DIGITS && bytes[start] === NINE)) &&
    (before === undefined || BEFORE_NUMBER.has(before))
  );
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= NINE;
}
