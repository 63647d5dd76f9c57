import { quoteText } from '../../../platform/sql-text.ts';
import type { SqlTarget } from '../../common/result-schema.ts';
import type { ScalarFunction } from '../../ir/function.ts';
import { inMinutes, isUtc, UTC, type Zone } from '../../zones/zone.ts';
import { letBinding, letBindings } from '../common/let-binding.ts';
import { civilFromUs, secondFraction, wholeSecond } from './civil.ts';
import { type FormatPart, formatParts } from './format-parts.ts';
import { offsetText } from './offset-text.ts';
import { offsetSql } from './zone-sql.ts';

/**
 * How a code is printed by `strftime` (DuckDB) and `date_format` (Trino). Their codes look alike and
 * differ where it hurts: Trino's `%M` is a month's name, its minutes are `%i`.
 */
const CODES: Readonly<Record<string, readonly [duckdb: string, athena: string]>> = {
  Y: ['%Y', '%Y'],
  E4Y: ['%Y', '%Y'],
  y: ['%y', '%y'],
  m: ['%m', '%m'],
  d: ['%d', '%d'],
  H: ['%H', '%H'],
  I: ['%I', '%h'],
  M: ['%M', '%i'],
  S: ['%S', '%s'],
  p: ['%p', '%p'],
  b: ['%b', '%b'],
  B: ['%B', '%M'],
  a: ['%a', '%a'],
  A: ['%A', '%W'],
  j: ['%j', '%j'],
};

/** A printed time that is to be formatted, both in microseconds. */
interface Moment {
  /** What clocks show. */
  readonly civil: string;
  readonly instant: string;
  /** By how much the two differ; undefined in UTC. */
  readonly offset: string | undefined;
}

/** Codes that need more than a code: text from microseconds. */
function special(code: string, moment: Moment, engine: SqlTarget): string | undefined {
  const us = moment.civil;
  const civil = civilFromUs[engine](wholeSecond(us));
  const whole = engine === 'athena' ? `DATE_FORMAT(${civil}, '%s')` : `STRFTIME(${civil}, '%S')`;
  const seconds = `(${whole} || '.' || ${secondFraction(us)})`;
  switch (code) {
    case 'E*S':
      // As many digits as it takes: zeros at the end are left out, and the point with the last one.
      return `REGEXP_REPLACE(REGEXP_REPLACE(${seconds}, '0+$', ''), '[.]$', '')`;
    case 'e':
      return `LPAD(CAST(DAY(${civil}) AS VARCHAR), 2, ' ')`;
    case 'Q':
      return `CAST(QUARTER(${civil}) AS VARCHAR)`;
    case 's':
      return `CAST(CAST(FLOOR(${moment.instant} / 1E6) AS BIGINT) AS VARCHAR)`;
    case 'Z':
    case 'z':
    case 'Ez':
      return offsetText(code, moment.offset, engine);
    default: {
      const digits = /^E(\d)S$/.exec(code)?.[1];
      if (digits === undefined) return undefined;
      return digits === '0'
        ? `SUBSTR(${seconds}, 1, 2)`
        : `RPAD(${seconds}, ${3 + Number(digits)}, '0')`;
    }
  }
}

/**
 * A function that writes microseconds in a BigQuery format, as clocks of a zone show them.
 *
 * @returns the function, or a sentence naming the code that is not supported.
 */
export function formatFunction(
  name: string,
  format: string,
  absent: RegExp | undefined,
  zone: Zone = UTC,
): ScalarFunction | string {
  const parts = formatParts(format, absent);
  if (parts === undefined) return 'The format ends in a lone %: write %% for a percent sign';
  for (const part of parts) {
    if (
      part.kind === 'code' &&
      !Object.hasOwn(CODES, part.code) &&
      special(part.code, { civil: '', instant: '', offset: undefined }, 'duckdb') === undefined
    ) {
      return `The format code %${part.code} is not supported`;
    }
  }
  const print = (us: string, engine: SqlTarget): string => {
    if (isUtc(zone)) return formatted(parts, { civil: us, instant: us, offset: undefined }, engine);
    const minutes = inMinutes(zone).instants;
    return letBinding(engine, us, 'u', (u) => {
      const civil = `(${u} + ${offsetSql(engine, minutes, u)})`;
      return letBindings(engine, [u, civil], ([instant = '', shown = '']) =>
        formatted(parts, { civil: shown, instant, offset: `(${shown} - ${instant})` }, engine),
      );
    });
  };
  return {
    name,
    athena: ([us]) => print(us ?? '', 'athena'),
    duckdb: ([us]) => print(us ?? '', 'duckdb'),
  };
}

function formatted(parts: readonly FormatPart[], moment: Moment, engine: SqlTarget): string {
  const pieces: string[] = [];
  let codes = '';
  let startsWithYear = false;
  const flush = (): void => {
    if (codes !== '') {
      const civil = civilFromUs[engine](wholeSecond(moment.civil));
      const text =
        engine === 'athena'
          ? `DATE_FORMAT(${civil}, ${quoteText(codes)})`
          : `STRFTIME(${civil}, ${quoteText(codes)})`;
      // BigQuery writes the year 100 with three digits.
      pieces.push(startsWithYear ? `TRIM(LEADING '0' FROM ${text})` : text);
      codes = '';
      startsWithYear = false;
    }
  };
  for (const part of parts) {
    if (part.kind === 'text') {
      flush();
      pieces.push(quoteText(part.text));
      continue;
    }
    const own = Object.hasOwn(CODES, part.code) ? CODES[part.code] : undefined;
    if (own === undefined) {
      flush();
      pieces.push(special(part.code, moment, engine) ?? '');
    } else {
      if (part.code === 'Y') {
        flush();
        startsWithYear = true;
      }
      codes += own[engine === 'duckdb' ? 0 : 1];
    }
  }
  flush();
  // Text alone would also be the answer for NULL.
  const text = pieces.length === 0 ? "''" : pieces.join(' || ');
  return `CASE WHEN ${moment.civil} IS NOT NULL THEN ${text} END`;
}
