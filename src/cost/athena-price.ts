/** What Athena bills a query: list price of us-east-1 as of 2026, the same in most regions. */

/** US dollars for 10^12 bytes that a query read. */
export const ATHENA_USD_PER_TB = 5;

/** A query that reads less is billed as if it had read this much. */
export const ATHENA_MIN_BYTES = 10_000_000;

/** What a query read is rounded up to a multiple of this. */
const ATHENA_UNIT_BYTES = 1_000_000;

/**
 * US dollars for one query that succeeded; one that failed costs nothing, and one that was cancelled
 * costs what it had read.
 *
 * @param bytesScanned as Athena reports them. None are billed for none: a result that Athena used again.
 */
export function athenaCostUsd(bytesScanned: number): number {
  if (bytesScanned <= 0) return 0;
  const units = Math.ceil(Math.max(bytesScanned, ATHENA_MIN_BYTES) / ATHENA_UNIT_BYTES);
  // One division of whole numbers, so that sums of costs show no digits of rounding.
  return (units * ATHENA_USD_PER_TB) / (1e12 / ATHENA_UNIT_BYTES);
}
