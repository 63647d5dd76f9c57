import { MAX_ROW_BYTES } from '../../lake/rows/event-sink.ts';
import { type LandingEvent, landingRow, type RowFrame } from '../../lake/rows/row.ts';
import type { InferredSchema } from '../../lake/schema/inferred-schema.ts';
import { isPlainObject } from '../../platform/json/json.ts';
import { EventRejected } from '../event/rejected-event.ts';

/** A source as rows are written to it. */
export interface Destination {
  readonly schema: InferredSchema;
  readonly frame: RowFrame;
}

/** The longest UTF-8 form of a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/** Whether a sink takes a row. */
export function fits(row: string): boolean {
  return (
    row.length * MAX_BYTES_PER_UNIT <= MAX_ROW_BYTES || Buffer.byteLength(row) <= MAX_ROW_BYTES
  );
}

/**
 * The row of an event. Where its long texts make it too large because they lie in slots as well, these slots
 * are abandoned, and the row may stay too large until that is saved.
 *
 * @throws EventRejected when a sink would not take it even so.
 */
export function boundedRow(event: LandingEvent, { schema, frame }: Destination): string {
  const row = landingRow(event, frame, schema.root);
  const { metadata, body } = event;
  const rest = isPlainObject(body?.value) ? body.value : {};
  if (!fits(row) && !schema.abandonTexts({ ...rest, metadata: metadata?.value })) {
    throw new EventRejected(
      `takes ${Buffer.byteLength(row)} bytes to store, and ${MAX_ROW_BYTES} is the most`,
    );
  }
  return row;
}
