/** When an event was, and which times are taken. */
import { MAX_FUTURE_US } from '../../lake/layout/columns.ts';
import { type EventTime, isAfter, isInRange } from '../../lake/rows/event-time.ts';
import type { Fields } from '../../platform/json/fields.ts';
import { fromMilliseconds, parseEventTimestamp } from './parse-timestamp.ts';
import { TimestampOutOfRange } from './rejected-event.ts';
import { spanStart } from './span-start.ts';
import { TimeOf, usualTime } from './usual-time.ts';

const MAX_FUTURE_MS = MAX_FUTURE_US / 1000;

/**
 * When an event was, by what it says, else `nowMs`.
 *
 * @throws EventRejected when that is not a time at which events are taken.
 */
export function timeOf(event: Fields, nowMs: number): EventTime {
  const { timestamp } = event;
  const isElsewhere = timestamp instanceof TimeOf;
  const fields = isElsewhere ? timestamp.fields : event;
  const said =
    parseEventTimestamp(fields.timestamp) ??
    usualTime(fields, nowMs + MAX_FUTURE_MS) ??
    parseEventTimestamp(isElsewhere ? timestamp.otherwise : undefined) ??
    spanStart(event);
  return acceptedTime(said ?? fromMilliseconds(nowMs), nowMs);
}

/**
 * The same instant.
 *
 * @throws EventRejected when it is not one at which events are taken.
 */
export function acceptedTime(time: EventTime, nowMs: number): EventTime {
  if (isAfter(time, nowMs + MAX_FUTURE_MS)) {
    throw new TimestampOutOfRange('timestamp is more than one hour in the future');
  }
  if (!isInRange(time)) throw new TimestampOutOfRange('timestamp is outside the years 1 to 9999');
  return time;
}
