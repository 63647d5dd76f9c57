import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CompactionStore } from '../../src/lake/compaction/compaction-store.ts';

/** A row of the landing table, as far as compaction looks at it. */
export interface LandedRow {
  readonly source_id: string;
  readonly id: string;
  /** Event time, microseconds since the epoch. */
  readonly timestamp_us: number;
  readonly event_message: string | null;
  readonly project: string | null;
  /** JSON text. */
  readonly metadata: string | null;
  /** JSON text. */
  readonly body: string | null;
}

export interface CompactedRow extends LandedRow {
  /** Milliseconds since the epoch. */
  readonly landed_hour: number;
}

export interface CompactionStoreHarness {
  readonly store: CompactionStore;
  /** Adds one file with these rows to a landing hour, milliseconds since the epoch. */
  land(hour: number, rows: readonly LandedRow[]): Promise<void>;
  /** All rows of the compacted table, in any order. */
  compacted(): Promise<readonly CompactedRow[]>;
  /** Data files of the compacted table that a query of this event day opens. */
  files(day: string): Promise<number>;
  /** Rows in all data files of the compacted table, deleted ones included. */
  storedRows(): Promise<number>;
  close(): Promise<void>;
}

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A landing hour; events of the tests mostly happened in the one before it. */
export const HOUR = Date.UTC(2026, 1, 2, 9);
const SOURCE = '00000000-0000-4000-8000-000000000001';
const OTHER_SOURCE = '00000000-0000-4000-8000-000000000002';

const noNote = async (): Promise<void> => {};

/** A landed row whose event happened at `at`, milliseconds since the epoch. */
export function aRow(id: string, at: number, fields: Partial<LandedRow> = {}): LandedRow {
  return {
    source_id: SOURCE,
    id,
    timestamp_us: at * 1000 + 987,
    event_message: `message of ${id}`,
    project: 'acme',
    metadata: `{"request":{"path":"/${id}"}}`,
    body: null,
    ...fields,
  };
}

