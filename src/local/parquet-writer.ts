import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type FileSystem, makeDirectory, syncDirectory, syncPath } from './file-system.ts';
import { copyToParquet } from './landing-sql.ts';

export interface ParquetJob {
  readonly connection: DuckDBConnection;
  readonly files: FileSystem;
  /** Where the file is written before it gets its name; on the same disk. */
  readonly draftDirectory: string;
  readonly path: string;
  /** What follows FROM. */
  readonly rows: string;
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
  const { connection, files, path, rows, rowCount } = job;
  const draft = join(job.draftDirectory, basename(path));
  try {
    const { rowsChanged } = await connection.run(copyToParquet(rows, draft));
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
