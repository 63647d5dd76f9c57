import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/log.ts';
import { type FileSystem, removeFile, syncDirectory, syncPath } from '../disk/file-system.ts';
import { arrivalOf, isWholeLine } from '../log/log-line.ts';
import { noteArrival, type Segment, segmentNumber, segmentPath } from '../log/segment.ts';
import type { ConvertedSegments } from '../parquet/parquet-files.ts';

const NEWLINE = Buffer.from('\n');

export interface RecoveryOptions {
  readonly directory: string;
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Numbers of the segments whose Parquet file is in the lake. */
  readonly converted: ConvertedSegments;
}

/**
 * Reads what a stopped process left in the log directory, oldest segment first, and leaves whole lines only
 * in the log. May itself be stopped anywhere and run again.
 */
export async function* recoverSegments(options: RecoveryOptions): AsyncGenerator<Segment> {
  const numbers = (await readdir(options.directory))
    .map(segmentNumber)
    .filter((number) => number !== undefined)
    .sort((a, b) => a - b);
  for (const number of numbers) {
    const path = segmentPath(options.directory, number);
    if (options.converted.has(number)) {
      // Stopped between the rename of the Parquet file and the removal of the segment.
      await removeFile(options.files, path);
      continue;
    }
    yield await recoverSegment(number, path, options);
  }
}

async function recoverSegment(
  number: number,
  path: string,
  options: RecoveryOptions,
): Promise<Segment> {
  const { whole, damaged, tail } = parseSegment(await readFile(path));
  const aside = tail === undefined ? damaged : [...damaged, tail];
  if (aside.length > 0) {
    const file = path.replace(/\.ndjson$/, '.rejected');
    await writeLines(file, aside, options);
    await writeLines(path, whole, options);
    const fields = { segment: number, file };
    if (damaged.length > 0) {
      options.logger.error(
        'write-ahead log: lines are damaged and were set aside; acknowledged events are among them, unless ' +
          'a power cut stopped a write there',
        { ...fields, lines: damaged.length },
      );
    }
    if (tail !== undefined) {
      options.logger.warn(
        'write-ahead log: the last line is incomplete and was set aside: a write that a crash cut short, ' +
          'or a file that lost its end',
        { ...fields, bytes: tail.length },
      );
    }
  }
  const segment: Segment = {
    number,
    path,
    openedAt: options.clock.now(),
    bytes: whole.reduce((sum, line) => sum + line.length + 1, 0),
    rows: whole.length,
  };
  for (const line of whole) noteArrival(segment, arrivalOf(line));
  return segment;
}

export interface ParsedSegment {
  /** Lines that are as they were written. */
  readonly whole: readonly Buffer[];
  /** Lines that are not. */
  readonly damaged: readonly Buffer[];
  /** What follows the last line end. */
  readonly tail: Buffer | undefined;
}

/** Tells a segment's rows from the bytes that a crash or a bad disk left between and after them. */
export function parseSegment(content: Buffer): ParsedSegment {
  const whole: Buffer[] = [];
  const damaged: Buffer[] = [];
  let start = 0;
  for (let end = content.indexOf(0x0a); end !== -1; end = content.indexOf(0x0a, start)) {
    const line = content.subarray(start, end);
    (isWholeLine(line) ? whole : damaged).push(line);
    start = end + 1;
  }
  return { whole, damaged, tail: start < content.length ? content.subarray(start) : undefined };
}

/** Puts a file with these lines under a path, whole and durable, or leaves what was there. */
async function writeLines(
  path: string,
  lines: readonly Buffer[],
  options: RecoveryOptions,
): Promise<void> {
  const draft = `${path}.draft`;
  await writeFile(draft, Buffer.concat(lines.flatMap((line) => [line, NEWLINE])));
  await syncPath(options.files, draft);
  await options.files.rename(draft, path);
  await syncDirectory(options.files, options.directory);
}

/** The highest segment number in use, so that none is ever given twice; 0 when there is none. */
export async function highestSegment(
  directory: string,
  converted: ConvertedSegments,
): Promise<number> {
  // Lines that were set aside keep the number of their segment, too.
  const numbers = (await readdir(directory)).map((name) =>
    Number(/^\d{10,}(?=\.)/.exec(name)?.[0] ?? 0),
  );
  return numbers.reduce((highest, number) => Math.max(highest, number), converted.highest);
}
