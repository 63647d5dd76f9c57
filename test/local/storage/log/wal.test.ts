import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { truncateFile } from '../../../../src/local/storage/disk/file-system.ts';
import type { Segment } from '../../../../src/local/storage/log/segment.ts';
import { Wal, type WalOptions } from '../../../../src/local/storage/log/wal.ts';
import { FaultyFileSystem } from '../../faulty-file-system.ts';
import { cleanUpAfterEach, RecordingLogger, temporaryDirectory } from '../../support.ts';
import { rowOf } from './log-lines.ts';

cleanUpAfterEach();

let directory: string;
let files: FaultyFileSystem;
let now: number;
/** Rows of a segment, each time that there were more of them. */
let durable: number[];
let sealed: Segment[];

beforeEach(async () => {
  directory = await temporaryDirectory();
  files = new FaultyFileSystem();
  now = Date.parse('2026-01-02T03:04:05Z');
  durable = [];
  sealed = [];
});

function openWal(options: Partial<WalOptions> = {}): Wal {
  return new Wal({
    directory,
    files,
    clock: { now: () => now },
    logger: new RecordingLogger(),
    firstNumber: 1,
    rotateBytes: 1_000_000,
    rotateMs: 60_000,
    onDurable: ({ rows }) => durable.push(rows),
    onSealed: (segment) => sealed.push(segment),
    ...options,
  });
}

/** The lines of all segments, as a restart would read them. */
async function onDisk(): Promise<string[]> {
  const names = (await readdir(directory)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  return texts
    .join('')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => rowOf(Buffer.from(line)) ?? `damaged: ${line}`);
}

async function codeOf(write: Promise<void>): Promise<string> {
  return write.then(
    () => 'stored',
    (error) => `${error.code} ${error.status}`,
  );
}

/** Lets the test hold every call of one kind, and let them go. */
function hold(kind: string): { arrived: Promise<void>; release(): void } {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  files.gate = async (operation) => {
    if (operation === kind) {
      arrived.resolve();
      await released.promise;
    }
  };
  return { arrived: arrived.promise, release: released.resolve };
}

describe('group commit', () => {
  test('shares one fsync among writes that arrive while another runs', async () => {
    const wal = openWal();
    const fsync = hold('datasync');
    const first = wal.append(['{"id":"0"}']);
    await fsync.arrived;

    const others = Array.from({ length: 50 }, (_, index) => wal.append([`{"id":"${index + 1}"}`]));
    fsync.release();
    await Promise.all([first, ...others]);

    expect(files.count('datasync')).toBe(2);
    expect(await onDisk()).toHaveLength(51);
  });

  test('does not resolve before the fsync has returned', async () => {
    const wal = openWal();
    const fsync = hold('datasync');
    let resolved = false;
    const write = wal.append(['{"id":"0"}']).then(() => {
      resolved = true;
    });

    await fsync.arrived;
    await new Promise(setImmediate);
    expect(resolved).toBe(false);

    fsync.release();
    await write;
    expect(resolved).toBe(true);
  });

  test('syncs the directory before the first row of a new segment counts', async () => {
    await openWal().append(['{"id":"0"}']);

    const name = '0000000001.ndjson';
    expect(files.calls.slice(-6)).toEqual([
      `open ${name}`,
      expect.stringMatching(/^open sluice-lake-/),
      expect.stringMatching(/^sync sluice-lake-/),
      expect.stringMatching(/^close sluice-lake-/),
      `write ${name}`,
      `datasync ${name}`,
    ]);
  });

  test('continues a write that the file system took only in part', async () => {
    const { open } = files;
    files.open = async (path, flags) => {
      const file = await open.call(files, path, flags);
      const { write } = file;
      return { ...file, write: (data, offset, _length, at) => write(data, offset, 1, at) };
    };

    await openWal().append(['{"id":"0"}', '{"id":"1"}']);

    expect(await onDisk()).toEqual(['{"id":"0"}', '{"id":"1"}']);
  });
});

describe('rotation', () => {
  test('seals a segment that has reached its size', async () => {
    const wal = openWal({ rotateBytes: 50 });

    await wal.append(['{"id":"0"}']);
    expect(sealed).toEqual([]);
    await wal.append(['{"id":"1"}']);

    expect(sealed).toMatchObject([{ number: 1, bytes: 60, rows: 2 }]);
  });

  test('gives a row that arrives after the segment’s time a new segment, timer or not', async () => {
    const wal = openWal({ rotateMs: 60_000 });
    await wal.append(['{"id":"0"}']);

    now += 60_000;
    await wal.append(['{"id":"1"}']);

    expect(sealed).toMatchObject([{ number: 1, rows: 1 }]);
    expect(await onDisk()).toEqual(['{"id":"0"}', '{"id":"1"}']);
    expect(await readdir(directory)).toContain('0000000002.ndjson');
  });

  test('seals a segment when its time is over although nothing more arrives', async () => {
    const done = Promise.withResolvers<Segment>();
    const wal = openWal({ rotateMs: 5, onSealed: done.resolve });

    await wal.append(['{"id":"0"}']);

    expect(await done.promise).toMatchObject({ number: 1, rows: 1 });
  });

  test('keeps a row acknowledged when the full segment does not close', async () => {
    files.fault = (operation, name) =>
      operation === 'close' && name.endsWith('.ndjson') ? 'EIO' : undefined;

    expect(await codeOf(openWal({ rotateBytes: 1 }).append(['{"id":"0"}']))).toBe('stored');
    expect(durable).toEqual([1]);
  });
});

