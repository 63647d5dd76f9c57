import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { landingRow } from '../ports/event-sink.contract.ts';
import { FaultyFileSystem } from './faulty-file-system.ts';
import {
  cleanUpAfterEach,
  crashCopy,
  filesBelow,
  ids,
  openLake,
  RecordingLogger,
  temporaryDirectory,
} from './support.ts';

cleanUpAfterEach();

describe('trouble with the disk', () => {
  test('goes on answering queries while writes are refused', async () => {
    const fileSystem = new FaultyFileSystem();
    const lake = await openLake(await temporaryDirectory(), { fileSystem });
    await lake.sink.write([landingRow('a')]);
    fileSystem.fault = () => 'ENOSPC';

    await expect(lake.sink.write([landingRow('b')])).rejects.toMatchObject({
      code: 'sink_unavailable',
    });

    expect(await ids(lake)).toEqual(['a']);
  });

  test.each(['sync', 'rename'] as const)(
    'keeps rows when a conversion fails (%s)',
    async (failing) => {
      const directory = await temporaryDirectory();
      const fileSystem = new FaultyFileSystem();
      const lake = await openLake(directory, { fileSystem });
      await lake.sink.write([landingRow('a')]);
      fileSystem.fault = (operation, name) =>
        operation === failing && name.endsWith('.parquet') ? 'EIO' : undefined;

      await expect(lake.flush()).rejects.toThrow('EIO');

      expect(await ids(lake)).toEqual(['a']);
      expect(await ids(await openLake(await crashCopy(directory)))).toEqual(['a']);
      fileSystem.fault = () => undefined;
      await lake.flush();
      expect(await ids(lake)).toEqual(['a']);
      expect(await filesBelow(join(directory, 'wal'))).toEqual(['lock']);
    },
  );

  test('syncs a Parquet file before its rename, the directory after, the log’s end last', async () => {
    const fileSystem = new FaultyFileSystem();
    const lake = await openLake(await temporaryDirectory(), { fileSystem });
    await lake.sink.write([landingRow('a')]);

    await lake.flush();

    const steps = fileSystem.calls.filter((call) =>
      /^(sync|rename|unlink) (0000000001|hour=)/.test(call),
    );
    expect(steps).toEqual([
      'sync 0000000001.parquet',
      'rename 0000000001.parquet',
      'sync hour=03',
      'unlink 0000000001.ndjson',
    ]);
  });

  test('reports a segment that it could not remove and does not count it twice', async () => {
    const directory = await temporaryDirectory();
    const fileSystem = new FaultyFileSystem();
    const logger = new RecordingLogger();
    const lake = await openLake(directory, { fileSystem, logger });
    await lake.sink.write([landingRow('a')]);
    fileSystem.fault = (operation) => (operation === 'unlink' ? 'EIO' : undefined);

    await lake.flush();

    expect(logger.lines.map(({ level }) => level)).toContain('warn');
    expect(await ids(lake)).toEqual(['a']);
    expect(await ids(await openLake(await crashCopy(directory)))).toEqual(['a']);
  });

  test('says which events are lost with a file of the log that was removed, and goes on', async () => {
    const directory = await temporaryDirectory();
    const logger = new RecordingLogger();
    const lake = await openLake(directory, { logger });
    await lake.sink.write([landingRow('a'), landingRow('b')]);
    await rm(join(directory, 'wal/0000000001.ndjson'));

    await lake.flush();
    await lake.sink.write([landingRow('c')]);

    expect(logger.lines).toContainEqual({
      level: 'error',
      message: expect.stringContaining('lost'),
      fields: { file: join(directory, 'wal/0000000001.ndjson'), rows: 2 },
    });
    expect(await ids(lake)).toEqual(['c']);
    await lake.flush();
    expect(await ids(lake)).toEqual(['c']);
  });
});
