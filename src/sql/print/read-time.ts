/**
 * Times read from text, by the rules of `time.ts`. Neither engine's own cast does: a text with a zone's
 * name makes DuckDB read the texts behind it in that zone too, `infinity` and `epoch` are dates to it,
 * and an offset of more than 14 hours ends a whole query on Trino, even inside TRY.
 */

import type { SqlTarget } from '../common/result-schema.ts';
import { letBinding } from '../functions/common/let-binding.ts';
import { wholeUsFromCivil } from '../functions/time/civil.ts';

const YEAR = '(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])';
const DATE = `${YEAR}-(?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12][0-9]|3[01])`;
const MINUTE = '(?:[01]?[0-9]|2[0-3]):[0-5]?[0-9]';
const OFFSET = '([+-](?:0?[0-9]|1[0-4]))(?::?([0-5][0-9]))?';
const SPACE = '[ \\t-\\r]';

/** 1: the day; 2: hour and minute, or 3: the second too, with 4: up to six digits behind it. */
const CIVIL = `(${DATE})(?:(?:[tT]|${SPACE}+)(?:(${MINUTE})|(${MINUTE}:[0-5]?[0-9])(?:\\.([0-9]{1,6})[0-9]{0,3})?))?`;
/** 5: hours and 6: minutes of the offset. */
const ZONE = `${SPACE}*(?:(?i:Z|UTC|GMT)|(?i:UTC)?${OFFSET})`;

const whole = (pattern: string): string => `'^${SPACE}*${pattern}${SPACE}*$'`;
const PATTERNS = {
  timestamp: whole(`${CIVIL}(?:${ZONE})?`),
  datetime: whole(CIVIL),
  date: whole(`(${DATE})`),
};

/**
 * A text as a DATE, or as the microseconds of a TIMESTAMP or DATETIME, printed.
 *
 * @param safe NULL for what cannot be read; else that is an error.
 */
export function readTime(
  target: SqlTarget,
  text: string,
  type: keyof typeof PATTERNS,
  safe: boolean,
): string {
  return letBinding(target, text, 's', (s) => {
    const value = readMatch(target, s, type, safe);
    const matches = `${target === 'athena' ? 'REGEXP_LIKE' : 'REGEXP_MATCHES'}(${s}, ${PATTERNS[type]})`;
    const otherwise = safe ? '' : ` WHEN ${s} IS NOT NULL THEN ${unreadable(s, type)}`;
    return `CASE WHEN ${matches} THEN ${value}${otherwise} END`;
  });
}

/** A cast that fails with the text, or a part of it, in its message. */
function unreadable(text: string, type: keyof typeof PATTERNS): string {
  return `CAST('no time: ' || ${text} AS ${type === 'date' ? 'DATE' : 'BIGINT'})`;
}

/** Of a text that matches, in which only the day may be one that does not exist. */
function readMatch(
  target: SqlTarget,
  text: string,
  type: keyof typeof PATTERNS,
  safe: boolean,
): string {
  const cast = safe ? 'TRY_CAST' : 'CAST';
  const group = (n: number): string => `REGEXP_EXTRACT(${text}, ${PATTERNS[type]}, ${n})`;
  if (type === 'date') return `${cast}(${group(1)} AS DATE)`;
  // A group that took no part is '' in DuckDB and NULL in Trino.
  const given = (n: number): string => `NULLIF(${group(n)}, '')`;
  const time = `COALESCE(${given(2)}, ${given(3)}, '00:00')`;
  const precise = target === 'athena' ? 'TIMESTAMP(6)' : 'TIMESTAMP';
  const civil = `${cast}(${group(1)} || ' ' || ${time} AS ${precise})`;
  const micros = `CAST(RPAD(COALESCE(${group(4)}, ''), 6, '0') AS BIGINT)`;
  const us = `${wholeUsFromCivil[target](civil)} + ${micros}`;
  if (type === 'datetime') return `(${us})`;
  const number = (n: number): string => `COALESCE(CAST(${given(n)} AS BIGINT), 0)`;
  const minutes = `CASE WHEN ${group(5)} LIKE '-%' THEN -${number(6)} ELSE ${number(6)} END`;
  return `(${us} - (${number(5)} * 60 + ${minutes}) * 60000000)`;
}
