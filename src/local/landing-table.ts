import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listValue } from '@duckdb/node-api';
import { LANDING_TABLE } from '../lake/columns.ts';
import { type Database, inTransaction } from './database.ts';
import { type FileSystem, makeDirectory, syncDirectory, syncPath } from './file-system.ts';
import {
  copyToParquet,
  createPending,
  createView,
  dropPending,
  insertPending,
  quoteName,
  selectPartition,
} from './landing-sql.ts';
import { describeFiles, type LakeFile, listParquetFiles, parquetPath } from './parquet-files.ts';
import { toLoadable } from './row-text.ts';
import { type Segment, segmentName } from './segment.ts';
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

  constructor(directory: string, database: Database, fileSystem: FileSystem) {
    this.#directory = directory;
    this.#database = database;
    this.#fileSystem = fileSystem;
  }

  /**
   * Reads which Parquet files there are and removes what an interrupted conversion left.
   *
   * @returns their paths
   * @throws Error when a file cannot be read as Parquet.
   */
  async open(): Promise<readonly string[]> {
    const drafts = this.#draftDirectory();
    await makeDirectory(this.#fileSystem, this.#tableDirectory());
    await makeDirectory(this.#fileSystem, drafts);
    for (const name of await readdir(drafts)) {
      await rm(join(drafts, name), { recursive: true });
    }
    const paths = await listParquetFiles(this.#tableDirectory());
    this.#files = await describeFiles(this.#database.converter, paths);
    await this.#database.writer.run(createView(this.name, this.#files, []));
    return paths;
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
      await this.#database.writer.run(createView(this.name, files, pending));
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
          await writer.run(createPending(segment));
        }
        for (const [segment, texts] of rows) {
          await writer.run(insertPending(segment), [listValue(texts.map(prepare))]);
        }
        if (created.length > 0) {
          await writer.run(createView(this.name, this.#files, pending));
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
    const draft = join(this.#draftDirectory(), `${segmentName(segment.number)}.parquet`);
    try {
      const copied = await converter.run(copyToParquet(segment, draft));
      if (copied.rowsChanged !== segment.rows) {
        throw new Error(`${copied.rowsChanged} rows were written instead of ${segment.rows}`);
      }
      await syncPath(this.#fileSystem, draft);
      const [partition] = (await converter.runAndReadAll(selectPartition(segment))).getRowsJS();
      const [dt, hour] = partition ?? [];
      const path = parquetPath(this.#tableDirectory(), String(dt), String(hour), segment.number);
      await makeDirectory(this.#fileSystem, dirname(path));
      await this.#fileSystem.rename(draft, path);
      await syncDirectory(this.#fileSystem, dirname(path));
      return path;
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  #tableDirectory(): string {
    return join(this.#directory, LANDING_TABLE);
  }

  #draftDirectory(): string {
    return join(this.#directory, 'tmp');
  }
}
