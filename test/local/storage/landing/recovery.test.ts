import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { nodeFileSystem } from '../../../../src/local/storage/disk/file-system.ts';
import { parseSegment, recoverSegments } from '../../../../src/local/storage/landing/recovery.ts';
import { ConvertedSegments } from '../../../../src/local/storage/parquet/parquet-files.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import { landingRow } from '../../../ports/event-sink.contract.ts';
import {
  cleanUpAfterEach,
  crashCopy,
  ids,
  openLake,
  RecordingLogger,
  temporaryDirectory,
} from '../../support.ts';
import { logOf, rowOf } from '../log/log-lines.ts';

cleanUpAfterEach();

const SEGMENT = 'wal/0000000001.ndjson';
const PARTITION = 'lake/log_events/dt=2026-01-02/hour=03';

describe('after a crash', () => {
  let directory: string;

  /** A directory with the acknowledged rows a and b in a segment that was not converted. */
  beforeEach(async () => {
    const original = await temporaryDirectory();
    const lake = await openLake(original);
    await lake.sink.write([landingRow('a'), landingRow('b')]);
    directory = await crashCopy(original);
  });

  test('reads a segment that was not converted', async () => {
    expect(await ids(await openLake(directory))).toEqual(['a', 'b']);
  });

  test('converts it', async () => {
    const lake = await openLake(directory);
    await lake.flush();

    expect(await readdir(join(directory, PARTITION))).toEqual(['0000000001.parquet']);
    expect(await readdir(join(directory, 'wal'))).toEqual(['lock']);
  });

  test('drops half a Parquet file', async () => {
    await writeFile(join(directory, 'lake/tmp/0000000001.parquet'), 'PAR1 and no more');

    const lake = await openLake(directory);
    await lake.flush();

    expect(await ids(lake)).toEqual(['a', 'b']);
    expect(await readdir(join(directory, 'lake/tmp'))).toEqual([]);
  });

  test('drops a segment whose Parquet file is complete', async () => {
    const converted = await crashCopy(directory);
    const earlier = await openLake(converted);
    await earlier.flush();
    await earlier.close();
    await mkdir(join(directory, PARTITION), { recursive: true });
    await cp(join(converted, PARTITION), join(directory, PARTITION), { recursive: true });

    const lake = await openLake(directory);

    expect(await ids(lake)).toEqual(['a', 'b']);
    await lake.flush();
    expect(await ids(lake)).toEqual(['a', 'b']);
    expect(await readdir(join(directory, 'wal'))).toEqual(['lock']);
  });

  test('never gives the number of a Parquet file to a new segment', async () => {
    const lake = await openLake(directory);
    await lake.flush();
    await lake.close();

    const next = await openLake(directory);
    await next.sink.write([landingRow('c')]);
    await next.flush();

    expect(await ids(next)).toEqual(['a', 'b', 'c']);
    expect((await readdir(join(directory, PARTITION))).sort()).toEqual([
      '0000000001.parquet',
      '0000000002.parquet',
    ]);
  });

  test('ignores an empty segment', async () => {
    await writeFile(join(directory, 'wal/0000000002.ndjson'), '');

    const lake = await openLake(directory);
    await lake.flush();

    expect(await ids(lake)).toEqual(['a', 'b']);
    expect(await readdir(join(directory, 'wal'))).toEqual(['lock']);
  });

  test.each([
    ['half a row', '{"id":"torn","event_mess'],
    ['a whole row without its line end', landingRow('torn')],
    ['zeros, as some file systems leave', '\0'.repeat(4096)],
  ])('sets an incomplete last line aside and says so: %s', async (_what, tail) => {
    await appendFile(join(directory, SEGMENT), tail);
    const logger = new RecordingLogger();
    const copy = await crashCopy(directory);

    const lake = await openLake(copy, { logger });

    expect(await ids(lake)).toEqual(['a', 'b']);
    expect(logger.lines).toContainEqual({
      level: 'warn',
      message: expect.stringContaining('incomplete'),
      fields: {
        segment: 1,
        bytes: Buffer.byteLength(tail),
        file: join(copy, 'wal/0000000001.rejected'),
      },
    });
    expect(await readFile(join(copy, 'wal/0000000001.rejected'), 'utf8')).toBe(`${tail}\n`);
  });

  test.each([
    ['first', (text: string) => text.replace('"a"', '"A"'), ['b']],
    ['last', (text: string) => text.replace('"b"', '"B"'), ['a']],
  ])('takes an event that a bad disk changed for damage: the %s', async (_which, change, left) => {
    const intact = await readFile(join(directory, SEGMENT), 'utf8');
    await writeFile(join(directory, SEGMENT), change(intact));
    const logger = new RecordingLogger();

    const lake = await openLake(directory, { logger });

    expect(await ids(lake)).toEqual(left);
    expect(logger.lines).toContainEqual({
      level: 'error',
      message: expect.stringContaining('acknowledged'),
      fields: { segment: 1, lines: 1, file: join(directory, 'wal/0000000001.rejected') },
    });
    const [changed] = change(intact)
      .split('\n')
      .filter((line) => line !== '' && !intact.includes(line));
    expect(await readFile(join(directory, 'wal/0000000001.rejected'), 'utf8')).toBe(`${changed}\n`);
  });

  test('never gives the number of a segment that is damaged throughout to a new one', async () => {
    await writeFile(join(directory, SEGMENT), 'garbage\n');
    const lake = await openLake(directory);
    await lake.flush();
    await lake.close();

    const next = await openLake(directory);
    await next.sink.write([landingRow('c')]);
    await next.flush();

    expect(await readdir(join(directory, PARTITION))).toEqual(['0000000002.parquet']);
    expect(await readFile(join(directory, 'wal/0000000001.rejected'), 'utf8')).toBe('garbage\n');
  });

  test('sets a damaged line in the middle aside and says so', async () => {
    const damaged = Buffer.from('{"id":"dam\u0001aged\n');
    await writeFile(
      join(directory, SEGMENT),
      Buffer.concat([logOf([landingRow('a')]), damaged, logOf([landingRow('b')])]),
    );
    const logger = new RecordingLogger();

    const lake = await openLake(directory, { logger });
    await lake.flush();

    expect(await ids(lake)).toEqual(['a', 'b']);
    expect(await readFile(join(directory, 'wal/0000000001.rejected'), 'utf8')).toBe(
      '{"id":"dam\u0001aged\n',
    );
    expect(logger.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  test('may crash again before it converts anything', async () => {
    for (let crash = 0; crash < 3; crash += 1) {
      const lake = await openLake(directory);
      await lake.sink.write([landingRow(`c${crash}`)]);
      directory = await crashCopy(directory);
    }

    expect(await ids(await openLake(directory))).toEqual(['a', 'b', 'c0', 'c1', 'c2']);
  });

  test('works when the lake was moved away', async () => {
    await rm(join(directory, 'lake'), { recursive: true });

    expect(await ids(await openLake(directory))).toEqual(['a', 'b']);
  });
});

describe('recovery of a torn tail', () => {
  /** The last holds characters of two to four bytes, so that cuts fall into them, too. */
  const ROWS = [landingRow('a'), landingRow('b'), landingRow('c', 'ø€🎉')];
  const whole = logOf(ROWS);

  let directory: string;
  let path: string;
  beforeEach(async () => {
    directory = await temporaryDirectory();
    path = join(directory, '0000000001.ndjson');
  });

  async function recover(): Promise<readonly (string | undefined)[]> {
    const rows: (string | undefined)[] = [];
    const converted = new ConvertedSegments([]);
    const [files, clock, logger] = [nodeFileSystem, systemClock, new RecordingLogger()];
    for await (const found of recoverSegments({ directory, files, clock, logger, converted })) {
      const lines = (await readFile(found.path, 'utf8')).split('\n').slice(0, -1);
      expect(lines).toHaveLength(found.rows);
      rows.push(...lines.map((line) => rowOf(Buffer.from(line))));
    }
    return rows;
  }

  test('keeps the whole rows of a segment that was cut in its last rows, and only them', async () => {
    for (let length = whole.indexOf('\n'); length < whole.length; length += 1) {
      const content = whole.subarray(0, length);
      const complete = content.toString('latin1').split('\n').length - 1;
      await writeFile(path, content);

      expect(await recover()).toEqual(ROWS.slice(0, complete));
      // As often as a start is cut short.
      expect(await recover()).toEqual(ROWS.slice(0, complete));
    }
  });

  test('keeps every row before garbage of any kind', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 64 }), async (garbage) => {
        await writeFile(path, Buffer.concat([whole, garbage]));

        expect((await recover()).slice(0, ROWS.length)).toEqual(ROWS);
        expect(await recover()).toEqual(await recover());
      }),
      { numRuns: 50 },
    );
  });

  test('finds nothing in an empty segment', async () => {
    await writeFile(path, '');

    expect(await recover()).toEqual([]);
  });
});

