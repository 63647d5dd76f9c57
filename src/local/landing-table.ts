import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type DuckDBConnection, listValue } from '@duckdb/node-api';
import { LANDING_TABLE } from '../lake/columns.ts';
import type { Logger } from '../ports.ts';
import { quoteName } from '../sql-text.ts';
import {
  type Damaged,
  damagedAmong,
  findFiles,
  highestDamaged,
  setAside,
} from './damaged-files.ts';
import { type Database, inTransaction } from './database.ts';
import { type FileSystem, makeDirectory, removeFile } from './file-system.ts';
import {
  COUNT_ROWS,
  type Columns,
  copyToParquet,
  createPending,
  createView,
  dropPending,
  insertPending,
  pendingTable,
  rowsOfFiles,
  selectOldestHour,
  selectPartition,
} from './landing-sql.ts';
import { Leftover } from './leftover.ts';
import { mergedSegments } from './merge-plan.ts';
import {
  ConvertedSegments,
  describeFiles,
  type LakeFile,
  listParquetFiles,
  parquetName,
} from './parquet-files.ts';
import { writeParquet } from './parquet-writer.ts';
import { Readers } from './readers.ts';
import { toLoadable } from './row-text.ts';
import type { Segment } from './segment.ts';
import { Serial } from './serial.ts';

/** Rows wait as text until a query wants them, or until there are this many bytes of them. */
const MAX_UNLOADED_BYTES = 4 * 1024 * 1024;

/**
 * The landing table as queries see it: one DuckDB view over the Parquet files and the rows of those
 * segments that have no Parquet file yet.
 */
export class LandingTable {
  /** Name of the view, quoted for FROM. */
  readonly name = quoteName(LANDING_TABLE);
  readonly #directory: string;
  readonly #database: Database;
  readonly #fileSystem: FileSystem;
  /** Keeps transactions of the one writing connection apart. */
  readonly #transactions = new Serial();
  #files: readonly LakeFile[] = [];
  #pending: readonly Segment[] = [];
  #unloaded = new Map<Segment, string[]>();
  #unloadedBytes = 0;
  readonly #readers = new Readers();
  readonly #leftover: Leftover;
  readonly #damaged: Damaged;
  readonly columns: Columns;

  constructor(
    directory: string,
    database: Database,
    fileSystem: FileSystem,
    logger: Logger,
    columns: Columns,
  ) {
    this.#damaged = { fileSystem, logger, directory };
    this.columns = columns;
    this.#directory = directory;
    this.#database = database;
    this.#fileSystem = fileSystem;
    this.#leftover = new Leftover(fileSystem);
  }

