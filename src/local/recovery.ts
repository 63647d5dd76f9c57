import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { Clock, Logger } from '../ports.ts';
import { type FileSystem, removeFile, syncDirectory, syncPath } from './file-system.ts';
import { fromLine } from './log-line.ts';
import type { ConvertedSegments } from './parquet-files.ts';
import { type Segment, segmentNumber, segmentPath } from './segment.ts';

const NEWLINE = Buffer.from('\n');

export interface RecoveryOptions {
  readonly directory: string;
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Numbers of the segments whose Parquet file is in the lake. */
  readonly converted: ConvertedSegments;
}

export interface RecoveredSegment {
  readonly segment: Segment;
  readonly rows: readonly string[];
}

/**
 * Reads what a stopped process left in the log directory, oldest segment first. May itself be
 * stopped anywhere and run again.
 */
export async function* recoverSegments(options: RecoveryOptions): AsyncGenerator<RecoveredSegment> {
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
): Promise<RecoveredSegment> {
  const content = await readFile(path);
  const { rows, damaged, tail } = parseSegment(content);
  const aside = tail === undefined ? damaged : [...damaged, tail];
  if (aside.length > 0) {
    const file = await setAside(path, aside, options);
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
  const openedAt = options.clock.now();
  return { segment: { number, path, openedAt, bytes: content.length, rows: rows.length }, rows };
}

export interface ParsedSegment {
  readonly rows: readonly string[];
  /** Whole lines that are not as they were written. */
  readonly damaged: readonly Uint8Array[];
  /** What follows the last line end. */
  readonly tail: Uint8Array | undefined;
}

/** Tells a segment's rows from the bytes that a crash or a bad disk left between and after them. */
export function parseSegment(content: Buffer): ParsedSegment {
  const rows: string[] = [];
  const damaged: Uint8Array[] = [];
  let start = 0;
  for (let end = content.indexOf(0x0a); end !== -1; end = content.indexOf(0x0a, start)) {
    const line = content.subarray(start, end);
    const row = fromLine(line);
    if (row === undefined) damaged.push(line);
    else rows.push(row);
    start = end + 1;
  }
  return { rows, damaged, tail: start < content.length ? content.subarray(start) : undefined };
}

/**
 * Written anew at each recovery of the same segment, hence once however often it is repeated.
 *
 * @returns the path of the file that has the lines.
 */
async function setAside(
  path: string,
  lines: readonly Uint8Array[],
  options: RecoveryOptions,
): Promise<string> {
  const rejectedPath = path.replace(/\.ndjson$/, '.rejected');
  await writeFile(rejectedPath, Buffer.concat(lines.flatMap((line) => [line, NEWLINE])));
  await syncPath(options.files, rejectedPath);
  await syncDirectory(options.files, options.directory);
  return rejectedPath;
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
