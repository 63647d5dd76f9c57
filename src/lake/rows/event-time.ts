/** Event time as the landing table writes it. */

/**
 * An instant in two numbers, because microseconds before the year 1684 do not fit a double:
 * milliseconds since the epoch, and 0 to 999 microseconds after them.
 */
export interface EventTime {
  readonly ms: number;
  readonly us: number;
}

/** Years 1 to 9999: what the timestamps of BigQuery, Athena and DuckDB have in common. */
const MIN_MS = Date.parse('0001-01-01T00:00:00.000Z');
const MAX_MS = Date.parse('9999-12-31T23:59:59.999Z');

export function isInRange({ ms }: EventTime): boolean {
  return ms >= MIN_MS && ms <= MAX_MS;
}

export function isAfter({ ms, us }: EventTime, otherMs: number): boolean {
  return ms > otherMs || (ms === otherMs && us > 0);
}

/** Numbers below a thousand, as digits; printing numbers is slow. */
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const THREE_DIGITS = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));

/** Microseconds since the epoch as the text of an exact JSON integer. */
export function microsecondsText({ ms, us }: EventTime): string {
  if (ms < 1000) return String(BigInt(ms) * 1000n + BigInt(us));
  const seconds = Math.floor(ms / 1000);
  return `${seconds}${THREE_DIGITS[ms - seconds * 1000]}${THREE_DIGITS[us]}`;
}

const MINUTE_MS = 60_000;

/** The events of a batch mostly share a minute, and its text is what costs. */
let lastMinute = Number.NaN;
let lastMinuteText = '';

/**
 * `YYYY-MM-DD HH:MM:SS.mmm` in UTC, which every reader of the lake takes.
 *
 * @param ms milliseconds since the epoch, in range.
 */
export function timestampText(ms: number): string {
  const minute = Math.floor(ms / MINUTE_MS);
  if (minute !== lastMinute) {
    lastMinute = minute;
    lastMinuteText = new Date(ms).toISOString().slice(0, 17).replace('T', ' ');
  }
  const rest = ms - minute * MINUTE_MS;
  const seconds = Math.floor(rest / 1000);
  return `${lastMinuteText}${TWO_DIGITS[seconds]}.${THREE_DIGITS[rest - seconds * 1000]}`;
}
