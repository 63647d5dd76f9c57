import { readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type DuckDBConnection, listValue } from '@duckdb/node-api';
import { segmentName } from './segment.ts';

/** A Parquet file of the lake. */
export interface LakeFile {
  readonly path: string;
  readonly bytes: number;
  readonly columns: ReadonlySet<string>;
  /** Equal for files whose columns have equal names and types. */
  readonly layout: string;
}

const FILE_NAME = /^dt=\d{4}-\d\d-\d\d\/hour=\d\d\/([^/]+)\.parquet$/;
/** The first row of `parquet_schema` is the root of the schema, not a column. */
const LAYOUTS = `
  SELECT file_name,
         list(name) AS columns,
         string_agg(concat_ws(' ', name, type, logical_type), ', ') AS layout
  FROM (FROM parquet_schema($1::VARCHAR[]) WHERE num_children IS NULL)
  GROUP BY file_name`;

export function parquetPath(tableDirectory: string, dt: string, hour: string, segment: number) {
  return join(tableDirectory, `dt=${dt}`, `hour=${hour}`, `${segmentName(segment)}.parquet`);
}

/** Paths of all Parquet files below a table's directory, oldest partition first. */
export async function listParquetFiles(tableDirectory: string): Promise<string[]> {
  const names = await readdir(tableDirectory, { recursive: true });
  return names
    .map((name) => name.replaceAll(sep, '/'))
    .filter((name) => FILE_NAME.test(name))
    .sort()
    .map((name) => join(tableDirectory, name));
}

/** Numbers of the segments that these files were made from. */
export function convertedSegments(paths: readonly string[]): Set<number> {
  const numbers = paths.map((path) => /(\d{10,})\.parquet$/.exec(path)?.[1]);
  return new Set(numbers.filter((digits) => digits !== undefined).map(Number));
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
  if (paths.length === 0) {
    return [];
  }
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
