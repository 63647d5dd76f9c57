import { MAX_ROW_BYTES } from '../ports.ts';
import { EventRefused } from './refused.ts';

/** The longest UTF-8 form of a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/** The row itself. @throws EventRefused when a sink would not take it. */
export function boundedRow(row: string): string {
  if (row.length * MAX_BYTES_PER_UNIT > MAX_ROW_BYTES) {
    const bytes = Buffer.byteLength(row);
    if (bytes > MAX_ROW_BYTES) {
      throw new EventRefused(`takes ${bytes} bytes to store, and ${MAX_ROW_BYTES} is the most`);
    }
  }
  return row;
}
