import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LocalLake } from '../../src/local/lake.ts';
import { landingRow } from '../ports/event-sink.contract.ts';
import { FaultyFileSystem } from './faulty-file-system.ts';
import {
  cleanUpAfterEach,
  crashCopy,
  ids,
  openLake,
  query,
  RecordingLogger,
  temporaryDirectory,
} from './support.ts';

cleanUpAfterEach();

const PATIENCE = { timeout: 20_000 };
const PARTITION = 'lake/log_events/dt=2026-01-02/hour=03';

let directory: string;
let fileSystem: FaultyFileSystem;
beforeEach(async () => {
  directory = await temporaryDirectory();
  fileSystem = new FaultyFileSystem();
});

/** Makes one Parquet file of each row. */
async function file(lake: LocalLake, ...rows: readonly string[]): Promise<void> {
  for (const row of rows) {
    await lake.sink.write([row]);
    await lake.flush();
  }
}

/** A lake with the files 1 to 3 of one row each, of an hour that is over. */
async function lakeOfThree(options: Parameters<typeof openLake>[1] = {}): Promise<LocalLake> {
  const lake = await openLake(directory, { fileSystem, ...options });
  await file(lake, landingRow('a'), landingRow('b'), landingRow('c'));
  return lake;
}

function parquetFiles(partition = PARTITION): Promise<string[]> {
  return readdir(join(directory, partition)).then((names) => names.sort());
}

async function duckdb<T>(task: (run: (sql: string) => Promise<unknown[][]>) => Promise<T>) {
  const connection = await (await DuckDBInstance.create()).connect();
  try {
    return await task(async (sql) => (await connection.runAndReadAll(sql)).getRowsJS());
  } finally {
    connection.closeSync();
  }
}

