import { quoteText } from '../../../platform/sql-text.ts';

/**
 * Errors that BigQuery has and an engine lacks, made by a cast that fails. `TRY` (`SAFE.`) catches
 * that in both engines: Athena documents no function to fail with, and DuckDB's ERROR is volatile,
 * which its TRY refuses.
 */

/** An expression that fails when it is evaluated. */
export function failure(message: string, type: 'BIGINT' | 'DOUBLE'): string {
  return `CAST(${quoteText(message)} AS ${type})`;
}

/** A literal of INT64, printed, that is small enough for any argument of an engine. */
export function isSmallLiteral(count: string): boolean {
  return /^BIGINT '-?\d{1,9}'$/.test(count);
}

/**
 * An INT64 argument cut to a range, printed; NULL stays NULL, which DuckDB's LEAST and GREATEST would
 * leave out.
 */
export function clamped(count: string, least: number, most: number): string {
  return isSmallLiteral(count)
    ? String(Math.min(Math.max(Number(count.slice(8, -1)), least), most))
    : `CASE WHEN ${count} > ${most} THEN ${most} WHEN ${count} < ${least} THEN ${least} ELSE ${count} END`;
}

/** An INT64 argument that must not be negative, printed. A literal needs no check. */
export function notNegative(count: string | undefined, what: string): string {
  return /^BIGINT '\d+'$/.test(count ?? '')
    ? `${count}`
    : `CASE WHEN ${count} < 0 THEN ${failure(`${what} is negative`, 'BIGINT')} ELSE ${count} END`;
}
