/** What the Parquet files of a lake say about themselves: bytes per column chunk, and min and max. */

import { type DuckDBConnection, DuckDBInstance, listValue } from '@duckdb/node-api';
import { createView } from '../../src/local/storage/landing/landing-sql.ts';
import { describeFiles } from '../../src/local/storage/parquet/parquet-files.ts';
import { matchingGroups, type Rows } from './scan-layout.ts';

/** The columns that one scan of a statement reads, and the condition on `dt` and `hour` it prints. */
export interface Scan {
  readonly columns: ReadonlySet<string>;
  readonly partitions: string;
}

export class ParquetFiles {
  readonly #connection: DuckDBConnection;

  private constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  static async open(paths: readonly string[], view: string): Promise<ParquetFiles> {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    await connection.run(
      `CREATE TABLE chunks AS
       SELECT file_name, row_group_id, row_group_num_rows AS rows,
              path_in_schema AS name, total_compressed_size AS bytes,
              stats_min_value AS low, stats_max_value AS high,
              CAST(regexp_extract(file_name, 'dt=([^/]+)', 1) AS DATE) AS dt,
              CAST(regexp_extract(file_name, 'hour=([^/]+)', 1) AS INTEGER) AS hour
       FROM parquet_metadata($1::VARCHAR[])`,
      [listValue([...paths])],
    );
    await connection.run(createView(view, await describeFiles(connection, paths), []));
    return new ParquetFiles(connection);
  }

  /** Compressed bytes of the column chunks that a scan reads; all columns where none is named. */
  async bytes(partitions: string, columns?: ReadonlySet<string>, range?: Rows) {
    const names = columns && [...columns].map((name) => `'${name}'`).join(', ');
    const conditions = [
      `(${partitions})`,
      ...(names === undefined ? [] : [`name IN (${names})`]),
      ...(range === undefined ? [] : [`(file_name, row_group_id) IN (${matchingGroups(range)})`]),
    ];
    return this.#number(`SELECT sum(bytes) FROM chunks WHERE ${conditions.join(' AND ')}`);
  }

  /** Number of files in the partitions of a condition. */
  files(partitions: string): Promise<number> {
    return this.#number(`SELECT count(DISTINCT file_name) FROM chunks WHERE ${partitions}`);
  }

  /** Number of row groups in all files, and of rows. */
  async size(): Promise<{ rowGroups: number; rows: number }> {
    const groups = '(SELECT DISTINCT file_name, row_group_id, rows FROM chunks)';
    return {
      rowGroups: await this.#number(`SELECT count(*) FROM ${groups}`),
      rows: await this.#number(`SELECT sum(rows) FROM ${groups}`),
    };
  }

  /** Number of files that DuckDB opens for a statement, as its own plan says. */
  async filesInPlan(statement: string): Promise<number> {
    const reader = await this.#connection.runAndReadAll(`EXPLAIN ANALYZE ${statement}`);
    const plan = reader.getRowsJS().flat().join('\n');
    const counts = [...plan.matchAll(/Total Files Read: (\d+)/g)].map((match) => Number(match[1]));
    if (counts.length === 0) throw new Error('DuckDB did not say how many files it read.');
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #number(statement: string): Promise<number> {
    const [row] = (await this.#connection.runAndReadAll(statement)).getRowsJS();
    return Number(row?.[0] ?? 0);
  }
}
