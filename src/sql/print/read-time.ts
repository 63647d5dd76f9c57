/**
 * Times read from text, by the rules of `time.ts`. Neither engine's own cast does: a text with a zone's
 * name makes DuckDB read the texts behind it in that zone too, `infinity` and `epoch` are dates to it,
 * and an offset of more than 14 hours ends a whole query on Trino, even inside TRY.
 */
import { usFromCivil } from '../functions/civil.ts';
import { share } from '../functions/share.ts';
import type { SqlTarget } from '../output.ts';

const DATE = '[0-9]{4}-(?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12][0-9]|3[01])';
const TIME = '(?:[01]?[0-9]|2[0-3]):[0-5]?[0-9](?::[0-5]?[0-9](?:\\.[0-9]{1,6})?)?';
const OFFSET = '([+-](?:0?[0-9]|1[0-4]))(?::?([0-5][0-9]))?';
const ZONE = `[ \\t-\\r]*(?:(?i:Z|UTC|GMT)|(?i:UTC)?${OFFSET})`;

/** 1: the day, 2: the time of day with up to six digits behind the second. */
const CIVIL = `[ \\t-\\r]*(${DATE})(?:(?:[tT]|[ \\t-\\r]+)(${TIME})[0-9]{0,3})?`;
const whole = (pattern: string): string => `'^${pattern}[ \\t-\\r]*$'`;
const PATTERNS = {
  /** 3: hours and 4: minutes of the offset. */
  timestamp: whole(`${CIVIL}(?:${ZONE})?`),
  datetime: whole(CIVIL),
  date: whole(`[ \\t-\\r]*(${DATE})`),
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
  return share(target, text, 's', (s) => {
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
  if (type === 'date') {
    return `${cast}(${group(1)} AS DATE)`;
  }
  // Where there is no time of day, DuckDB gives '' and Trino NULL.
  const time = `COALESCE(NULLIF(${group(2)}, ''), '00:00')`;
  const precise = target === 'athena' ? 'TIMESTAMP(6)' : 'TIMESTAMP';
  const us = usFromCivil[target](`${cast}(${group(1)} || ' ' || ${time} AS ${precise})`);
  if (type === 'datetime') {
    return us;
  }
  const number = (n: number): string => `COALESCE(TRY_CAST(${group(n)} AS BIGINT), 0)`;
  const minutes = `CASE WHEN ${group(3)} LIKE '-%' THEN -${number(4)} ELSE ${number(4)} END`;
  return `(${us} - (${number(3)} * 60 + ${minutes}) * 60000000)`;
}
