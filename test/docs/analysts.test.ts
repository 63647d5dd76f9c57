import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { landingRow, rowFrame } from '../../src/lake/rows/row.ts';
import { emptySchema } from '../../src/lake/schema/schema.ts';
import type { LocalLake } from '../../src/local/lake.ts';
import { cleanUpAfterEach, openLake, temporaryDirectory } from '../local/support.ts';

cleanUpAfterEach();

const DOCUMENT = readFileSync(new URL('../../docs/analysts.md', import.meta.url), 'utf8');
const SOURCE = 'aaaaaaaa-0000-4000-8000-000000000001';
const AT = Date.UTC(2026, 1, 3, 8, 10);

/** An example for DuckDB below a heading, with the lake's directory in place of `.sluice`. */
function example(heading: string, directory: string): string {
  const section = DOCUMENT.split(`\n## ${heading}\n`)[1] ?? '';
  const [, sql = ''] = /^```sql duckdb\n([\s\S]+?)^```$/m.exec(section) ?? [];
  return sql.replaceAll('.sluice', directory);
}

/** What the DuckDB command line would answer, a process of its own. */
async function onDuckdb(sql: string): Promise<readonly unknown[][]> {
  const database = await DuckDBInstance.create();
  const connection = await database.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowsJson() as unknown[][];
  } finally {
    connection.closeSync();
    database.closeSync();
  }
}

function store(lake: LocalLake, ...ids: string[]): Promise<void> {
  const rows = ids.map((id) =>
    landingRow(
      {
        id,
        time: { ms: AT, us: 0 },
        message: `event ${id}`,
        project: undefined,
        metadata: undefined,
        body: undefined,
      },
      rowFrame(SOURCE, AT),
      emptySchema(),
    ),
  );
  return lake.sink.write(rows);
}

/** What compaction leaves until it deletes what it copied: every event in two files. */
async function copyToCompacted(directory: string): Promise<void> {
  const target = join(directory, 'lake/log_events_compacted/day=2026-02-03');
  await mkdir(target, { recursive: true });
  await onDuckdb(
    `COPY (
      SELECT *, date_trunc('hour', ingested_at) AS landed_hour
      FROM read_parquet('${directory}/lake/log_events/*/*/*.parquet', hive_partitioning = false)
    ) TO '${target}/2026-02-03T08.parquet'`,
  );
}

test('landing files are read as docs/analysts.md says, while the service has them', async () => {
  const directory = await temporaryDirectory();
  const lake = await openLake(directory);
  await store(lake, 'a', 'b');
  await lake.flush();

  expect(await onDuckdb(example('Other engines', directory))).toEqual([
    [SOURCE, '2', '2026-02-03 08:10:00'],
  ]);
});

test('files and log together have every event, running and stopped', async () => {
  const directory = await temporaryDirectory();
  const lake = await openLake(directory);
  await store(lake, 'a');
  await lake.flush();
  await store(lake, 'b');
  await copyToCompacted(directory);
  const events = [
    [SOURCE, 'a', '2026-02-03 08:10:00', 'event a'],
    [SOURCE, 'b', '2026-02-03 08:10:00', 'event b'],
  ];

  expect(await onDuckdb(example('On a laptop', directory))).toEqual(events);
  await lake.close();
  expect(await onDuckdb(example('On a laptop', directory))).toEqual(events);
});
