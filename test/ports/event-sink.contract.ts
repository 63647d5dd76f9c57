import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EventSink, MAX_ROW_BYTES } from '../../src/lake/rows/event-sink.ts';
import { ServiceError } from '../../src/platform/errors.ts';

export interface EventSinkHarness {
  readonly sink: EventSink;
  /** `id` of every row that would survive a crash of the process right now, once per copy. */
  stored(): Promise<string[]>;
  /** Makes the storage behind the sink refuse everything, or work again. */
  refuse(refusing: boolean): void;
  close(): Promise<void>;
}

/** What holds for every {@link EventSink}, whatever it writes to. */
export function eventSinkContract(name: string, make: () => Promise<EventSinkHarness>): void {
  describe(`${name} as an EventSink`, () => {
    let harness: EventSinkHarness;

    beforeEach(async () => {
      harness = await make();
    });

    afterEach(() => harness.close());

    test('has stored every row when a write resolves', async () => {
      await harness.sink.write([landingRow('a'), landingRow('b')]);

      expect((await harness.stored()).sort()).toEqual(['a', 'b']);
    });

    test('accepts a write of no rows', async () => {
      await harness.sink.write([]);

      expect(await harness.stored()).toEqual([]);
    });

    test('stores the rows of concurrent writes exactly once', async () => {
      const ids = Array.from({ length: 200 }, () => randomUUID());

      await Promise.all(ids.map((id) => harness.sink.write([landingRow(id)])));

      expect((await harness.stored()).sort()).toEqual(ids.sort());
    });

    test('stores more rows than fit into one request of a backend', async () => {
      const ids = Array.from(
        { length: 1_500 },
        (_, index) => `row-${String(index).padStart(4, '0')}`,
      );

      await harness.sink.write(ids.map((id) => landingRow(id, 'm'.repeat(4_000))));

      expect((await harness.stored()).sort()).toEqual(ids);
    });

    test('stores rows of the largest size', async () => {
      const empty = Buffer.byteLength(landingRow('x', ''));

      await harness.sink.write([
        landingRow('1', 'm'.repeat(MAX_ROW_BYTES - empty)),
        landingRow('2', 'm'.repeat(MAX_ROW_BYTES - empty)),
      ]);

      expect((await harness.stored()).sort()).toEqual(['1', '2']);
    });

    test('keeps text of any script and escaped line breaks', async () => {
      const id = 'ø 漢字 🎉 "quoted" \\ back\nline';

      await harness.sink.write([landingRow(id)]);

      expect(await harness.stored()).toEqual([id]);
    });

    test('refuses a write with sink_unavailable and a time to retry when the storage refuses', async () => {
      harness.refuse(true);

      const error = await harness.sink.write([landingRow('a')]).catch((reason) => reason);

      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject({ code: 'sink_unavailable', status: 503 });
      expect(error.retryAfterSeconds).toBeGreaterThan(0);
    });

    test('stores nothing of a refused write', async () => {
      harness.refuse(true);

      await harness.sink.write([landingRow('a'), landingRow('b')]).catch(() => undefined);

      expect(await harness.stored()).toEqual([]);
    });

    test('recovers when the storage works again', async () => {
      await harness.sink.write([landingRow('before')]);
      harness.refuse(true);
      await harness.sink.write([landingRow('refused')]).catch(() => undefined);
      harness.refuse(false);

      await harness.sink.write([landingRow('after')]);

      expect((await harness.stored()).sort()).toEqual(['after', 'before']);
    });
  });
}

/** A row as the ingest pipeline writes it. */
export function landingRow(id: string, message = `message of ${id}`): string {
  return JSON.stringify({
    source_id: '0f4a5c1e-8f0e-4a53-9d0c-2c8f6a9b7d11',
    id,
    timestamp: '2026-01-02 03:04:05.678',
    timestamp_us: 1_767_323_045_678_901,
    event_message: message,
    metadata: '{"level":"info"}',
    has_metadata: true,
    level: 'info',
    ingested_at: '2026-01-02 03:04:06.000',
  });
}
