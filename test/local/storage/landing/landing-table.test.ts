import { writeFile } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../../src/local/storage/database.ts';
import { LandingTable } from '../../../../src/local/storage/landing/landing-table.ts';
import { type Segment, segmentPath } from '../../../../src/local/storage/log/segment.ts';
import { landingRow } from '../../../ports/event-sink.contract.ts';
import { FaultyFileSystem } from '../../faulty-file-system.ts';
import { cleanUpAfterEach, defer, RecordingLogger, temporaryDirectory } from '../../support.ts';
import { logOf } from '../log/log-lines.ts';

cleanUpAfterEach();

const SEGMENTS = 20;

describe('the hand-over of segments to Parquet files', () => {
  let directory: string;
  let database: Database;
  let files: FaultyFileSystem;
  let table: LandingTable;
  let segments: Segment[];
  let reader: DuckDBConnection;

  /** Twenty pending segments of one row each. */
  beforeEach(async () => {
    directory = await temporaryDirectory();
    database = await openDatabase(directory, 1);
    defer(async () => database.close());
    files = new FaultyFileSystem();
    table = new LandingTable(directory, database, files, new RecordingLogger());
    await table.open();
    segments = [];
    for (let number = 1; number <= SEGMENTS; number += 1) {
      segments.push(await segmentOf(directory, number));
    }
    for (const each of segments) table.add(each);
    await table.load();
    reader = database.readers[0] as DuckDBConnection;
  });

  const counts = async () => {
    const result = await reader.runAndReadAll(
      `SELECT count(*)::INT, count(DISTINCT id)::INT FROM ${table.name}`,
    );
    return result.getRowsJS()[0];
  };

  test('shows every row once to statements at any moment', async () => {
    const seen: unknown[] = [];
    let converting = true;
    const converted = (async () => {
      for (const each of segments) await table.convert([each]);
      converting = false;
    })();

    while (converting) seen.push(await counts());
    await converted;

    expect(seen.length).toBeGreaterThan(0);
    expect(seen).toEqual(seen.map(() => [SEGMENTS, SEGMENTS]));
  });

  test('changes nothing for a transaction that began before', async () => {
    await reader.run('BEGIN TRANSACTION READ ONLY');
    const before = await counts();

    for (const each of segments) await table.convert([each]);
    table.add(await segmentOf(directory, SEGMENTS + 1));
    await table.load();

    expect(await counts()).toEqual(before);
    await reader.run('ROLLBACK');
    expect(await counts()).toEqual([SEGMENTS + 1, SEGMENTS + 1]);
  });

  test('may be repeated after its last step failed', async () => {
    const [first] = segments as [Segment];
    files.fault = (operation, name) =>
      operation === 'sync' && name.startsWith('hour=') ? 'EIO' : undefined;
    await expect(table.convert([first])).rejects.toThrow('EIO');
    files.fault = () => undefined;

    await table.convert([first]);

    expect(await counts()).toEqual([SEGMENTS, SEGMENTS]);
  });

  test('refuses to give up a segment of which it does not have every row', async () => {
    const [first] = segments as [Segment];
    first.rows = 2;

    await expect(table.convert([first])).rejects.toThrow('1 rows were written instead of 2');

    expect(await counts()).toEqual([SEGMENTS, SEGMENTS]);
  });
});

/** A log of one row. */
async function segmentOf(directory: string, number: number): Promise<Segment> {
  const path = segmentPath(directory, number);
  const log = logOf([landingRow(`row-${number}`)]);
  await writeFile(path, log);
  return { number, path, openedAt: 0, bytes: log.length, rows: 1 };
}
