import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, test } from 'vitest';
import { LANDING_COLUMNS } from '../../src/lake/layout/columns.ts';
import { landingRow } from '../ports/event-sink.contract.ts';
import {
  cleanUpAfterEach,
  crashCopy,
  filesBelow,
  ids,
  openLake,
  query,
  temporaryDirectory,
} from './support.ts';

cleanUpAfterEach();

describe('visibility', () => {
  test('answers from an empty lake', async () => {
    const lake = await openLake(await temporaryDirectory());

    expect(await ids(lake)).toEqual([]);
  });

  test('shows an acknowledged row to the very next query', async () => {
    const lake = await openLake(await temporaryDirectory());

    for (const id of ['a', 'b', 'c']) {
      await lake.sink.write([landingRow(id)]);
      expect(await ids(lake)).toContain(id);
    }
  });

  test('shows rows once before and after they become a Parquet file', async () => {
    const lake = await openLake(await temporaryDirectory());
    await lake.sink.write([landingRow('a'), landingRow('b')]);

    await lake.flush();
    await lake.sink.write([landingRow('c')]);

    expect(await ids(lake)).toEqual(['a', 'b', 'c']);
  });

  test('shows rows again after a restart', async () => {
    const directory = await temporaryDirectory();
    const first = await openLake(directory);
    await first.sink.write([landingRow('a')]);
    await first.flush();
    await first.sink.write([landingRow('b')]);
    await first.close();

    const second = await openLake(directory);

    expect(await ids(second)).toEqual(['a', 'b']);
  });

  test('shows each row once to a query that runs while segments are handed over', async () => {
    const lake = await openLake(await temporaryDirectory());
    for (let index = 0; index < 5; index += 1) await lake.sink.write([landingRow(`row-${index}`)]);
    // Some 100 ms of work, whatever it is compared to: the hand-over below happens inside.
    const slow = query(
      lake,
      `SELECT count(DISTINCT e.id), count(*) / 3000000 FROM ${lake.table} e, range(3000000) r
       WHERE hash(e.id, r.range) IS NOT NULL`,
      2,
    );

    await lake.flush();
    await lake.sink.write([landingRow('later')]);

    expect(await slow).toEqual([['5', '5']]);
    expect(await ids(lake)).toHaveLength(6);
  });

  test('shows each row once to queries that start at any moment of many hand-overs', async () => {
    const lake = await openLake(await temporaryDirectory(), { rotateBytes: 1 });
    const counts: [string, string][] = [];
    let written = 0;
    const writer = (async () => {
      for (; written < 60; written += 1) await lake.sink.write([landingRow(`row-${written}`)]);
    })();

    while (written < 60) {
      const before = written;
      const [row] = await query(lake, `SELECT count(*), count(DISTINCT id) FROM ${lake.table}`, 2);
      expect(Number(row?.[0])).toBeGreaterThanOrEqual(before);
      counts.push([String(row?.[0]), String(row?.[1])]);
    }
    await writer;

    expect(counts.every(([rows, distinct]) => rows === distinct)).toBe(true);
    expect(counts.length).toBeGreaterThan(0);
  });
});

describe('layout', () => {
  test('files a segment under the hour in which its oldest row arrived', async () => {
    const directory = await temporaryDirectory();
    const lake = await openLake(directory);
    const arrived = (id: string, at: string) => JSON.stringify({ id, ingested_at: at });
    await lake.sink.write([
      arrived('b', '2026-03-04 06:00:01.000'),
      arrived('a', '2026-03-04 05:59:59.999'),
    ]);

    await lake.flush();

    expect(await filesBelow(directory)).toEqual([
      'lake/log_events/dt=2026-03-04/hour=05/0000000001.parquet',
      'wal/lock',
    ]);
    expect(
      await query(lake, `SELECT DISTINCT CAST(dt AS VARCHAR), hour FROM ${lake.table}`, 2),
    ).toEqual([['2026-03-04', '5']]);
  });

  test('gives pending rows dt and hour of their arrival', async () => {
    const lake = await openLake(await temporaryDirectory());
    await lake.sink.write([JSON.stringify({ id: 'a', ingested_at: '2026-03-04 05:59:59.999' })]);

    expect(await query(lake, `SELECT CAST(dt AS VARCHAR), hour FROM ${lake.table}`, 2)).toEqual([
      ['2026-03-04', '5'],
    ]);
  });

  test('files rows without ingested_at under the time their segment was opened', async () => {
    const directory = await temporaryDirectory();
    const clock = { now: () => Date.parse('2026-05-06T07:08:09Z') };
    const lake = await openLake(directory, { clock, rotateMs: 3_600_000 });
    await lake.sink.write(['{"id":"a"}']);

    await lake.flush();

    expect(await filesBelow(join(directory, 'lake'))).toEqual([
      'log_events/dt=2026-05-06/hour=07/0000000001.parquet',
    ]);
  });

  test('rotates by size in the background', async () => {
    const directory = await temporaryDirectory();
    const lake = await openLake(directory, { rotateBytes: 1_000 });
    for (let index = 0; index < 10; index += 1) {
      await lake.sink.write([landingRow(`row-${index}`, 'm'.repeat(400))]);
    }

    await lake.flush();

    expect(await filesBelow(join(directory, 'wal'))).toEqual(['lock']);
    expect((await filesBelow(join(directory, 'lake'))).length).toBe(5);
    expect(await ids(lake)).toHaveLength(10);
  });

  test('works in a directory whose name means something in SQL, globs and partitions', async () => {
    const directory = join(await temporaryDirectory(), "it's [a] *dir*? x=1");
    const lake = await openLake(directory);
    await lake.sink.write([landingRow('a')]);
    await lake.flush();

    expect(await ids(lake)).toEqual(['a']);
  });
});