describe('a write that fails', () => {
  test.each(['write', 'datasync'] as const)('leaves no byte behind (%s)', async (failing) => {
    const wal = openWal();
    await wal.append(['{"id":"before"}']);
    files.fault = (operation) => (operation === failing ? 'ENOSPC' : undefined);

    expect(await codeOf(wal.append(['{"id":"refused"}']))).toBe('sink_unavailable 503');

    expect(await onDisk()).toEqual(['{"id":"before"}']);
    expect(durable).toEqual([1]);
  });

  test('refuses every write that shared its fsync', async () => {
    const wal = openWal();
    files.fault = (operation) => (operation === 'datasync' ? 'EIO' : undefined);

    const codes = await Promise.all([
      codeOf(wal.append(['{"id":"0"}'])),
      codeOf(wal.append(['{"id":"1"}'])),
    ]);

    expect(codes).toEqual(['sink_unavailable 503', 'sink_unavailable 503']);
    expect(await onDisk()).toEqual([]);
  });

  test('never uses that file again', async () => {
    const wal = openWal();
    await wal.append(['{"id":"before"}']);
    files.fault = (operation) => (operation === 'datasync' ? 'EIO' : undefined);
    await codeOf(wal.append(['{"id":"refused"}']));
    files.fault = () => undefined;

    await wal.append(['{"id":"after"}']);

    expect(sealed).toMatchObject([{ number: 1, rows: 1 }]);
    expect(await onDisk()).toEqual(['{"id":"before"}', '{"id":"after"}']);
    expect(await readdir(directory)).toContain('0000000002.ndjson');
  });

  test('lets nothing else in until its bytes are cut off', async () => {
    const wal = openWal();
    await wal.append(['{"id":"before"}']);
    files.fault = (operation) =>
      operation === 'datasync' || operation === 'truncate' ? 'EIO' : undefined;
    await codeOf(wal.append(['{"id":"refused"}']));

    files.fault = (operation) => (operation === 'truncate' ? 'EIO' : undefined);
    expect(await codeOf(wal.append(['{"id":"too early"}']))).toBe('sink_unavailable 503');
    files.fault = () => undefined;
    await wal.append(['{"id":"after"}']);

    expect(await onDisk()).toEqual(['{"id":"before"}', '{"id":"after"}']);
  });

  test.each(['open', 'sync'] as const)('may be the first of a segment (%s)', async (failing) => {
    const wal = openWal();
    files.fault = (operation) => (operation === failing ? 'ENOSPC' : undefined);
    expect(await codeOf(wal.append(['{"id":"refused"}']))).toBe('sink_unavailable 503');
    files.fault = () => undefined;

    await wal.append(['{"id":"after"}']);

    expect(await onDisk()).toEqual(['{"id":"after"}']);
  });

  test('carries the error of the file system for the log and keeps it from the client', async () => {
    files.fault = (operation) => (operation === 'write' ? 'ENOSPC' : undefined);

    const error = await openWal()
      .append(['{"id":"0"}'])
      .catch((reason) => reason);

    expect(error.message).not.toContain('ENOSPC');
    expect(error.cause).toMatchObject({ code: 'ENOSPC' });
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
  });
});

describe('limits and the end', () => {
  test('sends writers away when the disk does not keep up', async () => {
    const wal = openWal();
    const fsync = hold('datasync');
    const first = wal.append(['{"id":"0"}']);
    await fsync.arrived;
    const half = `{"id":"${'x'.repeat(40_000_000)}"}`;
    const second = wal.append([half]);

    expect(await codeOf(wal.append([half]))).toBe('sink_unavailable 503');

    fsync.release();
    await Promise.all([first, second]);
    expect(durable).toHaveLength(2);
  });

  test('makes accepted writes durable before it closes, and accepts none after', async () => {
    const wal = openWal();
    const write = wal.append(['{"id":"0"}']);

    await wal.close();

    expect(await codeOf(write)).toBe('stored');
    expect(await codeOf(wal.append(['{"id":"1"}']))).toBe('sink_unavailable 503');
    expect(await onDisk()).toEqual(['{"id":"0"}']);
  });
});

describe('truncateFile', () => {
  test('is durable when it returns', async () => {
    const wal = openWal();
    await wal.append(['{"id":"0"}']);
    const path = join(directory, '0000000001.ndjson');

    await truncateFile(files, path, 3);

    expect(await readFile(path, 'utf8')).toBe('{"c');
    expect(files.calls.slice(-3)).toEqual([
      'truncate 0000000001.ndjson',
      'sync 0000000001.ndjson',
      'close 0000000001.ndjson',
    ]);
  });
});

describe('a log that was removed while the service runs', () => {
  test('refuses what is not on disk, and hands on what was accepted before', async () => {
    const wal = openWal();
    await wal.append(['{"id":"before"}']);
    await rm(directory, { recursive: true });

    expect(await codeOf(wal.append(['{"id":"lost"}']))).toBe('sink_unavailable 503');
    expect(await codeOf(wal.append(['{"id":"later"}']))).toBe('sink_unavailable 503');

    expect(durable).toEqual([1]);
    expect(sealed).toMatchObject([{ number: 1, rows: 1 }]);
  });

  test('goes on in another file, where only its file was removed', async () => {
    const wal = openWal();
    await wal.append(['{"id":"before"}']);
    await rm(join(directory, '0000000001.ndjson'));

    expect(await codeOf(wal.append(['{"id":"lost"}']))).toBe('sink_unavailable 503');
    expect(await codeOf(wal.append(['{"id":"later"}']))).toBe('stored');

    expect(await onDisk()).toEqual(['{"id":"later"}']);
    await wal.close();
  });
});
