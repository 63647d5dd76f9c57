import { readdir, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { type DuckDBConnection, listValue } from '@duckdb/node-api';
import { segmentName } from '../log/segment.ts';

/** A Parquet file of the lake. */
export interface LakeFile {
  readonly path: string;
  readonly bytes: number;
  readonly columns: ReadonlySet<string>;
  /** Equal for files whose columns have equal names and types. */
  readonly layout: string;
}

/** Segments by number, both ends included. */
export interface SegmentRange {
  readonly first: number;
  readonly last: number;
}

/** Where the files of the landing table are, below its directory. */
const LANDING_FILE = /^dt=\d{4}-\d\d-\d\d\/hour=\d\d\/([^/]+)\.parquet$/;
const PARTITION = /dt=(\d{4}-\d\d-\d\d)[\\/]hour=(\d\d)$/;
const CONTENT = /(?:^|[\\/])(\d{10,})(?:-(\d{10,}))?(?:\.r([1-9]\d*))?\.parquet$/;
/** The first row of `parquet_schema` is the root of the schema, not a column. */
const LAYOUTS = `
  SELECT file_name,
         list(name) AS columns,
         string_agg(concat_ws(' ', name, type, logical_type), ', ') AS layout
  FROM (FROM parquet_schema($1::VARCHAR[]) WHERE num_children IS NULL)
  GROUP BY file_name`;

/**
 * The name is the record of what the file holds: `0000000003.parquet` the rows of segment 3,
 * `0000000003-0000000007.parquet` those of every segment from 3 to 7, and
 * `0000000003-0000000007.r1.parquet` what was left of these when rows had been deleted.
 */
export function parquetName({ first, last }: SegmentRange, revision = 0): string {
  const names = first === last ? [segmentName(first)] : [segmentName(first), segmentName(last)];
  return `${names.join('-')}${revision === 0 ? '' : `.r${revision}`}.parquet`;
}

/** The segments that a file was made from; undefined for a file that is not of our making. */
export function segmentsOf(path: string): SegmentRange | undefined {
  const [, first, last] = CONTENT.exec(path) ?? [];
  if (first === undefined) return undefined;
  const range = { first: Number(first), last: Number(last ?? first) };
  return range.first <= range.last ? range : undefined;
}

/** Start of the landing hour that a file is filed under, milliseconds; NaN for any other file. */
export function partitionHour(path: string): number {
  const [, dt, hour] = PARTITION.exec(dirname(path)) ?? [];
  return Date.parse(`${dt}T${hour}:00:00Z`);
}

/** How often rows were deleted from a file; each time it is written anew. */
export function revisionOf(path: string): number {
  return Number(CONTENT.exec(path)?.[3] ?? 0);
}

/**
 * Paths of all Parquet files below a table's directory, oldest partition first.
 *
 * @param layout matches the paths of its files, relative to the directory.
 */
export async function listParquetFiles(
  tableDirectory: string,
  layout: RegExp = LANDING_FILE,
): Promise<string[]> {
  const names = await readdir(tableDirectory, { recursive: true });
  return names
    .map((name) => name.replaceAll(sep, '/'))
    .filter((name) => layout.test(name))
    .sort()
    .map((name) => join(tableDirectory, name));
}

/**
 * The files that another of the same directory was made from: a merge or a deletion of rows was
 * stopped before it had removed them.
 */
export function supersededFiles(paths: readonly string[]): Set<string> {
  const directories = [...Map.groupBy(paths, (path) => dirname(path)).values()];
  return new Set(
    directories.flatMap((siblings) => {
      const made = siblings.filter(isMadeFromFiles);
      return siblings.filter((path) => made.some((other) => supersedes(other, path)));
    }),
  );
}

function isMadeFromFiles(path: string): boolean {
  const range = segmentsOf(path);
  return range !== undefined && (range.first < range.last || revisionOf(path) > 0);
}

function supersedes(made: string, path: string): boolean {
  const [outer, inner] = [segmentsOf(made), segmentsOf(path)];
  if (made === path || outer === undefined || inner === undefined) return false;
  const isSameRange = outer.first === inner.first && outer.last === inner.last;
  return isSameRange
    ? revisionOf(made) > revisionOf(path)
    : outer.first <= inner.first && inner.last <= outer.last;
}

/** Which segments have become Parquet, by the names of the files. */
export class ConvertedSegments {
  readonly #ranges: readonly SegmentRange[];
  readonly #reserved: number;

  /** @param reserved a number that was given, too, though the file is not there any more. */
  constructor(paths: readonly string[], reserved = 0) {
    this.#reserved = reserved;
    this.#ranges = paths.map(segmentsOf).filter((range) => range !== undefined);
  }

  has(segment: number): boolean {
    return this.#ranges.some(({ first, last }) => first <= segment && segment <= last);
  }

  /** The highest of them; 0 when there is none. */
  get highest(): number {
    return this.#ranges.reduce((highest, { last }) => Math.max(highest, last), this.#reserved);
  }
}

/**
 * Reads size and columns of files.
 *
 * @throws Error when one cannot be read as Parquet; the message names it.
 */
export async function describeFiles(
  connection: DuckDBConnection,
  paths: readonly string[],
): Promise<LakeFile[]> {
  if (paths.length === 0) return [];
  const reader = await connection.runAndReadAll(LAYOUTS, [listValue([...paths])]);
  return Promise.all(
    reader.getRowsJS().map(async ([path, columns, layout]) => {
      if (typeof path !== 'string' || typeof layout !== 'string' || !Array.isArray(columns)) {
        throw new Error('parquet_schema answered in an unknown form');
      }
      const { size } = await stat(path);
      return { path, bytes: size, columns: new Set(columns.map(String)), layout };
    }),
  );
}