describe('columns', () => {
  test('has every landing column with its type, pending or filed', async () => {
    const lake = await openLake(await temporaryDirectory());
    const types = LANDING_COLUMNS.map(({ name }) => `typeof("${name}")`).join(', ');
    const expected = LANDING_COLUMNS.map(
      ({ type }) =>
        ({
          string: 'VARCHAR',
          bigint: 'BIGINT',
          timestamp: 'TIMESTAMP',
        })[type],
    );
    await lake.sink.write([landingRow('a')]);

    const pending = await query(lake, `SELECT ${types} FROM ${lake.table}`, expected.length);
    await lake.flush();
    const filed = await query(lake, `SELECT ${types} FROM ${lake.table}`, expected.length);

    expect(pending).toEqual([expected]);
    expect(filed).toEqual([expected]);
  });

  test('keeps values exactly, pending or filed', async () => {
    const lake = await openLake(await temporaryDirectory());
    await lake.sink.write([
      '{"id":"ø \\u0000 🎉","timestamp":"2026-01-02 03:04:05.678","timestamp_us":9007199254740993,' +
        '"metadata":"{\\"a\\":[1, 2.50]}","s000":"{}","s127":"2.50"}',
    ]);
    const text = `SELECT id, "timestamp", timestamp_us, s000, metadata, s127, body FROM ${lake.table}`;
    const expected = [
      [
        'ø \u0000 🎉',
        '2026-01-02 03:04:05.678',
        '9007199254740993',
        '{}',
        '{"a":[1, 2.50]}',
        '2.50',
        null,
      ],
    ];

    expect(await query(lake, text, 7)).toEqual(expected);
    await lake.flush();
    expect(await query(lake, text, 7)).toEqual(expected);
  });

  test('reads files that were written before a column existed', async () => {
    const directory = await temporaryDirectory();
    const partition = join(directory, 'lake/log_events/dt=2026-01-01/hour=00');
    await mkdir(partition, { recursive: true });
    const duckdb = await (await DuckDBInstance.create()).connect();
    await duckdb.run(
      `COPY (SELECT 'old' AS id, 5::BIGINT AS timestamp_us) TO '${partition}/0000000001.parquet'`,
    );
    duckdb.closeSync();
    const lake = await openLake(directory);
    await lake.sink.write([landingRow('new')]);
    await lake.flush();

    expect(
      await query(
        lake,
        `SELECT id, event_message, hour FROM ${lake.table} ORDER BY timestamp_us`,
        3,
      ),
    ).toEqual([
      ['old', null, '0'],
      ['new', 'message of new', '3'],
    ]);
    expect(await ids(await openLake(await crashCopy(directory)))).toEqual(['new', 'old']);
  });

  test.each([
    ['a line break', '{"id":\n"a"}'],
    ['half of one', '{"id"'],
    ['no object', '["a"]'],
    ['more than a row may hold', JSON.stringify({ id: 'a'.repeat(1_000_000) })],
  ])('refuses a row that breaks the contract of the port: %s', async (_what, row) => {
    const lake = await openLake(await temporaryDirectory());

    await expect(lake.sink.write([landingRow('a'), row])).rejects.toThrow(TypeError);

    expect(await ids(lake)).toEqual([]);
  });
});

describe('maxFilingDelaySeconds', () => {
  test('covers the longest time a segment stays open', async () => {
    const lake = await openLake(await temporaryDirectory(), { rotateMs: 120_000 });

    expect(lake.maxFilingDelaySeconds).toBeGreaterThanOrEqual(120);
  });
});
