import { randomUUID } from 'node:crypto';
import { timestampText } from '../../../../src/lake/rows/event-time.ts';
import type { LocalLake } from '../../../../src/local/lake.ts';
import type { Clock } from '../../../../src/platform/clock.ts';
import { query } from '../../support.ts';

export const HOUR_MS = 3_600_000;
/** A landing hour, milliseconds since the epoch. */
export const HOUR = Date.UTC(2026, 0, 2, 3);
export const SOURCE = '00000000-0000-4000-8000-000000000001';

/** A clock that stands still until a test moves it. */
export class TestClock implements Clock {
  #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}

/** A row that arrived at one time and tells of an event of another, milliseconds since the epoch. */
export function arrivedAt(
  id: string,
  arrival: number,
  event = arrival,
  source_id: string | null = SOURCE,
): string {
  return JSON.stringify({
    source_id,
    id,
    timestamp: timestampText(event),
    timestamp_us: event * 1000,
    event_message: `message of ${id}`,
    ingested_at: timestampText(arrival),
  });
}

/** Makes one Parquet file of rows. */
export async function land(lake: LocalLake, ...rows: readonly string[]): Promise<void> {
  await lake.sink.write(rows);
  await lake.flush();
}

/** Copies hours as the job does, each until nothing of it is missing. */
export async function compact(lake: LocalLake, ...hours: readonly number[]): Promise<void> {
  for (const hour of hours) {
    const days = await lake.compaction.missingDays(hour);
    if (days.length > 0) await lake.compaction.copy(hour, days, randomUUID());
  }
}

/** Ids of all rows, once per copy, as a query that was compiled with a watermark sees them. */
export async function idsAt(lake: LocalLake, watermark: number): Promise<string[]> {
  const rows = await query(
    lake,
    `SELECT id FROM ${lake.compactedTable} WHERE landed_hour < make_timestamp_ms(${watermark})
     UNION ALL
     SELECT id FROM ${lake.table} WHERE dt + to_hours(hour) >= make_timestamp_ms(${watermark})
     ORDER BY id`,
  );
  return rows.map(([id]) => String(id));
}
