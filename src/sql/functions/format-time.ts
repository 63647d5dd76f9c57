import { quoteText } from '../print/dialect.ts';
import { civilFromUs, secondFraction, wholeSecond } from './civil.ts';
import { formatParts } from './format-parts.ts';
import type { ScalarFunction } from './function.ts';

/**
 * How a code is printed by `strftime` (DuckDB) and `date_format` (Trino). Their codes look alike and
 * differ where it hurts: Trino's `%M` is a month's name, its minutes are `%i`.
 */
const CODES: Readonly<Record<string, readonly [duckdb: string, athena: string]>> = {
  Y: ['%Y', '%Y'],
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

/** Codes that need more than a code: text from microseconds. */
function special(code: string, us: string, engine: 'athena' | 'duckdb'): string | undefined {
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
      return engine === 'athena'
        ? `CAST(CAST(FLOOR(${us} / 1E6) AS BIGINT) AS VARCHAR)`
        : `CAST(CAST(FLOOR(${us} / 1e6) AS BIGINT) AS VARCHAR)`;
    case 'Z':
      return "'UTC'";
    case 'z':
      return "'+0000'";
    case 'Ez':
      return "'+00:00'";
    default: {
      const digits = /^E(\d)S$/.exec(code)?.[1];
      if (digits === undefined) {
        return undefined;
      }
      return digits === '0'
        ? `SUBSTR(${seconds}, 1, 2)`
        : `SUBSTR(${seconds}, 1, ${3 + Number(digits)})`;
    }
  }
}

/**
 * A function that writes microseconds in a BigQuery format.
 *
 * @returns the function, or a sentence naming the code that is not supported.
 */
export function formatFunction(name: string, format: string): ScalarFunction | string {
  const parts = formatParts(format);
  if (parts === undefined) {
    return 'The format ends in a lone %: write %% for a percent sign';
  }
  for (const part of parts) {
    if (
      part.kind === 'code' &&
      !Object.hasOwn(CODES, part.code) &&
      special(part.code, '', 'duckdb') === undefined
    ) {
      return `The format code %${part.code} is not supported`;
    }
  }
  const print = (us: string, engine: 'athena' | 'duckdb'): string => {
    const pieces: string[] = [];
    let codes = '';
    const flush = (): void => {
      if (codes !== '') {
        const civil = civilFromUs[engine](wholeSecond(us));
        pieces.push(
          engine === 'athena'
            ? `DATE_FORMAT(${civil}, ${quoteText(codes)})`
            : `STRFTIME(${civil}, ${quoteText(codes)})`,
        );
        codes = '';
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
        pieces.push(special(part.code, us, engine) ?? '');
      } else {
        codes += own[engine === 'duckdb' ? 0 : 1];
      }
    }
    flush();
    // Text alone would also be the answer for NULL.
    const text = pieces.length === 0 ? "''" : pieces.join(' || ');
    return `CASE WHEN ${us} IS NOT NULL THEN ${text} END`;
  };
  return {
    name,
    athena: ([us]) => print(us ?? '', 'athena'),
    duckdb: ([us]) => print(us ?? '', 'duckdb'),
  };
}
