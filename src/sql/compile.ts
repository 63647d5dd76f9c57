import { bindStatement, type StatementInput } from './bind/bind-statement.ts';
import type { OutputColumn, SqlTarget } from './common/result-schema.ts';
import { optimize } from './optimize/optimize.ts';
import { type LakeTables, readsCompacted } from './print/print-scan.ts';
import { printStatement } from './print/print-statement.ts';
import { outputColumns } from './print/result-encoding.ts';

export type { ParameterValue } from './bind/bind-statement.ts';
export type { Catalog, CatalogEndpoint, CatalogSource } from './common/catalog.ts';
export { freeNames, parameterNames, tableNames } from './names-in-query.ts';
export type { CompactedTable } from './print/print-scan.ts';

export interface CompileInput extends StatementInput, LakeTables {
  readonly target: SqlTarget;
}

export interface CompiledQuery {
  readonly text: string;
  readonly columns: readonly OutputColumn[];
  /** Sentences for the author, such as fields that no event has shown yet. */
  readonly warnings: readonly string[];
  /** Names of the sources that the statement reads. */
  readonly sources: readonly string[];
  /** What is read of them. */
  readonly scans: readonly Scan[];
}

/** One scan of the lake. */
export interface Scan {
  readonly source: string;
  /** Lake columns, in order of their names. */
  readonly columns: readonly string[];
  /** Event time from which on rows can matter, microseconds; null where there is no such bound. */
  readonly from_us: number | null;
  /** Event time before which rows can matter, likewise. */
  readonly to_us: number | null;
  /** Whether compacted data is read beside what landed last. */
  readonly compacted: boolean;
}

/**
 * Compiles BigQuery SQL to one statement for the target.
 *
 * @throws SqlError when the text does not parse, names what it may not, or uses what is not
 *   supported; the message says what, where, and what to write instead.
 */
export function compile(input: CompileInput): CompiledQuery {
  const { ir: bound, warnings } = bindStatement(input);
  const ir = optimize(bound);
  return {
    text: printStatement(ir, input.target, input),
    columns: outputColumns(ir.root),
    warnings,
    sources: [...new Set(ir.scans.map(({ source }) => source))],
    scans: ir.scans.map((scan) => ({
      source: scan.source,
      columns: [...(scan.columns ?? [])].sort(),
      from_us: finite(scan.times.from),
      to_us: finite(scan.times.before),
      compacted: readsCompacted(scan, input),
    })),
  };
}

/** Neither JSON nor a reader has a use for infinities. */
function finite(us: number): number | null {
  return Number.isFinite(us) ? us : null;
}
