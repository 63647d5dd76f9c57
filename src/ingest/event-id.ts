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
  const time = Math.max(ms, 0).toString(16).padStart(12, '0');
  // What is after the version is as random in version 4, and Node makes those in advance.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
