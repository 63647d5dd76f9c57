import { SqlError } from '../../../sql/common/sql-error.ts';
import { parseMatcher } from '../../../sql/lql/match/matcher.ts';

/** Characters of a filter that every event of a source is tried on; a hundred of them fit one item. */
export const MAX_FILTER_LENGTH = 1_000;

/** Why events cannot be tried on an LQL text: what is wrong and where; undefined when they can. */
export function lqlFault(text: string): string | undefined {
  try {
    parseMatcher(text);
    return undefined;
  } catch (error) {
    if (error instanceof SqlError) return error.message;
    throw error;
  }
}
