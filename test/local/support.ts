import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { LocalLake, type LocalLakeOptions } from '../../src/local/lake.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { WireRow } from '../../src/platform/execution.ts';
import type { LogFields, Logger } from '../../src/platform/log.ts';
import type { OutputColumn } from '../../src/sql/common/result-schema.ts';
import { runStatement } from '../support/run-statement.ts';

const cleanups: (() => Promise<void>)[] = [];

/** Runs what tests deferred, last first. */
export function cleanUpAfterEach(): void {
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
}

/** Has something done after the test. */
export function defer(cleanup: () => Promise<void>): void {
  cleanups.push(cleanup);
}

export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-lake-'));
  defer(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A lake that is closed after the test. Its files are merged only when the test says so. */
export async function openLake(
  directory: string,
  options: Partial<LocalLakeOptions> = {},
): Promise<LocalLake> {
  const lake = await LocalLake.open({
    directory,
    clock: systemClock,
    logger: new RecordingLogger(),
    ...options,
  });
  defer(() => lake.close());
  return lake;
}

/**
 * What a process that is killed now leaves on disk, at a place of its own. The process goes on
 * meanwhile, so the log is copied first: a segment is deleted only once its rows are in the lake, and
 * what was copied twice is what a crash between the two steps leaves.
 */
export async function crashCopy(directory: string): Promise<string> {
  const copy = await temporaryDirectory();
  for (const part of ['wal', 'lake']) await copyTree(join(directory, part), join(copy, part));
  return copy;
}

/** Copies what is there; files that vanish on the way were being renamed or deleted. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true }).catch(ifGone([]))) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    await (entry.isDirectory()
      ? copyTree(source, target)
      : copyFile(source, target).catch(ifGone(undefined)));
  }
}

function ifGone<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code !== 'ENOENT') throw error;
    return instead;
  };
}

/** Paths of all files below a directory, relative to it. */
export async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
}

export async function query(
  lake: LocalLake,
  text: string,
  columns = 1,
): Promise<readonly WireRow[]> {
  const result = await runStatement(lake.engine, {
    text,
    columns: Array.from({ length: columns }, (_, index) => stringColumn(`c${index}`)),
    deadline: systemClock.now() + 30_000,
  });
  return result.rows;
}

/** Ids of all rows, once per copy. */
export async function ids(lake: LocalLake): Promise<string[]> {
  const rows = await query(lake, `SELECT id FROM ${lake.table} ORDER BY id`);
  return rows.map(([id]) => String(id));
}

export function stringColumn(name: string): OutputColumn {
  return { name, type: { kind: 'string' } };
}

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields | undefined;
}

export class RecordingLogger implements Logger {
  readonly lines: LogLine[] = [];

  info(message: string, fields?: LogFields): void {
    this.lines.push({ level: 'info', message, fields });
  }

  warn(message: string, fields?: LogFields): void {
    this.lines.push({ level: 'warn', message, fields });
  }

  error(message: string, fields?: LogFields): void {
    this.lines.push({ level: 'error', message, fields });
  }
}
