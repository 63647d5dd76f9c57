/** Event time: what a `timestamp` field may look like, and what it means (Logflare 1.50). */
import { isRawNumber } from '../json.ts';
import type { EventTime } from '../lake/event-time.ts';

/** The instant that a `timestamp` field names, or undefined when it names none ("now" is meant). */
export function parseTimestamp(value: unknown): EventTime | undefined {
  switch (typeof value) {
    case 'number':
      return fromNumber(value);
    case 'string':
      return fromKnownDay(value) ?? fromIso(value);
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
  knownDay = text.slice(0, DAY_LENGTH);
  knownDayMs = date.getTime();
  const digits = fraction.slice(0, 6).padEnd(6, '0');
  const minutesUtc = hours * 60 + minutes - (sign === '-' ? -offset : offset);
  return {
    ms: date.getTime() + minutesUtc * 60_000 + seconds * 1000 + Number(digits.slice(0, 3)),
    us: Number(digits.slice(3)),
  };
}

/** Length of `YYYY-MM-DD`. */
const DAY_LENGTH = 10;
const ZERO = 0x30;
const POINT = 0x2e;
const END = 'Z';

/** The day that was read last. Most events are of one day, and finding a day costs most of all. */
let knownDay = '';
let knownDayMs = 0;

/**
 * The same for `YYYY-MM-DDTHH:MM:SS[.FFF]Z` on the day that was read last; undefined for all else,
 * which is not to say that it is no time.
 */
function fromKnownDay(text: string): EventTime | undefined {
  const { length } = text;
  if (length < 20 || !text.startsWith(knownDay) || knownDay === '' || !text.endsWith(END)) {
    return undefined;
  }
  const separator = text[DAY_LENGTH];
  const hours = twoDigits(text, 11);
  const minutes = twoDigits(text, 14);
  const seconds = twoDigits(text, 17);
  const isClock =
    (separator === 'T' || separator === ' ') &&
    text[13] === ':' &&
    text[16] === ':' &&
    hours <= 23 &&
    minutes <= 59 &&
    seconds <= 59;
  const fraction = length === 20 ? 0 : microseconds(text, 19, length - 1);
  if (!isClock || fraction === undefined) {
    return undefined;
  }
  const ms = Math.floor(fraction / 1000);
  return {
    ms: knownDayMs + (hours * 60 + minutes) * 60_000 + seconds * 1000 + ms,
    us: fraction - ms * 1000,
  };
}

/** NaN, which compares to nothing, where there are no two digits. */
function twoDigits(text: string, at: number): number {
  return digitAt(text, at) * 10 + digitAt(text, at + 1);
}

function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - ZERO;
  return digit >= 0 && digit <= 9 ? digit : Number.NaN;
}

/** What a point and digits say, cut after six of them; undefined where there is something else. */
function microseconds(text: string, start: number, end: number): number | undefined {
  if (text.charCodeAt(start) !== POINT || end === start + 1) {
    return undefined;
  }
  let total = 0;
  for (let place = 1; place <= 6 || start + place < end; place++) {
    const digit = start + place < end ? digitAt(text, start + place) : 0;
    if (Number.isNaN(digit)) {
      return undefined;
    }
    if (place <= 6) {
      total = total * 10 + digit;
    }
  }
  return total;
}
