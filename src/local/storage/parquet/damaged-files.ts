import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Logger } from '../../../platform/log.ts';
import { type FileSystem, isCode, makeDirectory, syncDirectory } from '../disk/file-system.ts';
import { describeFiles, type LakeFile, segmentsOf, supersededFiles } from './parquet-files.ts';

/**
 * What DuckDB says of bytes that are no Parquet file. Other errors, such as a permission that is missing,
 * say nothing of the file.
 */
const DAMAGE =
  /No magic bytes|too small to be a Parquet|Footer length|TProtocolException|Invalid (?:Input )?Error/;

/**
 * The files that are there and are no Parquet.
 *
 * @throws Error that names a file which cannot be read for another reason.
 */
export async function damagedAmong(
  connection: DuckDBConnection,
  paths: readonly string[],
): Promise<string[]> {
  try {
    await describeFiles(connection, paths);
    return [];
  } catch {
    const damaged: string[] = [];
    for (const path of paths) if (await isDamaged(connection, path)) damaged.push(path);
    return damaged;
  }
}

async function isDamaged(connection: DuckDBConnection, path: string): Promise<boolean> {
  try {
    await describeFiles(connection, [path]);
    return false;
  } catch (error) {
    if (DAMAGE.test(String(error))) return true;
    throw new Error(`The file ${path} cannot be read. Restore it from a backup.`, { cause: error });
  }
}

/** Where the damaged files of a directory go: beside its tables, in folders of the same names. */
export interface Damaged {
  readonly fileSystem: FileSystem;
  readonly logger: Logger;
  /** The lake's directory. */
  readonly directory: string;
}

/** Moves damaged files out of their table, and says which. */
export async function setAside(paths: readonly string[], damaged: Damaged): Promise<void> {
  const { fileSystem, logger, directory } = damaged;
  for (const path of paths) {
    const target = join(directory, 'damaged', relative(directory, path));
    await makeDirectory(fileSystem, dirname(target));
    await fileSystem.rename(path, target);
    await syncDirectory(fileSystem, dirname(target));
    await syncDirectory(fileSystem, dirname(path));
    logger.error(
      'a Parquet file is damaged and was set aside; its events are missing until it is restored from a backup',
      { file: path, moved_to: target },
    );
  }
}

/** The files that make up a table, those that they were made from, and those that are no Parquet. */
export interface FoundFiles {
  readonly current: LakeFile[];
  readonly superseded: ReadonlySet<string>;
  readonly damaged: readonly string[];
}

/**
 * Tells the files of a table apart. Where one that was made from others is damaged, these are the table's
 * again, if they are still there.
 *
 * @throws Error as {@link damagedAmong}.
 */
export async function findFiles(
  connection: DuckDBConnection,
  paths: readonly string[],
): Promise<FoundFiles> {
  const damaged = new Set<string>();
  for (;;) {
    const left = paths.filter((path) => !damaged.has(path));
    const superseded = supersededFiles(left);
    const current = left.filter((path) => !superseded.has(path));
    const found = await damagedAmong(connection, current);
    if (found.length === 0) {
      return {
        current: await describeFiles(connection, current),
        superseded,
        damaged: [...damaged],
      };
    }
    for (const path of found) damaged.add(path);
  }
}

/** The highest number among the damaged files of a table, so that it is not given again; 0 without one. */
export async function highestDamaged(directory: string, table: string): Promise<number> {
  try {
    const names = await readdir(join(directory, 'damaged', table), { recursive: true });
    return Math.max(0, ...names.map((name) => segmentsOf(name)?.last ?? 0));
  } catch (error) {
    if (isCode(error, 'ENOENT')) return 0;
    throw error;
  }
}
