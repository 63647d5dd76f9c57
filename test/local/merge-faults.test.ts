import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LocalLake } from '../../src/local/lake.ts';
import { landingRow } from '../ports/event-sink.contract.ts';
import { FaultyFileSystem } from './faulty-file-system.ts';
import { cleanUpAfterEach, crashCopy, ids, openLake, temporaryDirectory } from './support.ts';

cleanUpAfterEach();

const PARTITION = 'lake/log_events/dt=2026-01-02/hour=03';
const MERGED = '0000000001-0000000003.parquet';
/** What a merge asks of the file system, in order. */
const STEPS = [
  `open ${MERGED}`,
  `sync ${MERGED}`,
  `close ${MERGED}`,
  `rename ${MERGED}`,
  'open hour=03',
  'sync hour=03',
  'close hour=03',
  'unlink 0000000001.parquet',
  'unlink 0000000002.parquet',
  'unlink 0000000003.parquet',
];
const BEFORE_REMOVAL = STEPS.filter((step) => !step.startsWith('unlink'));
const REMOVAL = STEPS.filter((step) => step.startsWith('unlink'));

let directory: string;
let fileSystem: FaultyFileSystem;
let lake: LocalLake;

/** Three files of an hour that is over, each with one row. */
beforeEach(async () => {
  directory = await temporaryDirectory();
  fileSystem = new FaultyFileSystem();
  lake = await openLake(directory, { fileSystem });
  for (const id of ['a', 'b', 'c']) {
    await lake.sink.write([landingRow(id)]);
    await lake.flush();
  }
  fileSystem.calls.length = 0;
});

function parquetFiles(of = directory): Promise<string[]> {
  return readdir(join(of, PARTITION)).then((names) => names.sort());
}

/** The rows of a lake that is opened where this one would be killed now. */
async function idsAfterCrash(): Promise<string[]> {
  return ids(await openLake(await crashCopy(directory)));
}

describe('a merge', () => {
  it('is on disk before its originals go', async () => {
    await lake.merge();

    expect(fileSystem.calls).toEqual(STEPS);
  });

  it('may be stopped before any step, and a restart shows every row once', async () => {
    const crashes: string[] = [];
    fileSystem.gate = async () => {
      crashes.push(await crashCopy(directory));
    };

    await lake.merge();

    expect(crashes).toHaveLength(STEPS.length);
    for (const crash of crashes) {
      const restarted = await openLake(crash);
      expect(await ids(restarted)).toEqual(['a', 'b', 'c']);
      await restarted.merge();
      expect(await ids(restarted)).toEqual(['a', 'b', 'c']);
      expect(await parquetFiles(crash)).toEqual([MERGED]);
      expect(await readdir(join(crash, 'lake/tmp'))).toEqual([]);
    }
  });

  it('shows the originals when a restart finds the merged file damaged', async () => {
    fileSystem.fault = (operation) => (operation === 'unlink' ? 'EIO' : undefined);
    await lake.merge();
    const crash = await crashCopy(directory);
    const path = join(crash, PARTITION, MERGED);
    const file = await new FaultyFileSystem().open(path, 'r+');
    await file.truncate((await stat(path)).size - 10);
    await file.close();

    expect(await ids(await openLake(crash))).toEqual(['a', 'b', 'c']);
    expect(await readdir(join(crash, PARTITION.replace('lake', 'lake/damaged')))).toEqual([MERGED]);
  });
});

describe.each(BEFORE_REMOVAL)('a merge that fails at "%s"', (step) => {
  beforeEach(async () => {
    fileSystem.fault = (operation, name) =>
      `${operation} ${name}` === step ? 'ENOSPC' : undefined;
    await expect(lake.merge()).rejects.toThrow('ENOSPC');
  });

  it('leaves everything as it was', async () => {
    expect(await ids(lake)).toEqual(['a', 'b', 'c']);
    expect(await parquetFiles()).toHaveLength(3);
    expect(await readdir(join(directory, 'lake/tmp'))).toEqual([]);
    expect(await idsAfterCrash()).toEqual(['a', 'b', 'c']);
  });

  it('succeeds later, with the files that came meanwhile', async () => {
    fileSystem.fault = () => undefined;
    await lake.sink.write([landingRow('d')]);
    await lake.flush();

    await lake.merge();

    expect(await ids(lake)).toEqual(['a', 'b', 'c', 'd']);
    expect(await parquetFiles()).toEqual(['0000000001-0000000004.parquet']);
    expect(await idsAfterCrash()).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('a merge that can neither finish nor be taken back', () => {
  it('is followed by no other until it is taken back', async () => {
    fileSystem.fault = (operation, name) =>
      `${operation} ${name}` === 'sync hour=03' || operation === 'unlink' ? 'EIO' : undefined;
    await expect(lake.merge()).rejects.toThrow('EIO');
    expect(await idsAfterCrash()).toEqual(['a', 'b', 'c']);
    await lake.sink.write([landingRow('d')]);
    fileSystem.fault = (operation) => (operation === 'unlink' ? 'EIO' : undefined);
    await lake.flush();

    await expect(lake.merge()).rejects.toThrow('EIO');
    expect(await idsAfterCrash()).toEqual(['a', 'b', 'c', 'd']);

    fileSystem.fault = () => undefined;
    await lake.merge();
    expect(await ids(lake)).toEqual(['a', 'b', 'c', 'd']);
    expect(await parquetFiles()).toEqual(['0000000001-0000000004.parquet']);
  });
});

describe.each(REMOVAL)('a merge that fails at "%s"', (step) => {
  it('shows each row once, now and after a restart, which removes the file', async () => {
    fileSystem.fault = (operation, name) => (`${operation} ${name}` === step ? 'EIO' : undefined);

    await lake.merge();

    expect(await ids(lake)).toEqual(['a', 'b', 'c']);
    const crash = await crashCopy(directory);
    expect(await parquetFiles(crash)).toHaveLength(2);
    expect(await ids(await openLake(crash))).toEqual(['a', 'b', 'c']);
    expect(await parquetFiles(crash)).toEqual([MERGED]);
  });

  it('may be merged again', async () => {
    fileSystem.fault = (operation, name) => (`${operation} ${name}` === step ? 'EIO' : undefined);
    await lake.merge();
    fileSystem.fault = () => undefined;
    await lake.sink.write([landingRow('d')]);
    await lake.flush();

    await lake.merge();

    expect(await ids(lake)).toEqual(['a', 'b', 'c', 'd']);
    expect(await idsAfterCrash()).toEqual(['a', 'b', 'c', 'd']);
  });
});
