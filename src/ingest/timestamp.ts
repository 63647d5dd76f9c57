/** Event time: what a `timestamp` field may look like, and what it means (Logflare 1.50). */
import { isRawNumber } from '../json.ts';
import type { EventTime } from '../lake/event-time.ts';

/** The instant that a `timestamp` field names, or undefined when it names none ("now" is meant). */
export function parseTimestamp(value: unknown): EventTime | undefined {
  switch (typeof value) {
    case 'number':
      return fromNumber(value);
    case 'string':
      return fromIso(value);
    default:
      return isRawNumber(value) ? fromDigits(value.rawJSON) : undefined;
  }
}

/** Milliseconds since the epoch as an instant. */
export function fromMilliseconds(ms: number): EventTime {
  return { ms, us: 0 };
}

function fromMicroseconds(total: number): EventTime {
  const ms = Math.floor(total / 1000);
  return { ms, us: total - ms * 1000 };
}

/**
 * The unit follows from the number of digits: 19 nanoseconds, 16 microseconds, 13 milliseconds,
 * 10 seconds, 7 thousands of seconds, any other count microseconds. Fractions are rounded first.
 */
function fromNumber(value: number): EventTime | undefined {
  const whole = value < 0 ? -Math.round(-value) : Math.round(value);
  if (whole < 0) {
    return undefined;
  }
  if (whole >= 1e18 && whole < 1e19) {
    return fromMicroseconds(Math.floor(whole / 1000));
  }
  if (whole >= 1e12 && whole < 1e13) {
    return fromMilliseconds(whole);
  }
  if (whole >= 1e9 && whole < 1e10) {
    return fromMilliseconds(whole * 1000);
  }
  if (whole >= 1e6 && whole < 1e7) {
    return fromMilliseconds(whole * 1_000_000);
  }
  return fromMicroseconds(whole);
}

/** The same for integers past 2^53, whose digits are known exactly. */
function fromDigits(digits: string): EventTime | undefined {
  if (digits.startsWith('-')) {
    return undefined;
  }
  return fromMicroseconds(Number(digits.length === 19 ? digits.slice(0, -3) : digits));
}

/** ISO 8601, extended format with an offset, as Elixir's Calendar.ISO reads it. */
const ISO =
  /^([+-]?\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/;

function fromIso(text: string): EventTime | undefined {
  const match = ISO.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] =
    match;
  const hours = Number(hour);
  const minutes = Number(minute);
  const seconds = Number(second);
  const offset = Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0);
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (
    // A day that its month lacks rolls over into the next month.
    date.getUTCDate() !== Number(day) ||
    date.getUTCMonth() !== Number(month) - 1 ||
    hours > 23 ||
    minutes > 59 ||
    seconds > 59 ||
    Number(offsetHour ?? 0) > 23 ||
    Number(offsetMinute ?? 0) > 59 ||
    // RFC 3339 4.3: "-00:00" says that the offset is unknown.
    (sign === '-' && offset === 0)
  ) {
    return undefined;
  }
  const digits = fraction.slice(0, 6).padEnd(6, '0');
  const minutesUtc = hours * 60 + minutes - (sign === '-' ? -offset : offset);
  return {
    ms: date.getTime() + minutesUtc * 60_000 + seconds * 1000 + Number(digits.slice(0, 3)),
    us: Number(digits.slice(3)),
  };
}