  /**
   * Reads which Parquet files there are and completes or undoes what an interrupted conversion or
   * merge left. Damaged files are set aside.
   *
   * @returns the segments whose rows they hold
   * @throws Error when a file cannot be read for another reason.
   */
  async open(): Promise<ConvertedSegments> {
    const drafts = this.#draftDirectory();
    await makeDirectory(this.#fileSystem, this.#tableDirectory());
    await makeDirectory(this.#fileSystem, drafts);
    for (const name of await readdir(drafts)) {
      await rm(join(drafts, name), { recursive: true });
    }
    const paths = await listParquetFiles(this.#tableDirectory());
    const { current, superseded, damaged } = await findFiles(this.#database.converter, paths);
    this.#files = current;
    await setAside(damaged, this.#damaged);
    for (const path of superseded) {
      await removeFile(this.#fileSystem, path);
    }
    await this.#database.writer.run(createView(this.name, this.#files, [], this.columns));
    const reserved = await highestDamaged(this.#directory, LANDING_TABLE);
    return new ConvertedSegments(
      current.map(({ path }) => path),
      reserved,
    );
  }

  get files(): readonly LakeFile[] {
    return this.#files;
  }

  /** Numbers of the segments with rows that are in no Parquet file. */
  get unconverted(): number[] {
    return [...this.#pending, ...this.#unloaded.keys()].map(({ number }) => number);
  }

  /** Size of everything a query can read: Parquet files, and the log's text of other rows. */
  get bytes(): number {
    const files = this.#files.reduce((sum, file) => sum + file.bytes, 0);
    return this.#pending.reduce((sum, segment) => sum + segment.bytes, files);
  }

  /** Adds rows of a segment; the next {@link load} makes them visible. */
  add(segment: Segment, rows: readonly string[]): void {
    if (rows.length === 0) {
      return;
    }
    const waiting = this.#unloaded.get(segment) ?? [];
    for (const row of rows) {
      waiting.push(row);
      this.#unloadedBytes += row.length;
    }
    this.#unloaded.set(segment, waiting);
  }

  /** Whether rows should be loaded although no query asks for them. */
  get isFull(): boolean {
    return this.#unloadedBytes > MAX_UNLOADED_BYTES;
  }

  /** Makes every added row visible to queries that start from now on. */
  load(): Promise<void> {
    return this.#transactions.run(() => this.#load());
  }

  /**
   * Moves the rows of segments from memory to a Parquet file each. Durable when it resolves; safe to
   * repeat after it failed at any point. Several change hands at once, because every change of the
   * view costs as much as the view is long.
   */
  async convert(segments: readonly Segment[]): Promise<void> {
    await this.load();
    const converted = segments.filter((segment) => this.#pending.includes(segment));
    const paths: string[] = [];
    for (const segment of converted) {
      paths.push(await this.#writeParquet(segment));
    }
    const written = await describeFiles(this.#database.converter, paths);
    await this.#transactions.run(() => this.#handOver(converted, written));
  }

  /**
   * Puts one file in the place of several of one partition, which are consecutive by segment. They
   * stay on disk, for queries that began before, and are to be removed when {@link unused} resolves.
   * Durable when it resolves; after a failure everything is as it was, and another merge may follow.
   */
  async merge(files: readonly LakeFile[]): Promise<void> {
    const [first] = files;
    if (first === undefined) {
      return;
    }
    const { merger } = this.#database;
    const path = join(dirname(first.path), parquetName(mergedSegments(files)));
    await this.#leftover.orRemove(path, async () => {
      const paths = listValue(files.map((file) => file.path));
      const [count] = (await merger.runAndReadAll(COUNT_ROWS, [paths])).getRowsJS();
      await this.#write(merger, path, rowsOfFiles(files, this.columns), Number(count?.[0]));
      const [merged] = await describeFiles(merger, [path]);
      if (merged === undefined) {
        throw new Error('the merged file has no columns');
      }
      await this.#transactions.run(() => this.#replace(files, [merged]));
    });
  }

  /**
   * Takes files out of the table whose rows queries find elsewhere by now. They stay on disk, and are
   * to be removed when {@link unused} resolves.
   */
  async drop(files: readonly LakeFile[]): Promise<void> {
    await this.#transactions.run(() => this.#replace(files, []));
  }

  /** Sets files aside that an error names and that are damaged. @returns whether there were any. */
  setAsideNamed(error: string): Promise<boolean> {
    return this.#transactions.run(async () => {
      const named = this.#files.filter(({ path }) => error.includes(path));
      const paths = named.map(({ path }) => path);
      const damaged = await damagedAmong(this.#database.converter, paths);
      if (damaged.length === 0) return false;
      await this.#replace(
        named.filter(({ path }) => damaged.includes(path)),
        [],
      );
      await setAside(damaged, this.#damaged);
      return true;
    });
  }

  /** Start of the oldest hour of rows that are in no Parquet file, milliseconds since the epoch. */
  async oldestPendingHour(): Promise<number | undefined> {
    return this.#transactions.run(async () => {
      await this.#load();
      if (this.#pending.length === 0) {
        return undefined;
      }
      const reader = await this.#database.writer.runAndReadAll(selectOldestHour(this.#pending));
      return Number(reader.getRowsJS()[0]?.[0]);
    });
  }

  /** Ends the statement that merges, if one runs; {@link merge} fails then. */
  interruptMerge(): void {
    this.#database.merger.interrupt();
  }

  /** Keeps the files of queries that start from now on readable until the result is called. */
  pin(): () => void {
    return this.#readers.enter();
  }

  /** Resolves when nobody reads files any more that are not part of the table now. */
  unused(): Promise<void> {
    return this.#readers.finished();
  }

  async #replace(files: readonly LakeFile[], written: readonly LakeFile[]): Promise<void> {
    const kept = [...this.#files.filter((file) => !files.includes(file)), ...written];
    await inTransaction(this.#database.writer, async () => {
      await this.#database.writer.run(createView(this.name, kept, this.#pending, this.columns));
    });
    this.#files = kept;
  }

  async #handOver(segments: readonly Segment[], written: readonly LakeFile[]): Promise<void> {
    if (segments.length === 0) {
      return;
    }
    const files = [...this.#files, ...written];
    const pending = this.#pending.filter((segment) => !segments.includes(segment));
    await inTransaction(this.#database.writer, async () => {
      for (const segment of segments) {
        await this.#database.writer.run(dropPending(segment));
      }
      await this.#database.writer.run(createView(this.name, files, pending, this.columns));
    });
    this.#files = files;
    this.#pending = pending;
  }

  /** Waits for the transaction that runs. */
  close(): Promise<void> {
    return this.#transactions.run(async () => undefined);
  }

  async #load(): Promise<void> {
    const rows = this.#unloaded;
    const bytes = this.#unloadedBytes;
    if (rows.size === 0) {
      return;
    }
    this.#unloaded = new Map();
    this.#unloadedBytes = 0;
    try {
      await this.#insert(rows);
    } catch (error) {
      // Nothing of the transaction stayed: the rows go back, before those that came meanwhile.
      const since = this.#unloaded;
      this.#unloaded = rows;
      this.#unloadedBytes += bytes;
      for (const [segment, added] of since) {
        rows.set(segment, [...(rows.get(segment) ?? []), ...added]);
      }
      throw error;
    }
  }

  async #insert(rows: ReadonlyMap<Segment, readonly string[]>): Promise<void> {
    const { writer } = this.#database;
    const created = [...rows.keys()].filter((segment) => !this.#pending.includes(segment));
    const pending = [...this.#pending, ...created];
    const attempt = (prepare: (row: string) => string) =>
      inTransaction(writer, async () => {
        for (const segment of created) {
          await writer.run(createPending(segment, this.columns));
        }
        for (const [segment, texts] of rows) {
          await writer.run(insertPending(segment, this.columns), [listValue(texts.map(prepare))]);
        }
        if (created.length > 0) {
          await writer.run(createView(this.name, this.#files, pending, this.columns));
        }
      });
    try {
      await attempt((row) => row);
    } catch {
      // Most likely text that only JavaScript takes for JSON; anything else fails again.
      await attempt(toLoadable);
    }
    this.#pending = pending;
  }

  async #writeParquet(segment: Segment): Promise<string> {
    const { converter } = this.#database;
    const [partition] = (await converter.runAndReadAll(selectPartition(segment))).getRowsJS();
    const [dt, hour] = partition ?? [];
    const name = parquetName({ first: segment.number, last: segment.number });
    const path = join(this.#tableDirectory(), `dt=${dt}`, `hour=${hour}`, name);
    await this.#write(converter, path, pendingTable(segment), segment.rows);
    return path;
  }

  #write(connection: DuckDBConnection, path: string, rows: string, rowCount: number) {
    return writeParquet({
      connection,
      files: this.#fileSystem,
      draft: join(this.#draftDirectory(), basename(path)),
      path,
      copyTo: (draft) => copyToParquet(rows, draft, this.columns),
      rowCount,
    });
  }

  #tableDirectory(): string {
    return join(this.#directory, LANDING_TABLE);
  }

  #draftDirectory(): string {
    return join(this.#directory, 'tmp');
  }
}
