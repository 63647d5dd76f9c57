import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { timestampText } from '../../src/lake/event-time.ts';
import type { LocalLake } from '../../src/local/lake.ts';
import {
  type CompactedRow,
  compactionStoreContract,
  type LandedRow,
} from '../ports/compaction-store.contract.ts';
import { cleanUpAfterEach, openLake, query, temporaryDirectory } from './support.ts';

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
