import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { quoteText } from '../sql-text.ts';
import { DEFAULT_LOCAL_LIMITS, type LocalLimits } from './limits.ts';

/** The in-memory DuckDB that holds pending rows and answers queries. */
export interface Database {
  /** Changes tables and views; one transaction at a time. */
  readonly writer: DuckDBConnection;
  /** Writes Parquet files, so that neither queries nor new rows wait for it. */
  readonly converter: DuckDBConnection;
  /** Merges Parquet files, so that conversion does not wait for it. */
  readonly merger: DuckDBConnection;
  /** Writes the compacted table and changes its view. */
  readonly compactor: DuckDBConnection;
  /** One per query that may run at a time. */
  readonly readers: readonly DuckDBConnection[];
  close(): void;
}

export interface DatabaseOptions {
  /** Where what does not fit into memory goes. Statements cannot read it. Default: below the directory. */
  readonly spillDirectory?: string;
  readonly limits?: Pick<LocalLimits, 'queryMemoryMiB' | 'spillMiB'>;
}

/**
 * Opens a DuckDB whose statements can touch files below one directory, load no extensions and
 * change no settings, whatever they say. The compiler prints no statement that would try; this is
 * the second wall.
 */
export async function openDatabase(
  directory: string,
  readers: number,
  options: DatabaseOptions = {},
): Promise<Database> {
  const { limits = DEFAULT_LOCAL_LIMITS } = options;
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    memory_limit: `${limits.queryMemoryMiB}MiB`,
    temp_directory: options.spillDirectory ?? join(directory, 'tmp', 'spill'),
  });
  const writer = await instance.connect();
  const settings = [
    "SET GLOBAL TimeZone = 'UTC'",
    // As an option of `create` it has no effect (seen with 1.5).
    `SET GLOBAL max_temp_directory_size = '${limits.spillMiB}MiB'`,
    `SET GLOBAL allowed_directories = [${quoteText(join(directory, '/'))}]`,
    'SET GLOBAL enable_external_access = false',
    'SET GLOBAL lock_configuration = true',
  ];
  for (const setting of settings) {
    await writer.run(setting);
  }
  const others = await Promise.all(Array.from({ length: readers + 3 }, () => instance.connect()));
  const [converter, merger, compactor, ...pool] = others;
  if (converter === undefined || merger === undefined || compactor === undefined) {
    throw new Error('DuckDB gave no connection');
  }
  return {
    writer,
    converter,
    merger,
    compactor,
    readers: pool,
    close() {
      for (const connection of [writer, ...others]) {
        connection.closeSync();
      }
      instance.closeSync();
    },
  };
}

/** Runs a task in one transaction: all of it, or, when it throws, none of it. */
export async function inTransaction(
  connection: DuckDBConnection,
  task: () => Promise<void>,
): Promise<void> {
  await connection.run('BEGIN TRANSACTION');
  try {
    await task();
    await connection.run('COMMIT');
  } catch (error) {
    await connection.run('ROLLBACK').catch((rollbackError) => {
      throw new AggregateError([error, rollbackError], 'a transaction failed and stayed open');
    });
    throw error;
  }
}
