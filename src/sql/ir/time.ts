/** Civil time as BigQuery reads and writes it, on bigint microseconds since the epoch. */
import { unknownZone, zoneNamed } from '../zones/named.ts';
import { instantIn, UTC, type Zone } from '../zones/zone.ts';

const SECOND = 1_000_000n;
export const DAY_US = 86_400n * SECOND;

/** 0001-01-01 00:00:00, the first TIMESTAMP and DATETIME of BigQuery. */
export const START_US = -62_135_596_800n * SECOND;
/** 9999-12-31 23:59:59.999999, the last one. */
export const LAST_US = 253_402_300_800n * SECOND - 1n;

/** Whether microseconds since the epoch are a time that BigQuery has. */
export function isTime(us: bigint): boolean {
  return us >= START_US && us <= LAST_US;
}

/** Length of the units that always have the same length, microseconds. */
export const FIXED_UNITS: Readonly<Record<string, bigint>> = {
  MICROSECOND: 1n,
  MILLISECOND: 1_000n,
  SECOND,
  MINUTE: 60n * SECOND,
  HOUR: 3_600n * SECOND,
  DAY: DAY_US,
};

/**
 * Distance from the start of a week to the epoch, a Thursday. BigQuery's WEEK starts on Sunday,
 * ISOWEEK on Monday.
 */
const WEEK_OFFSETS: Readonly<Record<string, bigint>> = {
  WEEK: 4n,
  'WEEK(SUNDAY)': 4n,
  'WEEK(MONDAY)': 3n,
  ISOWEEK: 3n,
  'WEEK(TUESDAY)': 2n,
  'WEEK(WEDNESDAY)': 1n,
  'WEEK(THURSDAY)': 0n,
  'WEEK(FRIDAY)': 6n,
  'WEEK(SATURDAY)': 5n,
};

/** Units that `..._TRUNC` can do with integer arithmetic: period and phase in microseconds. */
export function fixedPeriod(unit: string): { period: bigint; phase: bigint } | undefined {
  const fixed = Object.hasOwn(FIXED_UNITS, unit) ? FIXED_UNITS[unit] : undefined;
  if (fixed !== undefined) return { period: fixed, phase: 0n };
  const offset = Object.hasOwn(WEEK_OFFSETS, unit) ? WEEK_OFFSETS[unit] : undefined;
  return offset === undefined ? undefined : { period: 7n * DAY_US, phase: offset * DAY_US };
}

export const CALENDAR_UNITS = ['MONTH', 'QUARTER', 'YEAR'];

export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

/** Truncates to a unit; undefined for a unit that BigQuery does not have. */
export function truncate(us: bigint, unit: string): bigint | undefined {
  const fixed = fixedPeriod(unit);
  if (fixed !== undefined) {
    return floorDivide(us + fixed.phase, fixed.period) * fixed.period - fixed.phase;
  }
  const date = new Date(Number(floorDivide(us, 1_000n)));
  const month = {
    MONTH: date.getUTCMonth(),
    QUARTER: Math.floor(date.getUTCMonth() / 3) * 3,
    YEAR: 0,
  };
  if (unit !== 'MONTH' && unit !== 'QUARTER' && unit !== 'YEAR') return undefined;
  return civilToUs(date.getUTCFullYear(), month[unit] + 1, 1);
}

const CIVIL =
  /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[tT]|\s+)(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,9}))?)?)?(\s*.*?)\s*$/;

/**
 * Reads a timestamp literal: date, optional time with up to nine digits (those beyond six are cut),
 * optional `Z`, offset or name of a zone; without one it is a time of the default zone.
 */
export function parseTimestamp(text: string, defaultZone: Zone = UTC): bigint | undefined {
  const civil = parseCivil(text);
  if (civil === undefined) return undefined;
  const zone = civil.rest === '' ? defaultZone : zoneBehind(civil.rest);
  const us = zone === undefined ? undefined : instantIn(zone, civil.us);
  return us !== undefined && isTime(us) ? us : undefined;
}

/** Why a text is no timestamp, where it is for its zone. */
export function unknownZoneOf(text: string): string | undefined {
  const rest = parseCivil(text)?.rest ?? '';
  return /^\s+[A-Za-z]/.test(rest) && zoneBehind(rest) === undefined
    ? unknownZone(rest.trim())
    : undefined;
}

/** The zone behind a time. Only offsets and UTC may stand there without a blank before them. */
function zoneBehind(rest: string): Zone | undefined {
  if (/^\s*z$/i.test(rest)) return UTC;
  return /^(?:\s|[+-]|utc|gmt)/i.test(rest) ? zoneNamed(rest.trim()) : undefined;
}

/** Reads a datetime literal: as a timestamp, but without a zone. */
export function parseDatetime(text: string): bigint | undefined {
  const civil = parseCivil(text);
  return civil?.rest === '' ? civil.us : undefined;
}

/** Reads `YYYY-[M]M-[D]D`, giving it back with two digits each. */
export function parseDate(text: string): string | undefined {
  const match = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*$/.exec(text);
  const us = match === null ? undefined : parseDatetime(text);
  return us === undefined ? undefined : formatCivil(us).slice(0, 10);
}

function parseCivil(text: string): { us: bigint; rest: string } | undefined {
  const match = CIVIL.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (
    year === undefined ||
    month === undefined ||
    day === undefined ||
    hour === undefined ||
    minute === undefined ||
    second === undefined ||
    hour > 23 ||
    minute > 59 ||
    second > 59
  ) {
    return undefined;
  }
  const date = civilToUs(year, month, day);
  if (date === undefined) return undefined;
  const micros = BigInt((match[7] ?? '').slice(0, 6).padEnd(6, '0'));
  const time = BigInt(hour * 3600 + minute * 60 + second) * SECOND + micros;
  return { us: date + time, rest: (match[8] ?? '').trimEnd() };
}

function civilToUs(year: number, month: number, day: number): bigint | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists && year >= 1 ? BigInt(date.getTime()) * 1_000n : undefined;
}

/** `YYYY-MM-DD HH:MM:SS[.ffffff]`, without trailing zeros of the fraction in groups of three. */
export function formatCivil(us: bigint): string {
  const ms = floorDivide(us, 1_000n);
  const iso = new Date(Number(ms)).toISOString();
  const micros = Number(us - floorDivide(us, SECOND) * SECOND);
  const fraction = micros === 0 ? '' : `.${String(micros).padStart(6, '0').replace(/000$/, '')}`;
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction}`;
}

/**
 * The months of a date moved, the day kept where the target month has it, else its last day; undefined
 * outside of the years 1 to 9999.
 */
export function addMonths(us: bigint, months: bigint): bigint | undefined {
  const day = floorDivide(us, DAY_US);
  const date = new Date(Number(day * 86_400_000n));
  const index = BigInt(date.getUTCFullYear()) * 12n + BigInt(date.getUTCMonth()) + months;
  const year = Number(floorDivide(index, 12n));
  const month = Number(index - floorDivide(index, 12n) * 12n) + 1;
  if (year < 1 || year > 9999) return undefined;
  for (let d = date.getUTCDate(); d >= 28; d -= 1) {
    const moved = civilToUs(year, month, d);
    if (moved !== undefined) return moved + (us - day * DAY_US);
  }
  const moved = civilToUs(year, month, date.getUTCDate());
  return moved === undefined ? undefined : moved + (us - day * DAY_US);
}
