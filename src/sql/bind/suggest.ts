import { nearest } from '../../platform/nearest.ts';
import type { SqlError } from '../common/sql-error.ts';
import { type BindContext, fail } from './context.ts';

/** The error of a table that is not there, in the words that Logflare's users know. */
export function unknownTable(name: string, at: number, ctx: BindContext): SqlError {
  const known = ctx.environment.cteNames();
  const near = nearest(name, known);
  const hint = near === undefined ? '' : `, did you mean ${near}?`;
  const message = ctx.environment.readsSources
    ? `can't find source ${name}${hint}`
    : `Table not found in CTE: (${name.split('.').join(', ')})${hint}${near === undefined && known.length > 0 ? `; available are ${known.slice(0, 20).join(', ')}` : ''}`;
  return fail(ctx, at, 'sql_unknown_table', message);
}
