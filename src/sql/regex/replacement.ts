import type { SqlTarget } from '../common/result-schema.ts';
import type { Refuse } from './reader.ts';

/** Text, or the number of a group; 0 is the whole match. */
export type ReplacementPart = string | number;

/**
 * Reads the replacement of REGEXP_REPLACE.
 *
 * @throws SqlError, made by `refuse`, for what BigQuery refuses: a backslash before anything but a
 * digit or a backslash, and a group that the pattern has not.
 */
export function parseReplacement(
  text: string,
  groups: number,
  refuse: Refuse,
): readonly ReplacementPart[] {
  const parts: ReplacementPart[] = [];
  for (const [written, escaped] of text.matchAll(/\\(.?)|[^\\]+/gsu)) {
    if (escaped === undefined || escaped === '\\') {
      parts.push(escaped ?? written);
    } else if (!/[0-9]/.test(escaped)) {
      throw refuse(
        `the replacement has a backslash before ${escaped === '' ? 'its end' : escaped}: write \\\\ for a backslash, \\0 for the match and \\1 to \\9 for groups; $ needs none`,
      );
    } else if (Number(escaped) > groups) {
      throw refuse(
        `the replacement asks for group ${escaped}, and the pattern has ${groups === 0 ? 'none' : groups}: put ( and ) around what \\${escaped} is to stand for`,
      );
    } else {
      parts.push(Number(escaped));
    }
  }
  return parts;
}

/** The replacement as an engine writes it: `\1` in DuckDB, `$1` in Athena. */
export function printReplacement(parts: readonly ReplacementPart[], target: SqlTarget): string {
  return parts
    .map((part, i) => {
      if (target === 'duckdb') {
        return typeof part === 'number' ? `\\${part}` : part.replaceAll('\\', '\\\\');
      }
      if (typeof part === 'number') return `$${part}`;
      const text = part.replaceAll(/[\\$]/g, '\\$&');
      // A digit would be read as one more of the group's number.
      return typeof parts[i - 1] === 'number' && /^[0-9]/.test(text) ? `\\${text}` : text;
    })
    .join('');
}
