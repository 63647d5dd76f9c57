import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CompactionStore } from '../lake/compaction/compaction-store.ts';
import type { EventSink } from '../lake/rows/event-sink.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';
import { DuckdbEngine } from '../query/execution/duckdb/duckdb-engine.ts';
import {
  CONCURRENT_QUERIES,
  DEFAULT_LOCAL_LIMITS,
  type LocalLimits,
} from '../query/execution/duckdb/local-limits.ts';
import type { QueryEngine } from '../query/execution/query-engine.ts';
import { LocalCompactedTable } from './storage/compacted/compacted-table.ts';
import { DuckdbCompaction } from './storage/compacted/duckdb-compaction.ts';
import { LandingCleanup } from './storage/compacted/landing-cleanup.ts';
import { type Database, openDatabase } from './storage/database.ts';
import { type DirectoryLock, lockDirectory } from './storage/disk/directory-lock.ts';
import { type FileSystem, makeDirectory, nodeFileSystem } from './storage/disk/file-system.ts';
import { LandingTable } from './storage/landing/landing-table.ts';
import { LocalSink } from './storage/landing/local-sink.ts';
import { highestSegment, recoverSegments } from './storage/landing/recovery.ts';
import { SegmentFlusher } from './storage/landing/segment-flusher.ts';
import { Wal } from './storage/log/wal.ts';
import { partitionHour } from './storage/parquet/parquet-files.ts';

/** Conversion takes more memory than that, and each file costs every query that reads its hour 0.2 ms. */
const ROTATE_BYTES = 32 * 1024 * 1024;
/**
 * As long as Firehose buffers at most. Rows are visible before that anyway, and every file costs
 * each query.
 */
const ROTATE_MS = 15 * 60 * 1000;
/** A segment is sealed by a timer or by the next write; this is how late the write may be. */
const SEAL_SLACK_SECONDS = 60;

export interface LocalLakeOptions {
  /** Gets `wal/`, `lake/` and `spill/`; belongs to one process at a time. */
  readonly directory: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Size at which a log segment becomes a Parquet file. Default 32 MiB. */
  readonly rotateBytes?: number;
  /** Age at which it does, milliseconds. Default 15 minutes. */
  readonly rotateMs?: number;
  /** Default: those of a laptop. */
  readonly limits?: LocalLimits;
  /** Default: the real one. */
  readonly fileSystem?: FileSystem;
}

interface Parts {
  readonly lock: DirectoryLock;
  readonly database: Database;
  readonly table: LandingTable;
  readonly compacted: LocalCompactedTable;
  readonly flusher: SegmentFlusher;
  readonly wal: Wal;
  readonly engine: DuckdbEngine;
  readonly compaction: DuckdbCompaction;
  readonly cleanup: LandingCleanup;
}

/**
 * What stands for Firehose, S3 and Athena on a laptop: a write-ahead log that becomes Parquet files
 * in the layout of the AWS lake, and DuckDB over both.
 */
export class LocalLake {
  readonly sink: EventSink;
  readonly engine: QueryEngine;
  /** The landing table's name, quoted for FROM. */
  readonly table: string;
  /** The compacted table's name, quoted for FROM. */
  readonly compactedTable: string;
  readonly compaction: CompactionStore;
  /** Longest time between a row's arrival and the arrival its file is filed under, seconds. */
  readonly maxFilingDelaySeconds: number;
  readonly #parts: Parts;
  #closed: Promise<void> | undefined;

  private constructor(parts: Parts, rotateMs: number) {
    this.#parts = parts;
    this.sink = new LocalSink(parts.wal, parts.flusher);
    this.engine = parts.engine;
    this.table = parts.table.name;
    this.compactedTable = parts.compacted.name;
    this.compaction = parts.compaction;
    this.maxFilingDelaySeconds = maxFilingDelaySeconds(rotateMs);
  }

