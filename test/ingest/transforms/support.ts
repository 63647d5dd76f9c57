import { SOURCE_DEFAULTS } from '../../../src/catalog/source-defaults.ts';
import type { Source, SourceSettings } from '../../../src/catalog/types.ts';
import { Harness, SOURCE, storedEvent, withoutIdAndTime } from '../support.ts';

const STAMP = '2025-01-01T00:00:00.000Z';

export const SINK_A = '11111111-1111-4111-8111-111111111111';
export const SINK_B = '22222222-2222-4222-8222-222222222222';

/** A source with some settings. */
export function sourceWith(settings: Partial<SourceSettings>, token = SOURCE.token): Source {
  const name = `source-${token}`;
  const stamps = { insertedAt: STAMP, updatedAt: STAMP };
  return { token, name, ...SOURCE_DEFAULTS, ...settings, ...stamps };
}

/** A rule that copies to a sink what a text fits. */
export function rule(lql_string: string, sink = SINK_A) {
  return { token: `rule ${lql_string} to ${sink}`, lql_string, sink };
}

/** Stores one event in a source with some settings. @returns it without its id and time. */
export async function storedWith(settings: Partial<SourceSettings>, event: unknown) {
  const harness = new Harness();
  const outcome = await harness.pipeline.store(sourceWith(settings), [event]);
  const stored = withoutIdAndTime(harness.events[0]);
  return { ...outcome, harness, event: stored, row: harness.rows[0] };
}

/** Messages of the rows that went to a source. */
export function messagesIn(harness: Harness, token: string): unknown[] {
  return rowsIn(harness, token).map((row) => storedEvent(row).event_message);
}

export function rowsIn(harness: Harness, token: string): string[] {
  return harness.rows.filter((row) => JSON.parse(row).source_id === token);
}
