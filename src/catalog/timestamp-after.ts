import type { Clock } from '../platform/clock.ts';

/** RFC 3339, later than `previous` even within its millisecond: it tells states apart. */
export function timestampAfter(clock: Clock, previous?: string): string {
  const earliest = previous === undefined ? 0 : Date.parse(previous) + 1;
  return new Date(Math.max(clock.now(), earliest)).toISOString();
}
