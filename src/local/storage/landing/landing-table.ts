import { access, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { listValue } from '@duckdb/node-api';
import { LANDING_TABLE } from '../../../lake/layout/columns.ts';
import { Mutex } from '../../../platform/concurrency/mutex.ts';
import type { Logger } from '../../../platform/log.ts';
import { quoteName } from '../../../platform/sql-text.ts';
import { type Database, inTransaction } from '../database.ts';
import { type FileSystem, isCode, makeDirectory, removeFile } from '../disk/file-system.ts';
import { hourOfSegment, type Segment } from '../log/segment.ts';
import { readSegment } from '../log/segment-reader.ts';
import {
  type Damaged,
  damagedAmong,
  findFiles,
  highestDamaged,
  setAside,
} from '../parquet/damaged-files.ts';
import {
  ConvertedSegments,
  describeFiles,
  type LakeFile,
  listParquetFiles,
  parquetName,
} from '../parquet/parquet-files.ts';
import { writeParquet } from '../parquet/parquet-writer.ts';
import { ReaderEpochs } from '../parquet/reader-epochs.ts';
import {
  copySegment,
  createUnflushed,
  createView,
  dropUnflushed,
  insertUnflushed,
} from './landing-sql.ts';

/**
 * The landing table as queries see it: one DuckDB view over the Parquet files and the rows of those
 * segments that have no Parquet file yet. The latter are read from the log when a query wants them, and
 * not at all when none does.
 */
export class LandingTable {
  /** Name of the view, quoted for FROM. */
  readonly name = quoteName(LANDING_TABLE);
  readonly #directory: string;
  readonly #database: Database;
  readonly #fileSystem: FileSystem;
  /** Keeps transactions of the one writing connection apart. */
  readonly #transactions = new Mutex();
  #files: readonly LakeFile[] = [];
  /** Segments that have no Parquet file, and how much of the log of each is loaded, bytes. */
  readonly #loaded = new Map<Segment, number>();
  readonly #readers = new ReaderEpochs();
  readonly #damaged: Damaged;

  constructor(directory: string, database: Database, fileSystem: FileSystem, logger: Logger) {
    this.#damaged = { fileSystem, logger, directory };
    this.#directory = directory;
    this.#database = database;
    this.#fileSystem = fileSystem;
  }

  /**
   * Reads which Parquet files there are and completes or undoes what an interrupted conversion left. Damaged files are set aside.
   *
   * @returns the segments whose rows they hold
   * @throws Error when a file cannot be read for another reason.
   */
  async open(): Promise<ConvertedSegments> {
    const drafts = this.#draftDirectory();
    await makeDirectory(this.#fileSystem, this.#tableDirectory());
    await makeDirectory(this.#fileSystem, drafts);
    for (const name of await readdir(drafts)) await rm(join(drafts, name), { recursive: true });
    const paths = await listParquetFiles(this.#tableDirectory());
    const { current, superseded, damaged } = await findFiles(this.#database.converter, paths);
    this.#files = current;
    await setAside(damaged, this.#damaged);
    for (const path of superseded) await removeFile(this.#fileSystem, path);
    await this.#database.writer.run(createView(this.name, this.#files, []));
    const reserved = await highestDamaged(this.#directory, LANDING_TABLE);
    return new ConvertedSegments(
      current.map(({ path }) => path),
      reserved,
    );
  }

  get files(): readonly LakeFile[] {
    return this.#files;
  }

  /** Size of everything a query can read: Parquet files, and the log's text of other rows. */
  get bytes(): number {
    const files = this.#files.reduce((sum, file) => sum + file.bytes, 0);
    return [...this.#loaded.keys()].reduce((sum, segment) => sum + segment.bytes, files);
  }

  /** Says that a segment has rows, or more of them; the next {@link load} makes them visible. */
  add(segment: Segment): void {
    if (!this.#loaded.has(segment)) this.#loaded.set(segment, 0);
  }

  /** Makes every row of the segments visible to queries that start from now on. */
  load(): Promise<void> {
    return this.#transactions.run(() => this.#load());
  }

  /**
   * Makes a Parquet file of each segment's log. Durable when it resolves; safe to repeat after it failed
   * at any point. Several change hands at once, because every change of the view costs as much as the
   * view is long.
   */
  async convert(segments: readonly Segment[]): Promise<void> {
    const converted = segments.filter((segment) => this.#loaded.has(segment));
    const paths: string[] = [];
    for (const segment of converted) {
      if (await this.#isThere(segment)) paths.push(await this.#writeParquet(segment));
    }
    const written = await describeFiles(this.#database.converter, paths);
    await this.#transactions.run(() => this.#handOver(converted, written));
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
  get oldestUnflushedHour(): number | undefined {
    const hours = [...this.#loaded.keys()].map(hourOfSegment);
    return hours.length === 0 ? undefined : Math.min(...hours);
  }

  /** Keeps the files of queries that start from now on readable until the result is called. */
  pin(): () => void {
    return this.#readers.pin();
  }

  /** Resolves when no query reads files any more that are not part of the table now. */
  unused(): Promise<void> {
    return this.#readers.quiesced();
  }

  async #replace(files: readonly LakeFile[], written: readonly LakeFile[]): Promise<void> {
    const kept = [...this.#files.filter((file) => !files.includes(file)), ...written];
    await inTransaction(this.#database.writer, () => this.#show(kept, this.#visible()));
    this.#files = kept;
  }

  async #handOver(segments: readonly Segment[], written: readonly LakeFile[]): Promise<void> {
    if (segments.length === 0) return;
    const files = [...this.#files, ...written];
    const visible = this.#visible();
    const dropped = segments.filter((segment) => visible.includes(segment));
    await inTransaction(this.#database.writer, async () => {
      for (const segment of dropped) await this.#database.writer.run(dropUnflushed(segment));
      await this.#show(
        files,
        visible.filter((segment) => !dropped.includes(segment)),
      );
    });
    this.#files = files;
    for (const segment of segments) this.#loaded.delete(segment);
  }

  /** Waits for the transaction that runs. */
  close(): Promise<void> {
    return this.#transactions.run(async () => undefined);
  }

  async #load(): Promise<void> {
    for (const [segment, loaded] of this.#loaded) {
      if (loaded === segment.bytes) continue;
      for await (const { lines, end } of readSegment(segment, loaded)) {
        await this.#insert(segment, lines);
        this.#loaded.set(segment, end);
      }
    }
  }

  async #insert(segment: Segment, lines: readonly string[]): Promise<void> {
    const { writer } = this.#database;
    const visible = this.#visible();
    await inTransaction(writer, async () => {
      if (!visible.includes(segment)) {
        await writer.run(createUnflushed(segment));
        await this.#show(this.#files, [...visible, segment]);
      }
      await writer.run(insertUnflushed(segment), [listValue([...lines])]);
    });
  }

  /** Segments with rows that are loaded. */
  #visible(): Segment[] {
    return [...this.#loaded].filter(([, loaded]) => loaded > 0).map(([segment]) => segment);
  }

  async #show(files: readonly LakeFile[], unflushed: readonly Segment[]): Promise<void> {
    await this.#database.writer.run(createView(this.name, files, unflushed));
  }

  /** An operator who removes a file of the log while the service runs removes its events. */
  async #isThere({ path, rows }: Segment): Promise<boolean> {
    try {
      await access(path);
      return true;
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error;
      const message = 'a file of the write-ahead log was removed: the events in it are lost';
      this.#damaged.logger.error(message, { file: path, rows });
      return false;
    }
  }

  async #writeParquet(segment: Segment): Promise<string> {
    const hour = new Date(hourOfSegment(segment)).toISOString();
    const partition = [`dt=${hour.slice(0, 10)}`, `hour=${hour.slice(11, 13)}`];
    const name = parquetName({ first: segment.number, last: segment.number });
    const path = join(this.#tableDirectory(), ...partition, name);
    await writeParquet({
      connection: this.#database.converter,
      files: this.#fileSystem,
      draft: join(this.#draftDirectory(), basename(path)),
      path,
      copyTo: (draft) => copySegment(segment, draft),
      rowCount: segment.rows,
    });
    return path;
  }

  #tableDirectory(): string {
    return join(this.#directory, LANDING_TABLE);
  }

  #draftDirectory(): string {
    return join(this.#directory, 'tmp');
  }
}
