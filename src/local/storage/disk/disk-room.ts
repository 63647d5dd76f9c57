import { open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FileSystem, nodeFileSystem } from './file-system.ts';

/**
 * Whether the kernel takes so many bytes in a directory now. Free blocks alone do not tell: quotas
 * and limits of file sizes refuse writes, too.
 */
export async function hasRoom(directory: string, bytes: number): Promise<boolean> {
  // Room that is only just there is left to others; the trial would take it from them.
  if ((await nodeFileSystem.freeBytes(directory)) < 2 * bytes) return false;
  const path = join(directory, 'room.tmp');
  try {
    const file = await open(path, 'w');
    try {
      await file.writeFile(Buffer.alloc(bytes));
      await file.sync();
      return true;
    } finally {
      await file.close();
    }
  } catch {
    return false;
  } finally {
    await rm(path, { force: true });
  }
}

/** Left for the log, for which a full disk means refused events; larger files only save time. */
const RESERVED_BYTES = 256 * 1024 * 1024;

/** @throws Error when writing so many bytes beside a file would take from what the log may need. */
export async function assertRoom(files: FileSystem, path: string, bytes: number): Promise<void> {
  const free = await files.freeBytes(dirname(path));
  const needed = bytes + RESERVED_BYTES;
  if (free < needed) {
    throw new Error(`the disk has ${free} bytes left, and this waits for ${needed}`);
  }
}
