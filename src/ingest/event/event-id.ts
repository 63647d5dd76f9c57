import { randomUUID } from 'node:crypto';

/**
 * The id of an event that came without one: a UUID of version 7 (RFC 9562 5.7) with the event's time, so
 * that ids of one time lie together in the lake. By the smallest and largest id of a file, and of a part
 * of one, engines then skip nearly all that cannot hold the id that a query asks for. With random ids
 * they would have to read those of every event.
 *
 * @param ms event time, milliseconds since the epoch; times before it count as it.
 */
export function newEventId(ms: number): string {
  const time = Math.max(ms, 0);
  const minute = Math.floor(time / 0x10000);
  if (minute !== lastMinute) {
    lastMinute = minute;
    minuteText = `${minute.toString(16).padStart(8, '0')}-`;
  }
  const rest = (0x10000 + (time % 0x10000)).toString(16).slice(1);
  // What is after the version is as random in version 4, and Node makes those in advance.
  return `${minuteText}${rest}-7${randomUUID().slice(15)}`;
}

/** The first 32 bits of a time stay the same for 65 seconds. */
let lastMinute = Number.NaN;
let minuteText = '';
