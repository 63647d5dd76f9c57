import { quoteText } from '../../../platform/sql-text.ts';
import { constant, isConst } from '../../ir/expr-builders.ts';
import type { ScalarFunction } from '../../ir/function.ts';
import type { Expr } from '../../ir/ir.ts';
import { formatCivil, parseTimestamp } from '../../ir/time.ts';
import { DATETIME, type SqlType, STRING } from '../../ir/types.ts';
import { isUtc, UTC, type Zone } from '../../zones/zone.ts';
import { formatParts } from './format-parts.ts';
import { withinYears } from './years.ts';
import { toInstant } from './zone-sql.ts';

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec';

/** Short or in full, in any case. */
const MONTH_NAME =
  '(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

/** What each code reads: a group of a regular expression, and the field of time it gives. */
const CODES: Readonly<Record<string, readonly [pattern: string, field: Field]>> = {
  Y: ['\\d{4}', 'year'],
  E4Y: ['\\d{4}', 'year'],
  m: ['\\d{1,2}', 'month'],
  d: ['\\d{1,2}', 'day'],
  e: ['\\s?\\d{1,2}', 'day'],
  H: ['\\d{1,2}', 'hour'],
  M: ['\\d{1,2}', 'minute'],
  S: ['\\d{1,2}', 'second'],
  'E*S': ['\\d{1,2}(?:\\.\\d+)?', 'second'],
  b: [MONTH_NAME, 'monthName'],
  B: [MONTH_NAME, 'monthName'],
  z: ['[+-]\\d{2}:?\\d{2}|Z', 'zone'],
  Ez: ['[+-]\\d{2}:?\\d{2}|Z', 'zone'],
  Z: ['UTC|GMT', 'zone'],
};

type Field = 'year' | 'month' | 'monthName' | 'day' | 'hour' | 'minute' | 'second' | 'zone';

interface Plan {
  readonly pattern: string;
  /** Group number by field. */
  readonly groups: ReadonlyMap<Field, number>;
}

/** Seconds with no more digits behind the point. */
function secondsWith(digits: string): readonly [pattern: string, field: Field] {
  return [digits === '0' ? '\\d{1,2}' : `\\d{1,2}(?:\\.\\d{0,${digits}})?`, 'second'];
}

/** A format as one regular expression; a sentence when it has a code that cannot be read. */
function planOf(format: string): Plan | string {
  const groups = new Map<Field, number>();
  let pattern = '^\\s*';
  for (const part of formatParts(format) ?? []) {
    if (part.kind === 'text') {
      pattern += part.text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/\s+/g, '\\s*');
      continue;
    }
    const digits = /^E(\d)S$/.exec(part.code)?.[1];
    const known =
      digits !== undefined
        ? secondsWith(digits)
        : Object.hasOwn(CODES, part.code)
          ? CODES[part.code]
          : undefined;
    if (known === undefined) return `The format code %${part.code} cannot be parsed here`;
    const [text, field] = known;
    if (groups.has(field)) return `The format reads the ${field} twice`;
    groups.set(field, groups.size + 1);
    pattern += `(${text})`;
  }
  return { pattern: `${pattern}\\s*$`, groups };
}

/**
 * Binds PARSE_TIMESTAMP and its kin: the text is taken apart by one regular expression, put together
 * as ISO text, and cast, so that both engines read it alike. Fields that the format lacks are those of
 * 1970-01-01 00:00:00; without an offset it is a time of the zone.
 *
 * @returns the parsed value, or a sentence saying why there is none.
 */
export function parseWithFormat(
  name: string,
  format: string,
  text: Expr,
  type: SqlType,
  zone: Zone = UTC,
): Expr | string {
  const plan = planOf(format);
  if (typeof plan === 'string') return plan;
  if (isConst(text)) {
    return (
      foldParse(plan, text.value, type, zone) ?? `The text does not match the format ${format}`
    );
  }
  const fn: ScalarFunction = {
    name,
    athena: ([value = '']) => isoText(plan, value, 'REGEXP_LIKE'),
    duckdb: ([value = '']) => isoText(plan, value, 'REGEXP_MATCHES'),
  };
  const iso: Expr = { op: 'call', type: STRING, fn, args: [text] };
  if (type.kind === 'date') {
    // The text has a time, which no text of a DATE may have.
    const day: Expr = { op: 'cast', type: DATETIME, arg: iso, safe: false };
    return { op: 'cast', type, arg: day, safe: false };
  }
  const read: Expr = { op: 'cast', type, arg: iso, safe: false };
  if (plan.groups.has('zone')) return withinYears(read);
  return isUtc(zone)
    ? read
    : withinYears(toInstant({ op: 'cast', type: DATETIME, arg: read, safe: false }, zone));
}

function foldParse(plan: Plan, value: unknown, type: SqlType, zone: Zone): Expr | undefined {
  if (value === null) return constant(type, null);
  const match = typeof value === 'string' ? new RegExp(plan.pattern).exec(value) : null;
  if (match === null) return undefined;
  const part = (field: Field): string | undefined => {
    const group = plan.groups.get(field);
    return group === undefined ? undefined : match[group]?.trim();
  };
  const name = part('monthName')?.slice(0, 3).toLowerCase();
  const month = name === undefined ? (part('month') ?? '1') : String(MONTHS.indexOf(name) / 3 + 1);
  const iso = `${part('year') ?? '1970'}-${month}-${part('day') ?? '1'} ${part('hour') ?? '0'}:${part('minute') ?? '0'}:${part('second') ?? '0'}${part('zone') ?? ''}`;
  const us = parseTimestamp(iso, zone);
  if (us === undefined) return undefined;
  return constant(type, type.kind === 'date' ? formatCivil(us).slice(0, 10) : us);
}

/** The text as ISO text; what does not match becomes a text that is no time. */
function isoText(plan: Plan, value: string, matches: string): string {
  const pattern = quoteText(plan.pattern);
  const part = (field: Field): string | undefined => {
    const group = plan.groups.get(field);
    return group === undefined ? undefined : `REGEXP_EXTRACT(${value}, ${pattern}, ${group})`;
  };
  const two = (field: Field, missing: string): string => {
    const text = part(field);
    return text === undefined ? quoteText(missing) : `LPAD(TRIM(${text}), 2, '0')`;
  };
  const named = part('monthName');
  const month =
    named === undefined
      ? two('month', '01')
      : `LPAD(CAST(CAST((STRPOS(${quoteText(MONTHS)}, LOWER(SUBSTR(${named}, 1, 3))) + 2) / 3 AS BIGINT) AS VARCHAR), 2, '0')`;
  const seconds = part('second');
  const second =
    seconds === undefined
      ? "'00'"
      : `CASE WHEN REGEXP_EXTRACT(${seconds}, '^[0-9]([.]|$)', 0) <> '' THEN '0' || ${seconds} ELSE ${seconds} END`;
  const zone = part('zone') ?? "''";
  const year = part('year') ?? "'1970'";
  const iso = `${year} || '-' || ${month} || '-' || ${two('day', '01')} || ' ' || ${two('hour', '00')} || ':' || ${two('minute', '00')} || ':' || ${second} || ${zone}`;
  return `CASE WHEN ${matches}(${value}, ${pattern}) THEN ${iso} ELSE 'no time: ' || ${value} END`;
}
