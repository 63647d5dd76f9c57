import type { SqlTarget } from '../common/result-schema.ts';
import type { Ir } from '../ir/ir.ts';
import { ATHENA } from './athena.ts';
import { DUCKDB } from './duckdb.ts';
import { QueryPrinter } from './print-query.ts';
import type { LakeTables } from './print-scan.ts';
import { encodeOutput } from './result-encoding.ts';
import { checkStatement } from './text-budget.ts';

/**
 * Prints a statement as it stands.
 *
 * @throws SqlError `sql_too_large` for one that is longer than the engine takes.
 */
export function printStatement(
  { root, ctes, scans }: Ir,
  target: SqlTarget,
  lake: LakeTables,
): string {
  const dialect = target === 'athena' ? ATHENA : DUCKDB;
  const printer = new QueryPrinter({ dialect, lake, scans });
  const named = ctes.map(({ name, query }) => `${name} AS (${printer.query(query)})`);
  const main = printer.query(root, encodeOutput);
  return checkStatement(named.length === 0 ? main : `WITH ${named.join(', ')} ${main}`, target);
}
