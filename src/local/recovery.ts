import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { Clock, Logger } from '../ports.ts';
import {
  type FileSystem,
  removeFile,
  syncDirectory,
  syncPath,
  truncateFile,
} from './file-system.ts';
import type { ConvertedSegments } from './parquet-files.ts';
import { isRow } from './row-text.ts';
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
  const parsed = parseSegment(content);
  if (parsed.length < content.length) {
    options.logger.warn('write-ahead log: cut off an unfinished write, never acknowledged', {
      segment: number,
      bytes: content.length - parsed.length,
    });
    await truncateFile(options.files, path, parsed.length);
  }
  if (parsed.rejected.length > 0) {
    await setAside(path, parsed.rejected, options);
  }
  const openedAt = options.clock.now();
  const rows = parsed.rows;
  return { segment: { number, path, openedAt, bytes: parsed.length, rows: rows.length }, rows };
}

export interface ParsedSegment {
  readonly rows: readonly string[];
  /** Lines that are no rows although something follows them: damage, not an unfinished write. */
  readonly rejected: readonly Uint8Array[];
  /** Bytes to keep: all but a last line that is incomplete or no row. */
  readonly length: number;
}

/** Tells a segment's rows from the bytes that a crash or a bad disk left between and after them. */
export function parseSegment(content: Buffer): ParsedSegment {
  const rows: string[] = [];
  const unreadable: { readonly start: number; readonly line: Uint8Array }[] = [];
  for (let start = 0; start < content.length; ) {
    const newline = content.indexOf(0x0a, start);
    const end = newline === -1 ? content.length : newline;
    const text = content.toString('utf8', start, end);
    if (newline !== -1 && isRow(text)) {
      rows.push(text);
    } else {
      unreadable.push({ start, line: content.subarray(start, end) });
    }
    start = end + 1;
  }
  const last = unreadable.at(-1);
  const torn = last !== undefined && last.start + last.line.length + 1 >= content.length;
  const rejected = torn ? unreadable.slice(0, -1) : unreadable;
  return {
    rows,
    rejected: rejected.map(({ line }) => line),
    length: torn ? last.start : content.length,
  };
}

/** Written anew at each recovery of the same segment, hence once however often it is repeated. */
async function setAside(
  path: string,
  lines: readonly Uint8Array[],
  options: RecoveryOptions,
): Promise<void> {
  const rejectedPath = path.replace(/\.ndjson$/, '.rejected');
  options.logger.error('write-ahead log: lines are damaged and were set aside', {
    lines: lines.length,
    file: rejectedPath,
  });
  await writeFile(rejectedPath, Buffer.concat(lines.flatMap((line) => [line, NEWLINE])));
  await syncPath(options.files, rejectedPath);
  await syncDirectory(options.files, options.directory);
}

/** The highest segment number in use, so that none is ever given twice; 0 when there is none. */
export async function highestSegment(
  directory: string,
  converted: ConvertedSegments,
): Promise<number> {
  const numbers = (await readdir(directory)).map((name) => segmentNumber(name) ?? 0);
  return numbers.reduce((highest, number) => Math.max(highest, number), converted.highest);
}
