import { MAX_ROW_BYTES } from '../../../lake/rows/event-sink.ts';

/** The longest UTF-8 form of a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Refuses what would not be a line of the log. That a row is JSON is its encoder's to see to: parsing it
 * here again would cost more than anything else that is done with it.
 *
 * @throws TypeError: the caller broke the port's contract.
 */
export function assertRow(row: string): void {
  if (!row.startsWith('{"') || !row.endsWith('}') || row.includes('\n')) {
    throw new TypeError('a row is not one line of JSON object text');
  }
  if (row.length * MAX_BYTES_PER_UNIT > MAX_ROW_BYTES && Buffer.byteLength(row) > MAX_ROW_BYTES) {
    throw new TypeError(`a row is larger than ${MAX_ROW_BYTES} bytes`);
  }
}
