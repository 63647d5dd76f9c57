/**
 * Errors that BigQuery has and an engine lacks. Trino has no function to fail with that Athena
 * documents, so there a cast fails, which `TRY` (`SAFE.`) catches.
 */
import type { SqlTarget } from '../output.ts';
import { quoteText } from '../print/dialect.ts';

/** An expression of a type (as the engine names it) that fails when it is evaluated. */
export function failure(engine: SqlTarget, message: string, type: 'BIGINT' | 'DOUBLE'): string {
  const text = quoteText(message);
  return engine === 'duckdb' ? `ERROR(${text})` : `CAST(${text} AS ${type})`;
}

/** An INT64 argument that must not be negative, printed. A literal needs no check. */
export function notNegative(engine: SqlTarget, count: string, what: string): string {
  return /^BIGINT '\d+'$/.test(count)
    ? count
    : `CASE WHEN ${count} < 0 THEN ${failure(engine, `${what} is negative`, 'BIGINT')} ELSE ${count} END`;
}
