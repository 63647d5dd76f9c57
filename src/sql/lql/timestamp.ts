import { addMonths, parseTimestamp, truncate } from '../ir/time.ts';

/** An instant, or a range with both ends in it. Microseconds since the epoch. */
export type TimeValue =
  | { readonly kind: 'instant'; readonly us: bigint }
  | { readonly kind: 'range'; readonly low: bigint; readonly high: bigint }
  | { readonly kind: 'mixed' };

const SECOND = 1_000_000n;
const DAY = 86_400n * SECOND;

/** Microseconds in one unit of a unix time, by its number of digits: seconds, millis, micros. */
const UNIX_DIGITS: Readonly<Record<number, bigint>> = { 10: SECOND, 13: 1_000n, 16: 1n };

export const DATE_LITERAL =
  /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(?:Z|[+-]\d{2}:\d{2})?)?/y;

const ABSOLUTE = new RegExp(`^${DATE_LITERAL.source}$`);
const OFFSET = /T.*(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Reads the value of a timestamp filter, in UTC (Logflare 1.50): an ISO 8601 date or time, a unix
 * time of 10, 13 or 16 digits, `A..B`, a time with `{A..B}` for some of its numbers, or a label
 * relative to now (`today`, `last@5m`).
 *
 * @returns undefined when the text is none of these; `mixed` for a range with an offset on one end only.
 */
export function parseTimeValue(text: string, nowUs: bigint): TimeValue | undefined {
  const now = truncate(nowUs, 'SECOND') ?? nowUs;
  if (text.includes('{')) return parseBraces(text);
  const [first = '', second, ...more] = text.split('..');
  if (second === undefined) {
    const us = parseAbsolute(first);
    return us === undefined ? parseLabel(text, now) : { kind: 'instant', us };
  }
  const low = parseAbsolute(first);
  const high = parseAbsolute(second);
  if (low === undefined || high === undefined || more.length > 0) return undefined;
  const offsets = [first, second]
    .filter((end) => ABSOLUTE.test(end))
    .map((end) => OFFSET.test(end));
  return new Set(offsets).size > 1 ? { kind: 'mixed' } : { kind: 'range', low, high };
}

function parseAbsolute(text: string): bigint | undefined {
  const unit = /^\d+$/.test(text) ? UNIX_DIGITS[text.length] : undefined;
  if (unit !== undefined) return BigInt(text) * unit;
  return ABSOLUTE.test(text) ? parseTimestamp(text) : undefined;
}

const NUMBER = (digits: string): string => `(\\d{${digits}}|\\{\\d{1,4}\\.\\.\\d{1,4}\\})`;
const BRACES = new RegExp(
  `^${NUMBER('4')}-${NUMBER('2')}-${NUMBER('2')}` +
    `(?:T${NUMBER('2')}:${NUMBER('2')}:${NUMBER('2')}` +
    '(?:\\.(\\d{1,6}|\\{\\d{1,6}\\.\\.\\d{1,6}\\}))?(Z|[+-]\\d{2}:\\d{2})?)?$',
);

/** `2022-04-{07..09}T00:{00..40}:00`: all the low numbers to all the high ones. */
function parseBraces(text: string): TimeValue | undefined {
  const match = BRACES.exec(text);
  if (match === null) return undefined;
  const end = (index: 0 | 1): bigint | undefined => {
    const [year, month, day, hour, minute, second, fraction] = match
      .slice(1, 8)
      .map((part) => part?.replace(/[{}]/g, '').split('..')[part.includes('..') ? index : 0]);
    const two = (part = ''): string => part.padStart(2, '0');
    const date = `${(year ?? '').padStart(4, '0')}-${two(month)}-${two(day)}`;
    const time = `T${two(hour)}:${two(minute)}:${two(second)}.${(fraction ?? '').padEnd(6, '0')}`;
    return parseAbsolute(hour === undefined ? date : `${date}${time}${match[8] ?? ''}`);
  };
  const low = end(0);
  const high = end(1);
  return low === undefined || high === undefined ? undefined : { kind: 'range', low, high };
}

type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';
const LABEL =
  /^(?:(today|yesterday|now)|(this|last)@(\d{0,4})(?:(s|seconds?)|(m|minutes?)|(h|hours?)|(d|days?)|(w|weeks?)|(mm|months?)|(y|years?)))$/;
const UNITS: readonly Unit[] = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'];

function parseLabel(text: string, now: bigint): TimeValue | undefined {
  const match = LABEL.exec(text);
  if (match === null) return undefined;
  const [, name, window, count = '', ...units] = match;
  const today = truncate(now, 'DAY') ?? now;
  switch (name) {
    case 'now':
      return { kind: 'instant', us: now };
    case 'today':
      return { kind: 'range', low: today, high: today + DAY - SECOND };
    case 'yesterday':
      return { kind: 'range', low: today - DAY, high: today - SECOND };
  }
  const unit = UNITS[units.findIndex((written) => written !== undefined)] ?? 'second';
  if (window === 'this') {
    const start = truncate(now, unit === 'week' ? 'ISOWEEK' : unit.toUpperCase());
    return count !== '' || unit === 'second' || start === undefined
      ? undefined
      : { kind: 'range', low: start, high: now };
  }
  const low = before(now, count === '' ? 1n : BigInt(count), unit);
  return low === undefined ? undefined : { kind: 'range', low, high: now };
}

/** The start of `last@N<unit>`: now cut to the unit, weeks and longer to the day, minus N units. */
function before(now: bigint, count: bigint, unit: Unit): bigint | undefined {
  const day = truncate(now, 'DAY') ?? now;
  switch (unit) {
    case 'week':
      return day - 7n * count * DAY;
    case 'month':
      return addMonths(day, -count);
    case 'year':
      return addMonths(day, -12n * count);
    default: {
      const start = truncate(now, unit.toUpperCase()) ?? now;
      const length = { second: SECOND, minute: 60n * SECOND, hour: 3_600n * SECOND, day: DAY };
      return start - count * length[unit];
    }
  }
}