describe('parseSegment', () => {
  const row = fc
    .record({ id: fc.string({ unit: 'binary' }), n: fc.integer() })
    .map((value) => JSON.stringify(value).toWellFormed());
  const rows = fc.array(row);

  test('reads back what was written', () => {
    fc.assert(
      fc.property(rows, (texts) => {
        const { whole, damaged, tail } = parseSegment(logOf(texts));

        expect(whole.map(rowOf)).toEqual(texts);
        expect([damaged, tail]).toEqual([[], undefined]);
      }),
    );
  });

  test('keeps every whole row of a segment that was cut anywhere', () => {
    fc.assert(
      fc.property(rows, fc.nat(), (texts, at) => {
        const whole = logOf(texts);
        const content = whole.subarray(0, at % (whole.length + 1));
        const complete = content.toString('latin1').split('\n').length - 1;

        const parsed = parseSegment(content);

        expect(parsed.whole.map(rowOf)).toEqual(texts.slice(0, complete));
        expect(parsed.damaged).toEqual([]);
      }),
    );
  });

  test('accounts for every byte of any content', () => {
    const line = fc.oneof(row.map(lineOf), row, fc.string());
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.boolean(), (texts, ended) => {
        const content = Buffer.from(texts.join('\n') + (ended ? '\n' : ''));

        const { whole, damaged, tail } = parseSegment(content);

        const lines = content.toString('latin1').split('\n');
        expect(whole.length + damaged.length).toBe(lines.length - 1);
        expect(tail?.length ?? 0).toBe(lines.at(-1)?.length);
      }),
    );
  });
});

describe('a line of the log', () => {
  const row = JSON.stringify({ id: 'a', message: 'ø€🎉 "quoted"', n: 1 });

  test('is JSON with all fields of the row', () => {
    expect(JSON.parse(lineOf(row))).toMatchObject(JSON.parse(row));
  });

  test('shows any change of a bit behind its name', () => {
    const line = Buffer.from(lineOf(row));
    for (let index = '{"crc32":"'.length; index < line.length; index += 1) {
      for (let bit = 1; bit < 256; bit *= 2) {
        const changed = Buffer.from(line);
        changed[index] = (changed[index] ?? 0) ^ bit;

        expect([undefined, row]).toContain(rowOf(changed));
      }
    }
  });
});

function lineOf(row: string): string {
  return logOf([row]).toString().slice(0, -1);
}
