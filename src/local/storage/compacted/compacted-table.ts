import { basename, dirname, join } from 'node:path';
import { COMPACTED_TABLE } from '../../../lake/layout/columns.ts';
import type { Logger } from '../../../platform/log.ts';
import { quoteName } from '../../../platform/sql-text.ts';
import { type Database, inTransaction } from '../database.ts';
import { assertRoom } from '../disk/disk-room.ts';
import { type FileSystem, makeDirectory, removeFile } from '../disk/file-system.ts';
import { UncommittedFile } from '../disk/uncommitted-file.ts';
import {
  type Damaged,
  damagedAmong,
  findFiles,
  highestDamaged,
  setAside,
} from '../parquet/damaged-files.ts';
import { DeferredDelete } from '../parquet/deferred-delete.ts';
import {
  describeFiles,
  type LakeFile,
  listParquetFiles,
  parquetName,
  revisionOf,
  segmentsOf,
} from '../parquet/parquet-files.ts';
import { writeParquet } from '../parquet/parquet-writer.ts';
import { ReaderEpochs } from '../parquet/reader-epochs.ts';
import { copyToCompacted, countRows, createCompactedView, selectRows } from './compacted-sql.ts';
import { mergedSegments, totalBytes } from './merge-plan.ts';

const FILE = /^day=\d{4}-\d\d-\d\d\/([^/]+)\.parquet$/;
const DAY = /day=(\d{4}-\d\d-\d\d)$/;

/**
 * The table of compacted hours as queries see it: one DuckDB view over Parquet files. Files are
 * numbered in the order in which they are written; one that was made from others is named after
 * theirs, as files of the landing table are, so a start knows which to keep.
 *
 * Every method that changes the table is one commit: it shows all of its change, also after a crash,
 * or none. They must not run at the same time.
 */
export class LocalCompactedTable {
  /** Name of the view, quoted for FROM. */
  readonly name = quoteName(COMPACTED_TABLE);
  readonly #directory: string;
  readonly #database: Database;
  readonly #fileSystem: FileSystem;
  readonly #uncommitted: UncommittedFile;
  readonly #trash: DeferredDelete;
  readonly #damaged: Damaged;
  readonly #readers = new ReaderEpochs();
  #files: readonly LakeFile[] = [];
  #lastNumber = 0;

  constructor(directory: string, database: Database, fileSystem: FileSystem, logger: Logger) {
    this.#directory = directory;
    this.#database = database;
    this.#fileSystem = fileSystem;
    this.#uncommitted = new UncommittedFile(fileSystem);
    this.#trash = new DeferredDelete(fileSystem, logger);
    this.#damaged = { fileSystem, logger, directory };
  }

