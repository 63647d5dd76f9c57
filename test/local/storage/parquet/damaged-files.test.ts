import { execFile } from 'node:child_process';
import { readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { LOCAL_TABLES, startDynamoDB } from '../../../../src/local/dynalite/dynamodb.ts';
import { landingRow } from '../../../ports/event-sink.contract.ts';
import {
  cleanUpAfterEach,
  crashCopy,
  filesBelow,
  ids,
  openLake,
  query,
  RecordingLogger,
  temporaryDirectory,
} from '../../support.ts';

cleanUpAfterEach();

const PARTITION = 'log_events/dt=2026-01-02/hour=03';
const FIRST = `${PARTITION}/0000000001.parquet`;
const SECOND = `${PARTITION}/0000000002.parquet`;

let directory: string;
let logger: RecordingLogger;

/** A directory with the rows a and b in a Parquet file each. */
beforeEach(async () => {
  directory = await temporaryDirectory();
  logger = new RecordingLogger();
  const lake = await openLake(directory);
  for (const id of ['a', 'b']) {
    await lake.sink.write([landingRow(id)]);
    await lake.flush();
  }
  await lake.close();
});

const inLake = (path: string) => join(directory, 'lake', path);

const setAside = (path: string) => ({
  level: 'error',
  message: expect.stringContaining('damaged'),
  fields: { file: inLake(path), moved_to: inLake(`damaged/${path}`) },
});

describe('a damaged Parquet file', () => {
  test.each([
    ['cut short', 100],
    ['empty', 0],
  ])('that is %s is set aside at the start, and the others are read', async (_what, length) => {
    await truncate(inLake(FIRST), length);

    const lake = await openLake(directory, { logger });

    expect(await ids(lake)).toEqual(['b']);
    expect(logger.lines).toEqual([setAside(FIRST)]);
    expect(await filesBelow(join(directory, 'lake'))).toEqual([`damaged/${FIRST}`, SECOND]);
  });

  test('keeps its number', async () => {
    await truncate(inLake(SECOND), 100);
    await (await openLake(directory)).close();

    const lake = await openLake(directory);
    await lake.sink.write([landingRow('c')]);
    await lake.flush();

    expect(await ids(lake)).toEqual(['a', 'c']);
    expect(await readdir(inLake(PARTITION))).toEqual(['0000000001.parquet', '0000000003.parquet']);
  });

  test('costs nothing while its log is still there', async () => {
    const lake = await openLake(directory);
    await lake.sink.write([landingRow('c')]);
    const crashed = await crashCopy(directory);
    await writeFile(join(crashed, 'lake', PARTITION, '0000000003.parquet'), 'PAR1');

    expect(await ids(await openLake(crashed))).toEqual(['a', 'b', 'c']);
  });

  test('costs nothing while the files that it was made from are still there', async () => {
    await writeFile(inLake(`${PARTITION}/0000000001-0000000002.parquet`), 'PAR1');

    expect(await ids(await openLake(directory))).toEqual(['a', 'b']);
  });

  test('is set aside when it becomes one while the service runs', async () => {
    const lake = await openLake(directory, { logger });
    await truncate(inLake(FIRST), 100);

    expect(await ids(lake)).toEqual(['b']);
    expect(logger.lines).toEqual([setAside(FIRST)]);
  });

  test('is not what an error names whose text a caller chose', async () => {
    const lake = await openLake(directory, { logger });
    const text = `SELECT CAST('${inLake(FIRST)}' AS INTEGER) FROM ${lake.table}`;

    await expect(query(lake, text)).rejects.toMatchObject({ code: 'query_data_error' });

    expect(await ids(lake)).toEqual(['a', 'b']);
    expect(logger.lines).toEqual([]);
  });
});

describe('a damaged file of compacted events', () => {
  const HOUR = Date.parse('2026-01-02T03:00:00Z') / 3_600_000;
  const COMPACTED = 'log_events_compacted/day=2026-01-02/0000000001.parquet';

  beforeEach(async () => {
    const lake = await openLake(directory);
    const hour = HOUR * 3_600_000;
    for (const day of await lake.compaction.missingDays(hour)) {
      await lake.compaction.copy(hour, [day], 'token');
    }
    await lake.close();
    expect(await filesBelow(join(directory, 'lake'))).toContain(COMPACTED);
  });

  test('is set aside at the start', async () => {
    await truncate(inLake(COMPACTED), 100);

    const lake = await openLake(directory, { logger });

    expect(await query(lake, `SELECT count(*) FROM ${lake.compactedTable}`)).toEqual([['0']]);
    expect(logger.lines).toEqual([setAside(COMPACTED)]);
  });

  test('is set aside while the service runs', async () => {
    const lake = await openLake(directory, { logger });
    await truncate(inLake(COMPACTED), 100);

    expect(await query(lake, `SELECT count(*) FROM ${lake.compactedTable}`)).toEqual([['0']]);
    expect(await ids(lake)).toEqual(['a', 'b']);
    expect(logger.lines).toEqual([setAside(COMPACTED)]);
  });
});

describe('what cannot be set aside', () => {
  test('a damaged lock is named, with what to do', async () => {
    await writeFile(join(directory, 'wal/lock'), 'x'.repeat(20_000));

    await expect(openLake(directory)).rejects.toThrow(
      `The file ${join(directory, 'wal/lock')} cannot be locked. If no other server uses the data ` +
        'directory, remove this file and start again',
    );
  });

  test('a damaged registry is named, and the command that it names repairs it', async () => {
    const registry = join(await temporaryDirectory(), 'registry');
    const first = await startDynamoDB(registry);
    const Key = { pk: 'p', sk: 's' };
    await first.client.send(new PutCommand({ TableName: LOCAL_TABLES.registry, Item: Key }));
    await first.close();
    const manifest = (await readdir(registry)).find((name) => name.startsWith('MANIFEST')) ?? '';
    await truncate(join(registry, manifest), 10);

    await expect(startDynamoDB(registry)).rejects.toThrow(
      `repair it with "npm run repair-registry -- ${registry}"`,
    );

    await promisify(execFile)(process.execPath, ['bin/repair-registry.ts', registry]);
    const second = await startDynamoDB(registry);
    const { Item: item } = await second.client.send(
      new GetCommand({ TableName: LOCAL_TABLES.registry, Key }),
    );
    expect(item).toEqual(Key);
    await second.close();
  });
});
