import { readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { lockDirectory } from '../../../../src/local/storage/disk/directory-lock.ts';
import { landingRow } from '../../../ports/event-sink.contract.ts';
import { cleanUpAfterEach, ids, openLake, temporaryDirectory } from '../../support.ts';
import { startWriter, type Writer } from '../../writer-process.ts';

cleanUpAfterEach();

const writers: Writer[] = [];

afterEach(async () => {
  await Promise.all(writers.splice(0).map((writer) => writer.kill()));
});

test('refuses a second lake on one directory in the same process', async () => {
  const directory = await temporaryDirectory();
  await openLake(directory);

  await expect(openLake(directory)).rejects.toThrow(/in use by another server/);
});

test('refuses it under another name of the directory', async () => {
  const directory = await temporaryDirectory();
  const alias = join(await temporaryDirectory(), 'alias');
  await symlink(directory, alias);
  await openLake(directory);

  await expect(openLake(alias)).rejects.toThrow(/in use by another server/);
});

test('refuses it while another process has the directory, and allows it once that was killed', async () => {
  const directory = await temporaryDirectory();
  const writer = await startWriter(directory);
  writers.push(writer);
  await writer.acknowledged(1);

  await expect(openLake(directory)).rejects.toThrow(/in use by another server/);

  await writer.kill();
  expect((await ids(await openLake(directory))).length).toBeGreaterThan(0);
});

test('leaves the first lake working after a refusal', async () => {
  const directory = await temporaryDirectory();
  const lake = await openLake(directory);
  await openLake(directory).catch(() => undefined);

  await lake.sink.write([landingRow('a')]);

  expect(await ids(lake)).toEqual(['a']);
});

test('gives the directory back when it is closed', async () => {
  const directory = await temporaryDirectory();
  (await lockDirectory(directory)).release();

  const again = await lockDirectory(directory);
  again.release();

  expect(await readdir(directory)).toEqual(['lock']);
});

test('says that the lock file is the trouble when it is damaged', async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'lock'), 'not a lock file');

  await expect(lockDirectory(directory)).rejects.toThrow(/cannot be locked/);
});

test('ignores the draft of a lock file that a crash left', async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, `lock.${process.pid}`), 'half');

  const lock = await lockDirectory(directory);
  lock.release();

  expect(await readdir(directory)).toEqual(['lock']);
});
