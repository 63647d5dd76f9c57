/**
 * Numbers and booleans read from text, by BigQuery's rules: both engines take more than these by
 * themselves (`5f` is a number to Java, `yes` a boolean to DuckDB, `１` a digit to both), and each
 * something else.
 */
import type { SqlTarget } from '../common/result-schema.ts';
import type { TextContent } from '../ir/ir.ts';
import type { ReadableType } from '../ir/types.ts';

/**
 * What becomes of a text that says no such value: an error, NULL, or NULL with the simpler spellings
 * of JSON only.
 */
export type Reading = 'strict' | 'safe' | 'json';

const around = (core: string): string => `'^[ \\t-\\r]*(${core})[ \\t-\\r]*$'`;
const WHOLE = '[+-]?[0-9]+';
const HEX = '[+-]?0[xX][0-9a-fA-F]+';
const DECIMAL = '[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?';
const NO_NUMBER = '[+-]?(?i:inf(?:inity)?|nan)';

/** A text as INT64, FLOAT64 or BOOL, printed. */
export function readText(
  target: SqlTarget,
  text: string,
  type: ReadableType['kind'],
  reading: Reading,
): string {
  const cast = reading === 'strict' ? 'CAST' : 'TRY_CAST';
  switch (type) {
    case 'bool':
      return bool(text, reading);
    case 'int64': {
      const whole = `${cast}(${core(target, text, WHOLE, reading)} AS BIGINT)`;
      return reading === 'json'
        ? whole
        : `CASE WHEN ${matches(target, text, HEX)} THEN ${hex(target, text, cast)} ELSE ${whole} END`;
    }
    case 'float64': {
      const pattern = reading === 'json' ? DECIMAL : `${DECIMAL}|${NO_NUMBER}`;
      const found = core(target, text, pattern, reading);
      const spelled = target === 'duckdb' || reading === 'json' ? found : spelledForJava(found);
      return `${cast}(${spelled} AS DOUBLE)`;
    }
  }
}

/** What a JSON value says as INT64, FLOAT64 or BOOL, of the text that is known to hold such a value. */
export function readSlot(
  target: SqlTarget,
  text: string,
  type: ReadableType['kind'],
  holds: TextContent,
): string {
  // What JSON writes says no more than engines take for it; but DuckDB rounds `1.5` to an INT64.
  if (type === 'int64' && holds === 'integer') return `TRY_CAST(${text} AS BIGINT)`;
  if (type === 'float64' && (holds === 'integer' || holds === 'number')) {
    return `TRY_CAST(${text} AS DOUBLE)`;
  }
  return type === 'bool' && holds === 'boolean'
    ? `(${text} = 'true')`
    : readText(target, text, type, 'json');
}

/** The number alone. Where there is none, a text that no cast takes when that is to be an error. */
function core(target: SqlTarget, text: string, pattern: string, reading: Reading): string {
  const found = `REGEXP_EXTRACT(${text}, ${around(pattern)}, 1)`;
  // DuckDB gives an empty text where nothing matches, which is no number; Trino gives NULL.
  return target === 'athena' && reading === 'strict' ? `COALESCE(${found}, ${text} || '!')` : found;
}

function matches(target: SqlTarget, text: string, pattern: string): string {
  return `${target === 'athena' ? 'REGEXP_LIKE' : 'REGEXP_MATCHES'}(${text}, ${around(pattern)})`;
}

/** `-0x1F`: Trino reads digits of a base with their sign, DuckDB a prefix without one. */
function hex(target: SqlTarget, text: string, cast: string): string {
  if (target === 'athena') {
    const value = `FROM_BASE(REGEXP_REPLACE(${text}, '0[xX]|[ \\t-\\r]'), 16)`;
    return cast === 'CAST' ? value : `TRY(${value})`;
  }
  const digits = `REGEXP_EXTRACT(${text}, '0[xX][0-9a-fA-F]+')`;
  // Through larger types, for the least INT64 has no positive counterpart.
  return `${cast}((CASE WHEN CONTAINS(${text}, '-') THEN -1 ELSE 1 END) * CAST(${cast}(${digits} AS UBIGINT) AS HUGEINT) AS BIGINT)`;
}

function spelledForJava(text: string): string {
  return `REGEXP_REPLACE(REGEXP_REPLACE(${text}, '(?i)inf(inity)?', 'Infinity'), '(?i)nan', 'NaN')`;
}

function bool(text: string, reading: Reading): string {
  const otherwise = reading === 'strict' ? ` ELSE CAST(${text} || '!' AS BOOLEAN)` : '';
  return `CASE LOWER(${text}) WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE${otherwise} END`;
}