  /**
   * Reads which files there are, and undoes or completes what was interrupted. Damaged files are set
   * aside. The landing table is opened before: it empties the directory of drafts.
   *
   * @throws Error when a file cannot be read for another reason.
   */
  async open(): Promise<void> {
    await makeDirectory(this.#fileSystem, this.#tableDirectory());
    const paths = await listParquetFiles(this.#tableDirectory(), FILE);
    const { current, superseded, damaged } = await findFiles(this.#database.compactor, paths);
    await setAside(damaged, this.#damaged);
    for (const path of superseded) await removeFile(this.#fileSystem, path);
    this.#lastNumber = Math.max(
      await highestDamaged(this.#directory, COMPACTED_TABLE),
      ...paths.map((path) => segmentsOf(path)?.last ?? 0),
    );
    await this.#show(current);
  }

  get bytes(): number {
    return totalBytes(this.#files);
  }

  get files(): readonly LakeFile[] {
    return this.#files;
  }

  /** Files of events of one UTC day, `yyyy-MM-dd`. */
  filesOf(day: string): LakeFile[] {
    return this.#files.filter(({ path }) => dayOf(path) === day);
  }

  /** Files of events of all days before one. */
  filesBefore(day: string): LakeFile[] {
    return this.#files.filter(({ path }) => dayOf(path) < day);
  }

  /** Adds rows of one event day: those of a SELECT, as many as are said. */
  async add(day: string, rows: string, rowCount: number): Promise<void> {
    const number = this.#lastNumber + 1;
    const name = parquetName({ first: number, last: number });
    const path = join(this.#tableDirectory(), `day=${day}`, name);
    await this.#write(path, rows, rowCount, []);
    this.#lastNumber = number;
  }

  /** Puts one file in the place of several of one day, which are consecutive by number. */
  async merge(files: readonly LakeFile[]): Promise<void> {
    const path = join(dirname(files[0]?.path ?? ''), parquetName(mergedSegments(files)));
    // The sorted rows may have to be spilled, too.
    await assertRoom(this.#fileSystem, path, 2 * totalBytes(files));
    const rows = selectRows(files);
    await this.#write(path, rows, await this.count(rows), files);
  }

  /** Deletes the rows of a source from a file. */
  async deleteSource(file: LakeFile, sourceId: string): Promise<void> {
    const range = segmentsOf(file.path);
    if (range === undefined) {
      throw new Error(`${basename(file.path)} was not written by this program`);
    }
    const rows = selectRows([file], sourceId);
    const rowCount = await this.count(rows);
    if (rowCount === 0) {
      await this.drop([file]);
    } else if (rowCount < (await this.count(selectRows([file])))) {
      const name = parquetName(range, revisionOf(file.path) + 1);
      await assertRoom(this.#fileSystem, file.path, 2 * file.bytes);
      await this.#write(join(dirname(file.path), name), rows, rowCount, [file]);
    }
  }

  /** Deletes files with all of their rows. A crash may bring back some of them whole. */
  async drop(files: readonly LakeFile[]): Promise<void> {
    if (files.length > 0) await this.#replace(files, []);
  }

  /** Sets files aside that an error names and that are damaged. @returns whether there were any. */
  async setAsideNamed(error: string): Promise<boolean> {
    const paths = this.#files.map(({ path }) => path).filter((path) => error.includes(path));
    const damaged = await damagedAmong(this.#database.compactor, paths);
    if (damaged.length === 0) return false;
    await this.#show(this.#files.filter(({ path }) => !damaged.includes(path)));
    await setAside(damaged, this.#damaged);
    return true;
  }

  /** Number of rows that a SELECT has. */
  async count(rows: string): Promise<number> {
    const reader = await this.#database.compactor.runAndReadAll(countRows(rows));
    return Number(reader.getRowsJS()[0]?.[0]);
  }

  /** Keeps the files of queries that start from now on readable until the result is called. */
  pin(): () => void {
    return this.#readers.pin();
  }

  /** Resolves when the files of superseded states that no query reads any more are gone. */
  emptied(): Promise<void> {
    return this.#trash.emptied();
  }

  async #write(
    path: string,
    rows: string,
    rowCount: number,
    replaced: readonly LakeFile[],
  ): Promise<void> {
    const { compactor: connection } = this.#database;
    await this.#uncommitted.discardOnFailure(path, async () => {
      await writeParquet({
        connection,
        files: this.#fileSystem,
        // Files of the landing table may have the same names.
        draft: join(this.#directory, 'tmp', `compacted-${basename(path)}`),
        path,
        copyTo: (draft) => copyToCompacted(rows, draft),
        rowCount,
      });
      await this.#replace(replaced, await describeFiles(connection, [path]));
    });
  }

  async #replace(removed: readonly LakeFile[], written: readonly LakeFile[]): Promise<void> {
    await this.#show([...this.#files.filter((file) => !removed.includes(file)), ...written]);
    this.#trash.add(removed, this.#readers.quiesced());
  }

  async #show(files: readonly LakeFile[]): Promise<void> {
    const { compactor } = this.#database;
    await inTransaction(compactor, async () => {
      await compactor.run(createCompactedView(this.name, files));
    });
    this.#files = files;
  }

  #tableDirectory(): string {
    return join(this.#directory, COMPACTED_TABLE);
  }
}

function dayOf(path: string): string {
  return DAY.exec(dirname(path))?.[1] ?? '';
}
