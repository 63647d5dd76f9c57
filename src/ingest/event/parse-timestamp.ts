/** Event time: what a `timestamp` field may look like, and what it means (Logflare 1.50). */

import type { EventTime } from '../../lake/rows/event-time.ts';
import { isRawNumber } from '../../platform/json/json.ts';

/** The instant that a `timestamp` field names, or undefined when it names none ("now" is meant). */
export function parseEventTimestamp(value: unknown): EventTime | undefined {
  switch (typeof value) {
    case 'number':
      return fromNumber(value);
    case 'string':
      return parseIso(value);
    default:
      return isRawNumber(value) ? fromDigits(value.rawJSON) : undefined;
  }
}

/** The instant that an ISO 8601 text names. */
export function parseIso(text: string): EventTime | undefined {
  return fromKnownDay(text) ?? fromIso(text);
}

/** Milliseconds since the epoch as an instant. */
export function fromMilliseconds(ms: number): EventTime {
  return { ms, us: 0 };
}

/** Microseconds since the epoch as an instant. */
export function fromMicroseconds(total: number): EventTime {
  const ms = Math.floor(total / 1000);
  return { ms, us: total - ms * 1000 };
}

/**
 * Seconds with a fraction, to the microsecond. Taking the whole part away is exact, and what is left is
 * within 0.12 microseconds of what was written, because a double has 22 bits for the fraction of a second
 * in this century.
 */
export function fromSeconds(value: number): EventTime {
  const seconds = Math.floor(value);
  const micros = Math.round((value - seconds) * 1e6);
  const ms = Math.floor(micros / 1000);
  return { ms: seconds * 1000 + ms, us: micros - ms * 1000 };
}

/** The same for milliseconds, of which a double has 12 bits. */
export function fromFractionalMilliseconds(value: number): EventTime {
  const ms = Math.floor(value);
  const us = Math.round((value - ms) * 1000);
  return us < 1000 ? { ms, us } : fromMilliseconds(ms + 1);
}

/**
 * The unit follows from the number of digits before the point: 19 nanoseconds, 16 microseconds, 13
 * milliseconds, 10 seconds, 7 thousands of seconds, any other count microseconds.
 */
function fromNumber(value: number): EventTime | undefined {
  if (value < -0.5) return undefined;
  if (value >= 1e18 && value < 1e19) return fromMicroseconds(Math.floor(value / 1000));
  if (value >= 1e12 && value < 1e13) return fromFractionalMilliseconds(value);
  if (value >= 1e9 && value < 1e10) return fromSeconds(value);
  if (value >= 1e6 && value < 1e7) return fromMilliseconds(Math.round(value) * 1_000_000);
  // Math.abs, since a rounded -0.4 is -0.
  return fromMicroseconds(Math.abs(Math.round(value)));
}

/** The same for integers past 2^53, whose digits are known exactly. */
function fromDigits(digits: string): EventTime | undefined {
  if (digits.startsWith('-')) return undefined;
  return fromMicroseconds(Number(digits.length === 19 ? digits.slice(0, -3) : digits));
}

/**
 * ISO 8601, extended format. A time without a zone is taken for UTC, which is what programs on servers mean by
 * it; so is `-00:00` (RFC 3339 4.3), and letters may be small (RFC 3339 5.6).
 */
const ISO =
  /^([+-]?\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)?$/;

function fromIso(text: string): EventTime | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
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
    Number(offsetMinute ?? 0) > 59
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
  if (!isClock || fraction === undefined) return undefined;
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
  if (text.charCodeAt(start) !== POINT || end === start + 1) return undefined;
  let total = 0;
  for (let place = 1; place <= 6 || start + place < end; place++) {
    const digit = start + place < end ? digitAt(text, start + place) : 0;
    if (Number.isNaN(digit)) return undefined;
    if (place <= 6) total = total * 10 + digit;
  }
  return total;
}
