import { dirname } from 'node:path';
import type { LakeColumn } from '../lake/columns.ts';
import { hourOf, type LakeFile, type SegmentRange, segmentsOf } from './parquet-files.ts';

/**
 * Bytes of Parquet that become one file at most, and half of them are enough to be left alone.
 * Sorting takes memory: measured on edge events, 0.7 GB for 27 MiB, which are 1/4 GiB of log.
 */
export const MAX_MERGED_BYTES = 32 * 1024 * 1024;
/** Files of an hour that still gets new ones; fewer are not worth writing their rows once more. */
const OPEN_HOUR_FILES = 4;
const HOUR_MS = 3_600_000;

export interface MergeableFiles {
  readonly files: readonly LakeFile[];
  /** Segments with rows that are in no file yet. */
  readonly unconverted: readonly number[];
  /** Those of the table; a column that only a later version of this program knows would be lost. */
  readonly columns: readonly LakeColumn[];
}

export interface MergeState extends MergeableFiles {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How long after an hour files may still be filed under it, milliseconds. */
  readonly bufferMs: number;
}

interface Candidate {
  readonly file: LakeFile;
  readonly segments: SegmentRange;
}

/**
 * Which files to merge: runs of two or more of one hour, oldest first.
 *
 * A merged file is named after the first and the last segment in it, and stands for every number in
 * between. So a run never skips a file or a segment that is yet to become one.
 */
export function planMerges(state: MergeState): LakeFile[][] {
  return mergeableRuns(state).filter((run) => run.length >= filesWorthMerging(run, state));
}

/** Files of one directory each that may become one, as long as possible; also runs of one file. */
export function mergeableRuns(table: MergeableFiles): LakeFile[][] {
  const known = new Set(table.columns.map(({ name }) => name));
  const runs: Candidate[][] = [];
  let run: Candidate[] = [];
  for (const candidate of inSegmentOrder(table.files)) {
    if (!continues(run, candidate, table.unconverted, known)) {
      run = [];
      runs.push(run);
    }
    run.push(candidate);
  }
  return runs.map((candidates) => candidates.map(({ file }) => file));
}

/** @returns the range of segments that the file merged from these is named after. */
export function mergedSegments(files: readonly LakeFile[]): SegmentRange {
  const ranges = files.map(({ path }) => segmentsOf(path)).filter((range) => range !== undefined);
  return {
    first: Math.min(...ranges.map(({ first }) => first)),
    last: Math.max(...ranges.map(({ last }) => last)),
  };
}

export function totalBytes(files: readonly LakeFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function inSegmentOrder(files: readonly LakeFile[]): Candidate[] {
  return files
    .flatMap((file) => {
      const segments = segmentsOf(file.path);
      return segments === undefined ? [] : [{ file, segments }];
    })
    .sort((a, b) => a.segments.first - b.segments.first);
}

function continues(
  run: readonly Candidate[],
  { file, segments }: Candidate,
  unconverted: readonly number[],
  known: ReadonlySet<string>,
): boolean {
  const previous = run.at(-1);
  return (
    previous !== undefined &&
    dirname(previous.file.path) === dirname(file.path) &&
    isMergeable(previous.file, known) &&
    isMergeable(file, known) &&
    totalBytes(run.map((candidate) => candidate.file)) + file.bytes <= MAX_MERGED_BYTES &&
    previous.segments.last < segments.first &&
    !unconverted.some((number) => previous.segments.last < number && number < segments.first)
  );
}

function isMergeable({ bytes, columns }: LakeFile, known: ReadonlySet<string>): boolean {
  return bytes < MAX_MERGED_BYTES / 2 && keepsAll(columns, known);
}

/** Whether nothing is lost when only known columns are copied. */
export function keepsAll(columns: ReadonlySet<string>, known: ReadonlySet<string>): boolean {
  return [...columns].every((name) => known.has(name));
}

function filesWorthMerging(files: readonly LakeFile[], { now, bufferMs }: MergeState): number {
  return now >= hourOf(files[0]?.path ?? '') + HOUR_MS + bufferMs ? 2 : OPEN_HOUR_FILES;
}
