/** Where one syslog message ends and the next begins (RFC 6587 3.4). */

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;
const LESS_THAN = 0x3c;

/** Digits of a count; no body is as long as one more digit says. */
const MAX_COUNT_DIGITS = 8;

/**
 * Calls `take` with the messages of a body, in order, as offsets of their bytes; both framings may be mixed.
 *
 * - Octet counting: `LENGTH SP <PRI>...`, the length in bytes of UTF-8. The message may hold line ends.
 * - Otherwise a message is a line. So is one whose count is wrong, that is, one that does not end
 *   where the body ends, at a line end, or where another message begins.
 *
 * Empty lines are nothing. Takes time in proportion to the body.
 */
export function eachFrame(body: Uint8Array, take: (start: number, end: number) => void): void {
  let at = hasByteOrderMark(body) ? 3 : 0;
  while (at < body.length) {
    const byte = body[at];
    if (byte === LF || byte === CR || byte === SPACE) {
      at++;
      continue;
    }
    const start = afterCount(body, at);
    const counted = start === undefined ? undefined : start + countAt(body, at);
    if (start !== undefined && counted !== undefined && isBoundary(body, counted)) {
      take(start, counted);
      at = counted;
    } else {
      const lineEnd = body.indexOf(LF, at);
      const end = lineEnd === -1 ? body.length : lineEnd;
      take(start ?? at, end);
      at = end;
    }
  }
}

/** Where the message begins whose count is at an offset; undefined if no counted message is there. */
function afterCount(body: Uint8Array, at: number): number | undefined {
  let index = at;
  while (index - at < MAX_COUNT_DIGITS && isDigit(body[index])) index++;
  return index > at && body[index] === SPACE && body[index + 1] === LESS_THAN
    ? index + 1
    : undefined;
}

function countAt(body: Uint8Array, at: number): number {
  let count = 0;
  for (let index = at; isDigit(body[index]); index++) {
    count = count * 10 + (body[index] ?? ZERO) - ZERO;
  }
  return count;
}

function isBoundary(body: Uint8Array, end: number): boolean {
  return (
    end === body.length ||
    (end < body.length &&
      (body[end - 1] === LF ||
        body[end] === LF ||
        body[end] === CR ||
        afterCount(body, end) !== undefined))
  );
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function hasByteOrderMark(body: Uint8Array): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}