/** What holds for every {@link CompactionStore}. */
export function compactionStoreContract(
  name: string,
  make: () => Promise<CompactionStoreHarness>,
): void {
  describe(`${name} as a CompactionStore`, () => {
    let harness: CompactionStoreHarness;
    let store: CompactionStore;

    beforeEach(async () => {
      harness = await make();
      store = harness.store;
      await store.prepare();
    });

    afterEach(() => harness.close());

    /** As the job does: what is missing, in portions that the store takes. */
    const copyAll = async (hour: number): Promise<void> => {
      const days = await store.missingDays(hour);
      for (let i = 0; i < days.length; i += store.maxDaysPerCopy) {
        await store.copy(hour, days.slice(i, i + store.maxDaysPerCopy), randomUUID());
      }
    };

    const compacted = async (): Promise<string[]> =>
      (await harness.compacted())
        .map((row) => `${row.id} ${row.event_message} ${(row.landed_hour - HOUR) / HOUR_MS}`)
        .sort();

    test('prepares a table that is there already', async () => {
      await harness.land(HOUR, [aRow('a', HOUR)]);
      await copyAll(HOUR);

      await store.prepare();

      expect(await compacted()).toEqual(['a message of a 0']);
    });

    test('counts the rows of landing hours, and leaves out those without any', async () => {
      await harness.land(HOUR, [aRow('a', HOUR), aRow('b', HOUR)]);
      await harness.land(HOUR, [aRow('c', HOUR)]);
      await harness.land(HOUR + 2 * HOUR_MS, [aRow('d', HOUR)]);
      await harness.land(HOUR + 16 * HOUR_MS, [aRow('e', HOUR)]);

      expect(await store.landedRows({ from: HOUR, before: HOUR + 3 * HOUR_MS })).toEqual(
        new Map([
          [HOUR, 3],
          [HOUR + 2 * HOUR_MS, 1],
        ]),
      );
      expect(await store.landedRows({ from: HOUR + HOUR_MS, before: HOUR + 17 * HOUR_MS })).toEqual(
        new Map([
          [HOUR + 2 * HOUR_MS, 1],
          [HOUR + 16 * HOUR_MS, 1],
        ]),
      );
      expect(await store.landedRows({ from: HOUR - DAY_MS, before: HOUR })).toEqual(new Map());
    });

    test('copies every column as it is, with the hour it landed in', async () => {
      const rows = [
        aRow('a', HOUR),
        aRow('ü "quoted" 😀', HOUR, { metadata: null, body: '{"x":[1,null]}', project: null }),
        aRow('b', HOUR, { event_message: null, source_id: OTHER_SOURCE }),
      ];
      await harness.land(HOUR, rows);

      await copyAll(HOUR);

      const found = await harness.compacted();
      expect(found).toHaveLength(rows.length);
      for (const row of rows) expect(found).toContainEqual({ ...row, landed_hour: HOUR });
    });

    test('tells the event days of rows without a copy, oldest first', async () => {
      const day = Date.UTC(2026, 1, 2);
      await harness.land(HOUR, [
        aRow('a', HOUR),
        aRow('late', day - 40 * DAY_MS),
        aRow('last', day - 1),
        aRow('first', day),
      ]);
      await harness.land(HOUR - HOUR_MS, [aRow('other hour', day - 80 * DAY_MS)]);

      expect(await store.missingDays(HOUR)).toEqual(['2025-12-24', '2026-02-01', '2026-02-02']);

      await store.copy(HOUR, ['2026-02-01'], randomUUID());
      expect(await compacted()).toEqual(['last message of last 0']);
      expect(await store.missingDays(HOUR)).toEqual(['2025-12-24', '2026-02-02']);

      await copyAll(HOUR);
      expect(await store.missingDays(HOUR)).toEqual([]);
      expect(await compacted()).toHaveLength(4);
    });

    test('has nothing to copy of an hour in which nothing landed', async () => {
      expect(await store.missingDays(HOUR)).toEqual([]);
    });

    test('copies once, however often it is told to', async () => {
      await harness.land(HOUR, [aRow('a', HOUR), aRow('b', HOUR)]);

      for (let i = 0; i < 3; i++) await store.copy(HOUR, ['2026-02-02'], randomUUID());

      expect(await compacted()).toEqual(['a message of a 0', 'b message of b 0']);
    });

    test('makes one row of exact copies, within an hour and across hours', async () => {
      const row = aRow('a', HOUR);
      await harness.land(HOUR, [row, row, aRow('b', HOUR)]);
      await harness.land(HOUR, [row]);
      await harness.land(HOUR + HOUR_MS, [row, row, aRow('c', HOUR)]);

      await copyAll(HOUR);
      await copyAll(HOUR + HOUR_MS);

      expect(await compacted()).toEqual([
        'a message of a 0',
        'b message of b 0',
        'c message of c 1',
      ]);
      expect(await store.missingDays(HOUR + HOUR_MS)).toEqual([]);
    });

    test('finds copies of events of any time, near the hour or not', async () => {
      const hours = [-50, -24, -3, -2, -1, 0, 1, 2, 3, 4];
      const landed = hours.flatMap((n) => {
        const us = (HOUR + n * HOUR_MS) * 1000;
        return [us - 1, us].map((timestamp_us) => aRow(`${timestamp_us}`, 0, { timestamp_us }));
      });
      await harness.land(HOUR, landed);
      await copyAll(HOUR);
      const rows = await compacted();
      const late = aRow('late', HOUR - 50 * HOUR_MS);
      await harness.land(HOUR + HOUR_MS, [...landed, late]);

      await copyAll(HOUR + HOUR_MS);

      expect(rows).toHaveLength(landed.length);
      expect(await compacted()).toEqual([...rows, 'late message of late 1']);
      expect(await store.missingDays(HOUR + HOUR_MS)).toEqual([]);
    });

    test('keeps events that share an id and differ in source, time or content', async () => {
      await harness.land(HOUR, [
        aRow('a', HOUR),
        aRow('a', HOUR, { source_id: OTHER_SOURCE }),
        aRow('a', HOUR + 1),
        aRow('a', HOUR - 2 * DAY_MS),
        aRow('a', HOUR, { event_message: 'another' }),
        aRow('a', HOUR, { event_message: '' }),
        aRow('a', HOUR, { event_message: null }),
        aRow('a', HOUR, { metadata: '{"x":1}' }),
        aRow('a', HOUR, { metadata: null, body: '{"x":1}' }),
        aRow('a', HOUR, { metadata: '{"x":1}', body: '{"x":1}' }),
      ]);

      await copyAll(HOUR);
      await copyAll(HOUR);

      expect(await harness.compacted()).toHaveLength(10);
    });

    test('copies what landed late in an hour that was copied, and that alone', async () => {
      await harness.land(HOUR, [aRow('a', HOUR)]);
      await copyAll(HOUR);
      await harness.land(HOUR, [aRow('late', HOUR), aRow('b', HOUR - DAY_MS)]);

      expect(await store.missingDays(HOUR)).toEqual(['2026-02-01', '2026-02-02']);
      await copyAll(HOUR);

      expect(await compacted()).toEqual([
        'a message of a 0',
        'b message of b 0',
        'late message of late 0',
      ]);
    });

    test('keeps every row of a day that it makes one file of', async () => {
      for (let n = 0; n < 4; n++) {
        const hour = HOUR + n * HOUR_MS;
        await harness.land(hour, [aRow(`today ${n}`, HOUR), aRow(`before ${n}`, HOUR - DAY_MS)]);
        await copyAll(hour);
      }
      const [rows, files] = [await compacted(), await harness.files('2026-02-01')];

      await store.optimize('2026-02-02');
      await store.optimize('2026-02-02');

      expect(await compacted()).toEqual(rows);
      expect(await harness.files('2026-02-02')).toBeLessThan(4);
      expect(await harness.files('2026-02-01')).toBe(files);
      await copyAll(HOUR);
      expect(await compacted()).toEqual(rows);
    });

    test('deletes the events of old days, of one source or of all', async () => {
      const midnight = Date.UTC(2026, 1, 2);
      await harness.land(HOUR, [
        aRow('new', midnight),
        aRow('old', midnight - 1),
        aRow('other', midnight - 1, { source_id: OTHER_SOURCE }),
        aRow('oldest', midnight - 5 * DAY_MS),
        aRow('other oldest', midnight - 5 * DAY_MS, { source_id: OTHER_SOURCE }),
      ]);
      await copyAll(HOUR);
      const ids = async () => (await harness.compacted()).map(({ id }) => id).sort();

      await store.deleteBefore('2026-02-02', SOURCE, noNote);
      expect(await ids()).toEqual(['new', 'other', 'other oldest']);

      await store.deleteBefore('2026-02-01', undefined, noNote);
      expect(await ids()).toEqual(['new', 'other']);

      await store.deleteBefore('2026-02-01', undefined, noNote);
      await store.deleteBefore('2026-02-01', SOURCE, noNote);
      expect(await ids()).toEqual(['new', 'other']);
    });

    test('notes the days that keep deleted rows, until these are optimized', async () => {
      const midnight = Date.UTC(2026, 1, 2);
      const landed = [SOURCE, OTHER_SOURCE].flatMap((source_id) =>
        [0, 1, 2, 5].map((n) => aRow(`${n}`, midnight - n * DAY_MS, { source_id })),
      );
      await harness.land(HOUR, landed);
      await copyAll(HOUR);
      const noted: string[] = [];

      await store.deleteBefore('2026-02-01', SOURCE, async (days) => {
        noted.push(...days);
        expect(await harness.compacted()).toHaveLength(landed.length);
      });
      for (const day of noted) await store.optimize(day);

      expect(await harness.compacted()).toHaveLength(landed.length - 2);
      expect(await harness.storedRows()).toBe(landed.length - 2);
    });

    test('keeps no row of days that it deletes of all sources', async () => {
      await harness.land(HOUR, [aRow('new', HOUR), aRow('a', HOUR - DAY_MS)]);
      await harness.land(HOUR, [aRow('b', HOUR - DAY_MS, { source_id: OTHER_SOURCE })]);
      await copyAll(HOUR);

      await store.deleteBefore('2026-02-02', undefined, () => Promise.reject(new Error('noted')));

      expect(await compacted()).toEqual(['new message of new 0']);
      expect(await harness.storedRows()).toBe(1);
    });

    test('frees what only superseded states use, and no row', async () => {
      await harness.land(HOUR, [aRow('a', HOUR), aRow('b', HOUR - DAY_MS)]);
      await copyAll(HOUR);
      await store.optimize('2026-02-02');
      await store.deleteBefore('2026-02-02', undefined, noNote);

      await store.expireSnapshots();
      await store.expireSnapshots();

      expect(await compacted()).toEqual(['a message of a 0']);
    });
  });
}
