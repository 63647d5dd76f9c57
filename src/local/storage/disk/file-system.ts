import { mkdir, open, rename, statfs, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What durability rests on; injected so that tests can count and refuse each call. */
export interface FileSystem {
  open(path: string, flags: string): Promise<DurableFile>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Bytes that this user may still write to the disk that holds a path. */
  freeBytes(path: string): Promise<number>;
}

/** The part of a file handle that durability needs. */
export interface DurableFile {
  /** Writes at a byte position; may write less than it was given. */
  write(
    data: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesWritten: number }>;
  truncate(length: number): Promise<void>;
  /** fdatasync: data, and the metadata needed to read it back (its size). */
  datasync(): Promise<void>;
  sync(): Promise<void>;
  readonly fd: number;
  close(): Promise<void>;
}

export const nodeFileSystem: FileSystem = {
  open,
  rename,
  unlink,
  async freeBytes(path) {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  },
};

/** Makes what was written to a file survive a power cut. */
export async function syncPath(files: FileSystem, path: string): Promise<void> {
  const file = await files.open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the names in a directory survive. Windows cannot open one, and journals names itself. */
export async function syncDirectory(files: FileSystem, path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await files.open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Shortens a file, durably. */
export async function truncateFile(files: FileSystem, path: string, length: number): Promise<void> {
  const file = await files.open(path, 'r+');
  try {
    await file.truncate(length);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Creates a directory and the missing ones above it, durably. */
export async function makeDirectory(files: FileSystem, path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let created = path; created.length >= first.length; created = dirname(created)) {
    await syncDirectory(files, dirname(created));
  }
}

/** Removes a file; one that is not there is what was wanted. */
export async function removeFile(files: FileSystem, path: string): Promise<void> {
  try {
    await files.unlink(path);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
}

/** Whether a call failed with a code of the operating system's. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
