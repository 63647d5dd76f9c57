import { dirname } from 'node:path';
import { COMPACTED_FILE_COLUMNS, type LakeColumn } from '../../../lake/layout/columns.ts';
import { type LakeFile, type SegmentRange, segmentsOf } from '../parquet/parquet-files.ts';

/**
 * Bytes of Parquet that become one file at most, and half of them are enough to be left alone.
 * Sorting takes memory: measured on edge events, 0.7 GB for 27 MiB, which are 1/4 GiB of log.
 */
export const MAX_MERGED_BYTES = 32 * 1024 * 1024;
interface Candidate {
  readonly file: LakeFile;
  readonly segments: SegmentRange;
}

/**
 * Files of one directory each that may become one, as long as possible; also runs of one file.
 *
 * A merged file is named after the first and the last number in it, and stands for every one in between.
 * So a run never skips a file. One with a column that only a later version of this program knows would
 * lose it, and stays as it is.
 */
export function mergeableRuns(files: readonly LakeFile[]): LakeFile[][] {
  const runs: Candidate[][] = [];
  let run: Candidate[] = [];
  for (const candidate of inSegmentOrder(files)) {
    if (!continues(run, candidate)) {
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

function continues(run: readonly Candidate[], { file, segments }: Candidate): boolean {
  const previous = run.at(-1);
  return (
    previous !== undefined &&
    dirname(previous.file.path) === dirname(file.path) &&
    isMergeable(previous.file) &&
    isMergeable(file) &&
    totalBytes(run.map((candidate) => candidate.file)) + file.bytes <= MAX_MERGED_BYTES &&
    previous.segments.last < segments.first
  );
}

function isMergeable(file: LakeFile): boolean {
  return file.bytes < MAX_MERGED_BYTES / 2 && hasOnly(file, COMPACTED_FILE_COLUMNS);
}

/** Whether nothing of a file is lost when only these columns are copied. */
export function hasOnly({ columns }: LakeFile, known: readonly LakeColumn[]): boolean {
  return columns.isSubsetOf(new Set(known.map(({ name }) => name)));
}
