import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type FileSystem, makeDirectory, syncDirectory, syncPath } from '../disk/file-system.ts';

export interface ParquetJob {
  readonly connection: DuckDBConnection;
  readonly files: FileSystem;
  /** Where the file is written before it gets its name; on the same disk. */
  readonly draft: string;
  readonly path: string;
  /** The COPY statement that writes the rows to a path. */
  readonly copyTo: (path: string) => string;
  readonly rowCount: number;
}

/**
 * Writes rows to a Parquet file that appears under its name complete and durable, replacing one of
 * that name.
 *
 * @throws Error what the disk or DuckDB refused, or that there were other than `rowCount` rows. The
 *   file may be there then only when syncing its directory failed.
 */
export async function writeParquet(job: ParquetJob): Promise<void> {
  const { connection, files, draft, path, copyTo, rowCount } = job;
  try {
    const { rowsChanged } = await connection.run(copyTo(draft));
    if (rowsChanged !== rowCount) {
      throw new Error(`${rowsChanged} rows were written instead of ${rowCount}`);
    }
    await syncPath(files, draft);
    await makeDirectory(files, dirname(path));
    await files.rename(draft, path);
    await syncDirectory(files, dirname(path));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
