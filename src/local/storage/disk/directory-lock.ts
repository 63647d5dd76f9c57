import { access, link, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** Directories that this process holds; a file lock does not keep a process out of its own files. */
const held = new Set<string>();

export interface DirectoryLock {
  release(): void;
}

/**
 * Takes a directory for this process. The lock is the operating system's (DuckDB locks the database
 * file it opens), so it goes with the process however that ends: no stale lock files, no reused
 * process ids, as in a container where every start has id 1.
 *
 * @throws Error when another server, in this process or not, has the directory.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const key = await realpath(directory);
  if (held.has(key)) throw inUse(directory);
  held.add(key);
  try {
    const instance = await openLockFile(join(directory, 'lock'));
    return {
      release() {
        instance.closeSync();
        held.delete(key);
      },
    };
  } catch (error) {
    held.delete(key);
    if (String(error).includes('Could not set lock')) throw inUse(directory, error);
    const file = join(directory, 'lock');
    throw new Error(
      `The file ${file} cannot be locked. If no other server uses the data directory, remove this file ` +
        'and start again: it holds no data.',
      { cause: error },
    );
  }
}

function inUse(directory: string, cause?: unknown): Error {
  return new Error(
    `The data directory ${directory} is in use by another server. ` +
      'Stop that server, or start this one with another SLUICE_DATA_DIR.',
    { cause },
  );
}

async function openLockFile(path: string): Promise<DuckDBInstance> {
  if (!(await exists(path))) {
    // Made elsewhere and linked into place, so that a crash never leaves half of it.
    const draft = `${path}.${process.pid}`;
    await rm(draft, { force: true });
    (await openDatabase(draft)).closeSync();
    await link(draft, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(draft);
  }
  return openDatabase(path);
}

function openDatabase(path: string): Promise<DuckDBInstance> {
  return DuckDBInstance.create(path, { threads: '1' });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
