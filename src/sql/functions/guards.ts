import { quoteText } from '../../sql-text.ts';

/**
 * Errors that BigQuery has and an engine lacks, made by a cast that fails. `TRY` (`SAFE.`) catches
 * that in both engines: Athena documents no function to fail with, and DuckDB's ERROR is volatile,
 * which its TRY refuses.
 */

/** An expression that fails when it is evaluated. */
export function failure(message: string, type: 'BIGINT' | 'DOUBLE'): string {
  return `CAST(${quoteText(message)} AS ${type})`;
}

/** An INT64 argument that must not be negative, printed. A literal needs no check. */
export function notNegative(count: string | undefined, what: string): string {
  return /^BIGINT '\d+'$/.test(count ?? '')
    ? `${count}`
    : `CASE WHEN ${count} < 0 THEN ${failure(`${what} is negative`, 'BIGINT')} ELSE ${count} END`;
}
