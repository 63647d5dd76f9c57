/** Between these bounds a time has 16 digits in microseconds, and is read as such. */
const FIRST = 1_000_000_000_000_000_000n;
const LAST = 9_999_999_999_999_999_999n;

/**
 * The first time that is set, as an event's `timestamp` to the microsecond; undefined for none. A
 * number means what it means by its count of digits, so times before 2001 and after 2286 become text.
 *
 * @param unixNanos nanoseconds since the epoch; 0 where a time is not set.
 */
export function timestamp(...unixNanos: readonly bigint[]): number | string | undefined {
  const nanos = unixNanos.find((time) => time !== 0n);
  if (nanos === undefined) return undefined;
  if (nanos >= FIRST && nanos <= LAST) return Number(nanos / 1000n);
  const text = new Date(Number(nanos / 1_000_000n)).toISOString();
  const micros = String((nanos / 1000n) % 1000n).padStart(3, '0');
  return `${text.slice(0, -1)}${micros}Z`;
}
