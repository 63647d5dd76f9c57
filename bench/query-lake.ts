import { newEventId } from '../src/ingest/event/event-id.ts';
import type { Random } from './scan/scan-event.ts';
import type { BenchSource } from './scan/scan-lake.ts';

/** The source with a needle in the message of one of its events, and the id that this one will have. */
export function withNeedle(source: BenchSource, position: number) {
  const id = newEventId(Date.UTC(2026, 1, 2, 22));
  let made = 0;
  const event = (timestamp: number, random: Random): unknown => {
    const plain = source.event(timestamp, random) as { event_message: string };
    const isWanted = made++ === position;
    return isWanted ? { ...plain, id, event_message: `${plain.event_message} needle` } : plain;
  };
  return { source: { ...source, event }, id };
}
