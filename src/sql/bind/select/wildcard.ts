import type { SqlError } from '../../common/sql-error.ts';
import { type BindContext, fail } from '../context.ts';

const SHOWN_COLUMNS = 8;

/**
 * The refusal of `*`, and of a table's name used as a value, which reads as many columns. Begins as
 * Logflare's does, which clients look for.
 *
 * @param labels Columns that could be named instead.
 */
export function restrictedWildcard(
  at: number,
  labels: readonly string[],
  ctx: BindContext,
): SqlError {
  const more = labels.length > SHOWN_COLUMNS ? ', ...' : '';
  const message = `restricted wildcard (*) in a result column: this endpoint wants columns by name, here ${labels.slice(0, SHOWN_COLUMNS).join(', ')}${more}`;
  return fail(ctx, at, 'sql_wildcard', message);
}
