/** How large values may get that a short text asks for. Beyond, a query fails before it takes memory. */
import { failure, notNegative } from './runtime-errors.ts';

/**
 * Characters of a text that REPEAT, LPAD and RPAD make; BigQuery has 1 MB. DuckDB makes 2,048 of them at a
 * time on each core, and a query that takes too much memory can be ended only in between: this is 128 MiB.
 */
const MAX_TEXT = 65_536;

/** Elements that GENERATE_ARRAY and its kin make: those of Trino's SEQUENCE. */
export const MAX_ELEMENTS = 10_000;

/** An INT64 that is printed as `value`, or a failure where the text would be longer than allowed. */
export function textOfLength(length: string, value: string): string {
  return `CASE WHEN ${length} > ${MAX_TEXT} THEN ${TOO_LONG} ELSE ${value} END`;
}

/** The same where a text of so many characters is given already, and may become twice as long. */
export function textGrownFrom(given: string, length: string, value: string): string {
  return `CASE WHEN ${length} > GREATEST(${MAX_TEXT}, 2 * ${given}) THEN ${TOO_LONG} ELSE ${value} END`;
}

const TOO_LONG = failure('The text is longer than allowed', 'BIGINT');

/** A printed length of a text that is to be made: neither negative nor more than allowed. */
export function textLength(length: string): string {
  const literal = /^BIGINT '(\d+)'$/.exec(length)?.[1];
  return literal !== undefined && Number(literal) <= MAX_TEXT
    ? length
    : textOfLength(length, notNegative(length, 'The length'));
}

/** The last value of a range of INT64, or a failure where it would have too many elements. Printed for DuckDB. */
export function endOfRange(start: string, end: string, step: string): string {
  return elements(`(CAST(${end} AS HUGEINT) - ${start}) // ${step}`, end);
}

/** `value`, or a failure where a step less than the number of elements is too large. */
export function elements(steps: string, value: string): string {
  return `CASE WHEN ${steps} >= ${MAX_ELEMENTS} THEN ${failure(`The array has more than ${MAX_ELEMENTS} elements`, 'BIGINT')} ELSE ${value} END`;
}
