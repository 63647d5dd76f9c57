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

/** Microseconds since the epoch as the text of an exact JSON integer. */
export function microsecondsText({ ms, us }: EventTime): string {
  if (ms < 1000) {
    return String(BigInt(ms) * 1000n + BigInt(us));
  }
  // Printing two small integers takes a third of the time of printing one that is none.
  const seconds = Math.floor(ms / 1000);
  return `${seconds}${(1_000_000 + (ms - seconds * 1000) * 1000 + us).toString().slice(1)}`;
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
  const seconds = (100_000 + ms - minute * MINUTE_MS).toString();
  return `${lastMinuteText}${seconds.slice(1, 3)}.${seconds.slice(3)}`;
}