  /**
   * Opens a data directory, creating it or recovering what a stopped process left.
   *
   * Damaged Parquet files are set aside in `lake/damaged/`.
   *
   * @throws Error when another server uses the directory, or a file in it cannot be read.
   */
  static async open(options: LocalLakeOptions): Promise<LocalLake> {
    const fileSystem = options.fileSystem ?? nodeFileSystem;
    const walDirectory = resolve(options.directory, 'wal');
    const lakeDirectory = resolve(options.directory, 'lake');
    await makeDirectory(fileSystem, walDirectory);
    await makeDirectory(fileSystem, lakeDirectory);
    const lock = await lockDirectory(walDirectory);
    const rotateMs = options.rotateMs ?? ROTATE_MS;
    try {
      const { limits = DEFAULT_LOCAL_LIMITS } = options;
      const spillDirectory = resolve(options.directory, 'spill');
      // What a killed process left; DuckDB does not look for it.
      await rm(spillDirectory, { recursive: true, force: true });
      const database = await openDatabase(lakeDirectory, CONCURRENT_QUERIES, {
        logDirectory: walDirectory,
        spillDirectory,
        limits,
      });
      try {
        const { clock, logger } = options;
        const table = new LandingTable(lakeDirectory, database, fileSystem, logger);
        const compacted = new LocalCompactedTable(lakeDirectory, database, fileSystem, logger);
        const parts = await recover({
          ...options,
          fileSystem,
          rotateMs,
          walDirectory,
          table,
          compacted,
        });
        const compaction = new DuckdbCompaction({
          database,
          landing: table,
          compacted,
          fileRows: () => fileRows(parts),
          fileSystem,
          directory: lakeDirectory,
          logger,
        });
        const cleanup = new LandingCleanup({
          landing: table,
          compaction,
          fileSystem,
          clock,
          logger,
        });
        const engine = new DuckdbEngine({
          connections: database.readers,
          tables: [table, compacted],
          repair: async (error) =>
            (await table.setAsideNamed(error)) || (await compaction.setAsideNamed(error)),
          clock,
          logger,
          limits,
        });
        return new LocalLake(
          { lock, database, table, compacted, engine, compaction, cleanup, ...parts },
          rotateMs,
        );
      } catch (error) {
        database.close();
        throw error;
      }
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Turns every row so far into Parquet files. @throws what kept a segment from being converted. */
  flush(): Promise<void> {
    return fileRows(this.#parts);
  }

  /** The earliest hour that a landing file is filed under, milliseconds since the epoch. */
  get oldestHour(): number | undefined {
    const hours = this.#parts.table.files.map(({ path }) => partitionHour(path));
    return hours.length === 0 ? undefined : Math.min(...hours);
  }

  /** Deletes landing files that are compacted; see {@link LandingCleanup.runOnce}. */
  cleanUpLanding(watermark: number): Promise<void> {
    return this.#parts.cleanup.runOnce(watermark);
  }

  /** Ends running queries, and refuses others from now on. */
  endQueries(): Promise<void> {
    return this.#parts.engine.close();
  }

  /** Ends running queries, makes accepted writes durable, and gives the directory back. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { engine, compaction, wal, flusher, cleanup, table, database, lock } = this.#parts;
    await engine.close();
    await compaction.close();
    await wal.close();
    await flusher.close();
    await cleanup.emptied();
    await table.close();
    database.close();
    lock.release();
  }
}

async function fileRows({ wal, flusher }: Pick<Parts, 'wal' | 'flusher'>): Promise<void> {
  await wal.seal();
  await flusher.flush();
}

function maxFilingDelaySeconds(rotateMs: number): number {
  return Math.ceil(rotateMs / 1000) + SEAL_SLACK_SECONDS;
}

interface RecoverOptions extends LocalLakeOptions {
  readonly fileSystem: FileSystem;
  readonly rotateMs: number;
  readonly walDirectory: string;
  readonly table: LandingTable;
  readonly compacted: LocalCompactedTable;
}

/** Finds what is on disk, then starts the log and the flusher. */
async function recover(options: RecoverOptions): Promise<Pick<Parts, 'wal' | 'flusher'>> {
  const { table, logger, clock, walDirectory: directory, fileSystem: files } = options;
  const converted = await table.open();
  await options.compacted.open();
  const firstNumber = (await highestSegment(directory, converted)) + 1;
  const flusher = new SegmentFlusher({ table, fileSystem: files, logger });
  for await (const segment of recoverSegments({ directory, files, clock, logger, converted })) {
    table.add(segment);
    flusher.add(segment);
  }
  const wal = new Wal({
    directory,
    files,
    clock,
    logger,
    firstNumber,
    rotateBytes: options.rotateBytes ?? ROTATE_BYTES,
    rotateMs: options.rotateMs,
    onDurable: (segment) => table.add(segment),
    onSealed: (segment) => flusher.add(segment),
  });
  return { wal, flusher };
}
