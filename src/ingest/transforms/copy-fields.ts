/** `transform_copy_fields`: lines `from:to` (Logflare 1.50). */

import { MAX_ROW_BYTES } from '../../lake/rows/event-sink.ts';
import { storedText } from '../../lake/rows/json-column.ts';
import { isRawNumber, MAX_JSON_DEPTH } from '../../platform/json/json.ts';
import { acceptedTime } from '../event/accepted-time.ts';
import { parseEventTimestamp } from '../event/parse-timestamp.ts';
import { EventRejected } from '../event/rejected-event.ts';
import { microseconds, type NormalizedEvent } from '../normalize/normalized-event.ts';
import { type FieldPath, parsePath, valueAt, withValue } from './field-path.ts';
import { linesOf } from './parse-lines.ts';

export interface Copy {
  readonly from: FieldPath;
  readonly to: FieldPath;
}

const MAX_COPIES = 100;
const MAX_PARTS = 20;

/** What a query can name; at ingest keys are renamed to such names. */
const NAME = /^\w{1,128}$/;

/** The copies in their order. Lines without a colon mean nothing. */
export function parseCopies(text: string): Copy[] {
  return linesOf(text).flatMap((line) => {
    const colon = line.indexOf(':');
    return colon === -1
      ? []
      : [{ from: parsePath(line.slice(0, colon)), to: parsePath(line.slice(colon + 1)) }];
  });
}

/** What is wrong with the setting, as its author is told. */
export function copyFaults(text: string): string[] {
  const copies = parseCopies(text);
  const faults = copies.flatMap(({ to }) =>
    to.length <= MAX_PARTS && to.every((name) => NAME.test(name))
      ? []
      : [
          `cannot copy to ${JSON.stringify(to.join('.'))}: a destination has up to ${MAX_PARTS} names of letters, digits and _, joined by dots`,
        ],
  );
  return copies.length > MAX_COPIES ? [`has more than ${MAX_COPIES} lines`] : faults;
}

/**
 * Copies one field after the other, so that a copy can be copied again. What is missing, or would go
 * into something that is no object, is passed over; so is what would be the timestamp and is no time.
 *
 * @param nowMs arrival, milliseconds since the epoch.
 * @throws EventRejected when the copies alone are more than a row can hold, or nest too deep, or when what
 *   becomes the timestamp lies out of time.
 */
export function copyFields(
  event: NormalizedEvent,
  copies: readonly Copy[],
  nowMs: number,
): NormalizedEvent {
  let { fields, time } = event;
  let room = MAX_ROW_BYTES;
  for (const { from, to } of copies) {
    const value = valueAt(fields, from);
    // Nothing stored is empty, but for a message that was sent so.
    if (value === undefined || value === '') continue;
    if (isTimestamp(to)) {
      time = acceptedTime(parseEventTimestamp(value) ?? time, nowMs);
      fields = { ...fields, timestamp: microseconds(time) };
      continue;
    }
    // Copies of copies double each time: their size is known before anything is made of them.
    room -= sizeOf(value, room, to.length);
    fields = withValue(fields, to, isText(to) ? storedText(value) : value) ?? fields;
  }
  return { time, fields };
}

function isTimestamp(path: FieldPath): boolean {
  return path[0] === 'timestamp' && path.length === 1;
}

function isText([name, ...rest]: FieldPath): boolean {
  return (name === 'id' || name === 'event_message') && rest.length === 0;
}

/**
 * The least number of bytes that a value takes as JSON.
 *
 * @throws EventRejected where it is more than `room`, or its levels pass the most there may be.
 */
function sizeOf(value: unknown, room: number, depth: number): number {
  let size = 1;
  if (typeof value === 'string') {
    size += value.length;
  } else if (typeof value === 'object' && value !== null && !isRawNumber(value)) {
    if (depth >= MAX_JSON_DEPTH) {
      throw new EventRejected(
        `nested deeper than ${MAX_JSON_DEPTH} levels once its fields are copied`,
      );
    }
    for (const [name, member] of Object.entries(value)) {
      size += Array.isArray(value) ? 0 : name.length;
      size += sizeOf(member, room - size, depth + 1);
    }
  }
  if (size > room) {
    throw new EventRejected(
      `takes more than ${MAX_ROW_BYTES} bytes to store once its fields are copied`,
    );
  }
  return size;
}
