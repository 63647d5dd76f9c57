import { type FileHandle, open } from 'node:fs/promises';
import { isCode } from '../disk/file-system.ts';
import type { Segment } from './segment.ts';

/** More than a line can have. */
const CHUNK_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

export interface SegmentChunk {
  /** JSON text each. */
  readonly lines: readonly string[];
  /** Where the chunk ends in the segment. */
  readonly end: number;
}

/**
 * Reads the lines of a segment that are on disk, some megabytes at a time.
 *
 * @param start where a line begins. A segment whose file is gone has no lines.
 */
export async function* readSegment(segment: Segment, start: number): AsyncGenerator<SegmentChunk> {
  // What is written meanwhile is not known to be on disk.
  const { bytes } = segment;
  const file = await openIfThere(segment.path);
  if (file === undefined) return;
  try {
    const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, bytes - start));
    for (let at = start; at < bytes; ) {
      const length = Math.min(buffer.length, bytes - at);
      const { bytesRead } = await file.read(buffer, 0, length, at);
      const end = buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE);
      if (end === -1) throw new Error(`${segment.path} has no line end where one was written`);
      yield { lines: buffer.toString('utf8', 0, end).split('\n'), end: at + end + 1 };
      at += end + 1;
    }
  } finally {
    await file.close();
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
