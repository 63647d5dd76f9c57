import { type LandingEvent, landingRow, type RowFrame } from '../lake/row.ts';
import { MAX_ROW_BYTES } from '../ports.ts';
import { EventRefused } from './refused.ts';

/** The longest UTF-8 form of a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/** The row of an event. @throws EventRefused when a sink would not take it. */
export function boundedRow(event: LandingEvent, frame: RowFrame): string {
  const row = landingRow(event, frame);
  if (row.length * MAX_BYTES_PER_UNIT > MAX_ROW_BYTES) {
    const bytes = Buffer.byteLength(row);
    if (bytes > MAX_ROW_BYTES) {
      throw new EventRefused(`takes ${bytes} bytes to store, and ${MAX_ROW_BYTES} is the most`);
    }
  }
  return row;
}
