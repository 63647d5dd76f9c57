/** When an event was, where it says so under another name than `timestamp`. */

import { type EventTime, isAfter, isInRange } from '../../lake/rows/event-time.ts';
import type { Fields } from '../../platform/json/fields.ts';
import { isRawNumber } from '../../platform/json/json.ts';
import {
  fromFractionalMilliseconds,
  fromMicroseconds,
  fromSeconds,
  parseIso,
} from './parse-timestamp.ts';

/** Stands for the time that an object says, where the event holds that object as a part. */
export class TimeOf {
  readonly fields: Fields;
  /** A timestamp for an object that says none. */
  readonly otherwise: unknown;

  constructor(fields: Fields, otherwise?: unknown) {
    this.fields = fields;
    this.otherwise = otherwise;
  }
}

/**
 * What to give an event that holds an object as a part for its `timestamp`: the object's own one, or what stands
 * for those that it has under other names.
 */
export function timestampOf(fields: Fields): unknown {
  const { '@timestamp': logged, time, ts } = fields;
  const isElsewhere = logged !== undefined || time !== undefined || ts !== undefined;
  return isElsewhere ? new TimeOf(fields) : fields.timestamp;
}

/**
 * The first of `@timestamp` (Logstash, ECS), `time` (slog, logrus, zerolog, collectd) and `ts` (zap) that is
 * beyond doubt a time: an ISO text, or a number that lies between the year 2000 and `latestMs` in one of the usual
 * units. `"time": 12` is a duration.
 *
 * @param latestMs milliseconds since the epoch; a later one is a plan, and no time of an event.
 */
export function usualTime(fields: Fields, latestMs: number): EventTime | undefined {
  return (
    beyondDoubt(fields['@timestamp'], latestMs) ??
    beyondDoubt(fields.time, latestMs) ??
    beyondDoubt(fields.ts, latestMs)
  );
}

function beyondDoubt(value: unknown, latestMs: number): EventTime | undefined {
  const time = instantOf(value);
  return time !== undefined && isInRange(time) && !isAfter(time, latestMs) ? time : undefined;
}

function instantOf(value: unknown): EventTime | undefined {
  switch (typeof value) {
    case 'string':
      return parseIso(value);
    case 'number':
      return instantOfNumber(value);
    default:
      // Nanoseconds, whose last three digits a double would round.
      return isRawNumber(value)
        ? instantOfNumber(Number(value.rawJSON.slice(0, -3)) * 1000)
        : undefined;
  }
}

/** Seconds since the epoch at the beginning of the year 2000. */
const FIRST = 946_684_800;

/** Seconds, milliseconds, microseconds or nanoseconds; no number can be two of them within 900 years. */
function instantOfNumber(value: number): EventTime | undefined {
  if (value < FIRST) return undefined;
  if (value < FIRST * 1e3) return fromSeconds(value);
  if (value < FIRST * 1e6) return fromFractionalMilliseconds(value);
  return fromMicroseconds(value < FIRST * 1e9 ? Math.round(value) : Math.floor(value / 1000));
}