describe('a merge', () => {
  it('makes one file of the files of an hour, and removes them', async () => {
    const lake = await lakeOfThree();

    await lake.merge();

    expect(await parquetFiles()).toEqual(['0000000001-0000000003.parquet']);
    expect(await ids(lake)).toEqual(['a', 'b', 'c']);
  });

  it('takes in what is filed under the hour later', async () => {
    const lake = await lakeOfThree();
    await lake.merge();

    await file(lake, landingRow('d'));
    await lake.merge();

    expect(await parquetFiles()).toEqual(['0000000001-0000000004.parquet']);
    expect(await ids(lake)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('keeps dt and hour of every row', async () => {
    const lake = await openLake(directory);
    const arrived = (id: string, at: string) => JSON.stringify({ id, ingested_at: at });
    await file(
      lake,
      arrived('a', '2026-01-02 03:10:00.000'),
      arrived('b', '2026-01-02 03:50:00.000'),
      arrived('c', '2026-01-02 04:10:00.000'),
      arrived('d', '2026-01-03 04:10:00.000'),
    );
    const partitions = () =>
      query(lake, `SELECT id, CAST(dt AS VARCHAR), hour FROM ${lake.table} ORDER BY id`, 3);
    const before = await partitions();

    await lake.merge();

    expect(await partitions()).toEqual(before);
    expect(before).toContainEqual(['b', '2026-01-02', '3']);
    expect(await parquetFiles()).toEqual(['0000000001-0000000002.parquet']);
  });

  it('keeps every value, and sorts rows by source and time', async () => {
    const lake = await openLake(directory);
    const row = (source_id: string, timestamp_us: number) =>
      JSON.stringify({
        source_id,
        timestamp_us,
        id: `${source_id}${timestamp_us}`,
        metadata: '{"a":[1, 2.50],"ø":"🎉"}',
        s000: '{}',
        s001: '200',
        ingested_at: '2026-01-02 03:04:05.678',
      });
    await file(lake, row('b', 1), row('a', 2), row('b', 0), row('a', 9007199254740991));
    const columns = 'id, timestamp_us, metadata, s000, s001, ingested_at';
    const values = () => query(lake, `SELECT ${columns} FROM ${lake.table} ORDER BY id`, 6);
    const before = await values();

    await lake.merge();

    expect(await values()).toEqual(before);
    const path = join(directory, PARTITION, '0000000001-0000000004.parquet');
    const stored = await duckdb((run) => run(`SELECT id FROM read_parquet('${path}')`));
    expect(stored).toEqual([['a2'], ['a9007199254740991'], ['b0'], ['b1']]);
  });

  it('brings files that were written before a column existed up to date', async () => {
    await mkdir(join(directory, PARTITION), { recursive: true });
    await duckdb((run) =>
      run(`COPY (SELECT 'old' AS id) TO '${join(directory, PARTITION)}/0000000001.parquet'`),
    );
    const lake = await openLake(directory);
    await file(lake, landingRow('new'));

    await lake.merge();

    expect(await parquetFiles()).toEqual(['0000000001-0000000002.parquet']);
    expect(await query(lake, `SELECT id, event_message FROM ${lake.table} ORDER BY id`, 2)).toEqual(
      [
        ['new', 'message of new'],
        ['old', null],
      ],
    );
  });

  it('leaves files alone that hold a column which only a later version knows', async () => {
    await mkdir(join(directory, PARTITION), { recursive: true });
    await duckdb((run) =>
      run(
        `COPY (SELECT 'x' AS id, 1 AS from_the_future) TO '${join(directory, PARTITION)}/0000000001.parquet'`,
      ),
    );
    const lake = await openLake(directory);
    await file(lake, landingRow('a'));

    await lake.merge();

    expect(await parquetFiles()).toEqual(['0000000001.parquet', '0000000002.parquet']);
  });

  it('is part of a restarted lake, which gives no number twice', async () => {
    const lake = await lakeOfThree();
    await lake.merge();
    await lake.close();

    const next = await openLake(directory);
    await file(next, landingRow('d'));

    expect(await ids(next)).toEqual(['a', 'b', 'c', 'd']);
    expect(await parquetFiles()).toEqual(['0000000001-0000000003.parquet', '0000000004.parquet']);
  });

  it('does not bring back rows whose log segment could not be removed', async () => {
    fileSystem.fault = (operation, name) =>
      operation === 'unlink' && name.endsWith('.ndjson') ? 'EIO' : undefined;
    const lake = await lakeOfThree();
    await lake.merge();

    const copy = await crashCopy(directory);
    const next = await openLake(copy);

    expect(await readdir(join(copy, 'wal'))).toEqual(['lock']);
    expect(await ids(next)).toEqual(['a', 'b', 'c']);
  });
});

describe('queries', () => {
  it('read the files they began with until they end', async () => {
    const lake = await lakeOfThree();
    // Some 100 ms of work over the files, which are opened one after the other.
    const slow = query(
      lake,
      `SELECT count(DISTINCT e.id), count(*) / 3000000 FROM ${lake.table} e, range(3000000) r
       WHERE hash(e.id, r.range) IS NOT NULL`,
      2,
    );

    await lake.merge();

    expect(await slow).toEqual([['3', '3']]);
    expect(await ids(lake)).toEqual(['a', 'b', 'c']);
  });

  it('keep the originals of a merge on disk, and no longer than they run', async () => {
    const lake = await lakeOfThree();
    const endless = lake.engine.run({
      text: `SELECT count(*) FROM ${lake.table} e, range(1000000000) a, range(1000) b
             WHERE hash(e.id, a.range, b.range) = 0`,
      columns: [{ name: 'n', type: { kind: 'int64' } }],
      token: 'endless',
      deadline: Date.now() + 60_000,
    });
    const ended = expect(endless).rejects.toMatchObject({ code: 'engine_throttled' });

    const merge = lake.merge();
    await vi.waitFor(async () => expect(await parquetFiles()).toHaveLength(4), PATIENCE);
    expect(await ids(lake)).toEqual(['a', 'b', 'c']);
    expect(await parquetFiles()).toHaveLength(4);

    await lake.close();
    await ended;
    await merge;
    expect(await parquetFiles()).toEqual(['0000000001-0000000003.parquet']);
  });

  it('see each row once at any moment of many merges', async () => {
    const lake = await openLake(directory, { rotateBytes: 1, mergesFiles: true });
    const counts: unknown[] = [];
    let written = 0;
    const writer = (async () => {
      for (; written < 60; written += 1) {
        await lake.sink.write([landingRow(`row-${written}`)]);
      }
    })();

    while (written < 60) {
      const before = written;
      const [row] = await query(lake, `SELECT count(*), count(DISTINCT id) FROM ${lake.table}`, 2);
      expect(Number(row?.[0])).toBeGreaterThanOrEqual(before);
      counts.push(row?.[0] === row?.[1]);
    }
    await writer;
    await lake.flush();
    await lake.merge();

    expect(new Set(counts)).toEqual(new Set([true]));
    expect(await parquetFiles()).toEqual(['0000000001-0000000060.parquet']);
    expect(await ids(lake)).toHaveLength(60);
  });
});

describe('in the background', () => {
  it('files are merged when they have been written', async () => {
    const lake = await lakeOfThree({ mergesFiles: true });

    await vi.waitFor(
      async () => expect(await parquetFiles()).toEqual(['0000000001-0000000003.parquet']),
      PATIENCE,
    );

    expect(await ids(lake)).toEqual(['a', 'b', 'c']);
  });

  it('files are merged that an earlier run left', async () => {
    await (await lakeOfThree()).close();

    const lake = await openLake(directory, { mergesFiles: true });

    await vi.waitFor(
      async () => expect(await parquetFiles()).toEqual(['0000000001-0000000003.parquet']),
      PATIENCE,
    );
    expect(await ids(lake)).toEqual(['a', 'b', 'c']);
  });

  it('a merge waits for room on the disk, which the log needs more', async () => {
    const logger = new RecordingLogger();
    fileSystem.free = 100_000_000;
    const lake = await lakeOfThree({ mergesFiles: true, logger });

    await vi.waitFor(() => expect(logger.lines).not.toEqual([]), PATIENCE);

    expect(logger.lines[0]).toMatchObject({
      level: 'warn',
      message: expect.stringContaining('could not be merged'),
      fields: { error: expect.stringContaining('100000000 bytes left') },
    });
    expect(await parquetFiles()).toHaveLength(3);
    fileSystem.free = 10_000_000_000;
    await lake.merge();
    expect(await parquetFiles()).toHaveLength(1);
  });

  it('one damaged file does not keep the files of other hours from being merged', async () => {
    const lake = await lakeOfThree();
    const later = JSON.stringify({ id: 'd', ingested_at: '2026-01-02 04:00:00.000' });
    await file(lake, later, later.replace('"d"', '"e"'));
    await writeFile(join(directory, PARTITION, '0000000002.parquet'), 'PAR1 and no more');

    await expect(lake.merge()).rejects.toThrow('0000000002.parquet');
    await expect(lake.merge()).rejects.toThrow('0000000002.parquet');

    expect(await parquetFiles()).toHaveLength(3);
    expect(await parquetFiles('lake/log_events/dt=2026-01-02/hour=04')).toEqual([
      '0000000004-0000000005.parquet',
    ]);
  });

  it('a merge is finished or given up when the lake closes', async () => {
    const lake = await lakeOfThree({ mergesFiles: true });

    await lake.close();

    expect(await ids(await openLake(directory))).toEqual(['a', 'b', 'c']);
  });
});
