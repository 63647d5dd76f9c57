import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { quoteText } from '../../platform/sql-text.ts';
import {
  DEFAULT_LOCAL_LIMITS,
  type LocalLimits,
} from '../../query/execution/duckdb/local-limits.ts';

/** The in-memory DuckDB that answers queries, and the one that makes Parquet files of the log. */
export interface Database {
  /** Changes tables and views; one transaction at a time. */
  readonly writer: DuckDBConnection;
  /** Writes Parquet files, so that neither queries nor new rows wait for it, nor it for their memory. */
  readonly converter: DuckDBConnection;
  /** Writes the compacted table and changes its view. */
  readonly compactor: DuckDBConnection;
  /** One per query that may run at a time. */
  readonly readers: readonly DuckDBConnection[];
  close(): void;
}

export interface DatabaseOptions {
  /** Where the segments are that the converter reads. Default: the directory. */
  readonly logDirectory?: string;
  /** Where what does not fit into memory goes. Statements cannot read it. Default: below the directory. */
  readonly spillDirectory?: string;
  readonly limits?: Pick<LocalLimits, 'queryMemoryMiB' | 'spillMiB'>;
}

/** Of conversion, which takes a segment at a time. */
const CONVERSION_MIB = 256;
const IN_MEMORY = ':memory:';
const WITHOUT_EXTENSIONS = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};

/**
 * Opens a DuckDB whose statements can touch files below one directory, load no extensions and
 * change no settings, whatever they say. The compiler prints no statement that would try; this is
 * the second wall. Beside it one for conversion, which can read the log, too.
 */
export async function openDatabase(
  directory: string,
  readers: number,
  options: DatabaseOptions = {},
): Promise<Database> {
  const { limits = DEFAULT_LOCAL_LIMITS, logDirectory = directory } = options;
  const instance = await DuckDBInstance.create(IN_MEMORY, {
    ...WITHOUT_EXTENSIONS,
    memory_limit: `${limits.queryMemoryMiB}MiB`,
    temp_directory: options.spillDirectory ?? join(directory, 'tmp', 'spill'),
  });
  const conversion = await DuckDBInstance.create(IN_MEMORY, {
    ...WITHOUT_EXTENSIONS,
    memory_limit: `${CONVERSION_MIB}MiB`,
    temp_directory: '',
    // Two take half as much time again, all together (measured on two cores).
    threads: '1',
  });
  const writer = await instance.connect();
  const converter = await conversion.connect();
  await configure(
    writer,
    [directory],
    [
      // As an option of `create` it has no effect (seen with 1.5).
      `SET GLOBAL max_temp_directory_size = '${limits.spillMiB}MiB'`,
    ],
  );
  await configure(converter, [directory, logDirectory], []);
  const others = await Promise.all(Array.from({ length: readers + 1 }, () => instance.connect()));
  const [compactor, ...pool] = others;
  if (compactor === undefined) throw new Error('DuckDB gave no connection');
  return {
    writer,
    converter,
    compactor,
    readers: pool,
    close() {
      for (const connection of [writer, converter, ...others]) connection.closeSync();
      instance.closeSync();
      conversion.closeSync();
    },
  };
}

async function configure(
  connection: DuckDBConnection,
  directories: readonly string[],
  settings: readonly string[],
): Promise<void> {
  const allowed = directories.map((directory) => quoteText(join(directory, '/')));
  const all = [
    "SET GLOBAL TimeZone = 'UTC'",
    // Files do not change once they are there: a count over a hundred of them takes a third less time.
    'SET GLOBAL parquet_metadata_cache = true',
    // Give memory back to the system, when much of it is freed and when it has not been used for a while:
    // conversion then takes 80 MB in place of 260 (measured with segments of 32 MiB).
    "SET GLOBAL allocator_bulk_deallocation_flush_threshold = '8MiB'",
    'SET GLOBAL allocator_background_threads = true',
    ...settings,
    `SET GLOBAL allowed_directories = [${allowed.join(', ')}]`,
    'SET GLOBAL enable_external_access = false',
    'SET GLOBAL lock_configuration = true',
  ];
  for (const setting of all) await connection.run(setting);
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
