import { randomUUID } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { timestampText } from '../../../../src/lake/rows/event-time.ts';
import type { LocalLake } from '../../../../src/local/lake.ts';
import {
  aRow,
  type CompactedRow,
  compactionStoreContract,
  HOUR,
  type LandedRow,
} from '../../../ports/compaction-store.contract.ts';
import {
  cleanUpAfterEach,
  openLake,
  query,
  RecordingLogger,
  temporaryDirectory,
} from '../../support.ts';

cleanUpAfterEach();

compactionStoreContract('DuckdbCompaction', async () => {
  const directory = await temporaryDirectory();
  const lake = await openLake(directory);
  return {
    store: lake.compaction,
    async land(hour, rows) {
      await lake.sink.write(rows.map((row) => landedAt(hour, row)));
      await lake.flush();
    },
    compacted: () => compactedRows(lake),
    async files(day) {
      await lake.compaction.expireSnapshots();
      return (await readdir(join(directory, 'lake/log_events_compacted', `day=${day}`))).length;
    },
    async storedRows() {
      await lake.compaction.expireSnapshots();
      const files = join(directory, 'lake/log_events_compacted/*/*.parquet');
      const connection = await (await DuckDBInstance.create()).connect();
      const reader = await connection.runAndReadAll(`SELECT id FROM read_parquet('${files}')`);
      connection.closeSync();
      return reader.currentRowCount;
    },
    close: () => lake.close(),
  };
});

function landedAt(hour: number, row: LandedRow): string {
  return JSON.stringify({
    ...row,
    timestamp: timestampText(Math.floor(row.timestamp_us / 1000)),
    ingested_at: timestampText(hour + 1_234),
  });
}

async function compactedRows(lake: LocalLake): Promise<CompactedRow[]> {
  const names = ['source_id', 'id', 'event_message', 'project', 'metadata', 'body'] as const;
  const rows = await query(
    lake,
    `SELECT ${names.join(', ')}, timestamp_us, epoch_ms(landed_hour) FROM ${lake.compactedTable}`,
    names.length + 2,
  );
  return rows.map((row) => ({
    source_id: row[0] ?? '',
    id: row[1] ?? '',
    event_message: row[2] ?? null,
    project: row[3] ?? null,
    metadata: row[4] ?? null,
    body: row[5] ?? null,
    timestamp_us: Number(row[6]),
    landed_hour: Number(row[7]),
  }));
}

test('an hour with a column that only a later version knows is left to that version', async () => {
  const directory = await temporaryDirectory();
  const partition = join(directory, 'lake/log_events/dt=2026-02-02/hour=09');
  await mkdir(partition, { recursive: true });
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(
    `COPY (SELECT 'a' AS id, 1 AS from_the_future) TO '${partition}/0000000001.parquet'`,
  );
  connection.closeSync();
  const logger = new RecordingLogger();
  const lake = await openLake(directory, { logger });
  const days = await lake.compaction.missingDays(HOUR);

  const copy = lake.compaction.copy(HOUR, days, randomUUID());

  await expect(copy).rejects.toMatchObject({ code: 'query_failed', status: 502 });
  expect(logger.lines).toMatchObject([
    { level: 'error', fields: { error: expect.stringContaining('a later version') } },
  ]);
  expect(await lake.compaction.missingDays(HOUR)).toEqual(days);
});

test('files of a day are sorted by source, project and time, the newest events first', async () => {
  const lake = await openLake(await temporaryDirectory());
  const event = (source: string, project: string, ms: number) =>
    landedAt(HOUR, aRow(`${source}${project}${ms}`, HOUR + ms, { source_id: source, project }));
  await lake.sink.write([event('b', 'x', 1), event('a', 'y', 1), event('a', 'x', 3)]);
  await lake.sink.write([event('b', 'x', 0), event('a', 'x', 2)]);

  await lake.compaction.copy(HOUR, ['2026-02-02'], randomUUID());

  const rows = await query(lake, `SELECT id FROM ${lake.compactedTable}`);
  expect(rows.flat()).toEqual(['ax3', 'ax2', 'ay1', 'bx1', 'bx0']);
});

test('files are read from the newest day to the oldest', async () => {
  const lake = await openLake(await temporaryDirectory());
  const event = (day: number) => landedAt(HOUR, aRow(`day ${day}`, HOUR + day * 86_400_000));
  await lake.sink.write([event(-1), event(0), event(-2)]);

  await lake.compaction.copy(HOUR, ['2026-01-31', '2026-02-01', '2026-02-02'], randomUUID());

  const rows = await query(lake, `SELECT id FROM ${lake.compactedTable}`);
  expect(rows.flat()).toEqual(['day 0', 'day -1', 'day -2']);
});
