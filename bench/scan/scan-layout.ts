/** Two tables of a lake, one of them perhaps empty, and what statements read of their files. */
import { type DuckDBConnection, DuckDBInstance, listValue } from '@duckdb/node-api';
import { COMPACTED_TABLE, LANDING_TABLE } from '../../src/lake/layout/columns.ts';
import { createCompactedView } from '../../src/local/storage/compacted/compacted-sql.ts';
import { createView } from '../../src/local/storage/landing/landing-sql.ts';
import { describeFiles } from '../../src/local/storage/parquet/parquet-files.ts';

/** Rows that matter: of one source, at these times. Microseconds, both ends included. */
export interface Rows {
  readonly sourceId: string;
  /** Undefined where the query takes rows of any project. */
  readonly project: string | undefined;
  readonly fromUs: bigint;
  readonly toUs: bigint;
}

export interface ScanCost {
  /** Files that a statement's conditions leave, and their column chunks. */
  readonly files: number;
  readonly bytes: number;
  /** What is left where row groups are also skipped by their minima and maxima. */
  readonly bytesAfterStatistics: number;
}

const LANDED =
  /SELECT (?<list>[\w, ]+) FROM "log_events" WHERE source_id = '[^']*'(?: AND (?<partitions>\(dt > DATE '[-\d]+' OR \(dt = DATE '[-\d]+' AND hour >= \d+\)\)))?/g;
const COMPACTED =
  /SELECT (?<list>[\w, ]+) FROM "log_events_compacted" WHERE source_id = '[^']*' AND landed_hour < (?<watermark>TIMESTAMP '[^']+')(?: AND event_time >= (?<from>TIMESTAMP '[^']+'))?(?: AND event_time < (?<before>TIMESTAMP '[^']+'))?/g;

export class Layout {
  readonly name: string;
  readonly #connection: DuckDBConnection;

  private constructor(name: string, connection: DuckDBConnection) {
    this.name = name;
    this.#connection = connection;
  }

  static async open(
    name: string,
    landed: readonly string[],
    compacted: readonly string[],
  ): Promise<Layout> {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    await connection.run(
      `CREATE TABLE chunks AS
       SELECT file_name, row_group_id, row_group_num_rows AS rows,
              path_in_schema AS name, total_compressed_size AS bytes,
              stats_min_value AS low, stats_max_value AS high,
              TRY_CAST(regexp_extract(file_name, 'dt=([^/]+)', 1) AS DATE) AS dt,
              TRY_CAST(regexp_extract(file_name, 'hour=([^/]+)', 1) AS INTEGER) AS hour,
              TRY_CAST(regexp_extract(file_name, 'day=([^/]+)', 1) AS DATE) AS day
       FROM parquet_metadata($1::VARCHAR[])`,
      [listValue([...landed, ...compacted])],
    );
    await connection.run(
      `CREATE TABLE times AS
       SELECT file_name, any_value(day) AS day,
              make_timestamp(min(CAST(low AS BIGINT))) AS earliest,
              make_timestamp(max(CAST(high AS BIGINT))) AS latest
       FROM chunks WHERE name = 'timestamp_us' GROUP BY file_name`,
    );
    const files = (paths: readonly string[]) => describeFiles(connection, paths);
    await connection.run(createView(`"${LANDING_TABLE}"`, await files(landed), []));
    await connection.run(createCompactedView(`"${COMPACTED_TABLE}"`, await files(compacted)));
    return new Layout(name, connection);
  }

  /** What the scans of a compiled statement read. */
  async cost(text: string, rows: Rows): Promise<ScanCost> {
    const scans = [
      ...[...text.matchAll(LANDED)].map(({ groups = {} }) => ({
        list: groups.list ?? '',
        condition: `dt IS NOT NULL AND (${groups.partitions ?? 'true'})`,
      })),
      ...[...text.matchAll(COMPACTED)].map(({ groups = {} }) => ({
        list: `${groups.list}, timestamp, landed_hour`,
        condition:
          `file_name IN (SELECT file_name FROM times WHERE day IS NOT NULL ` +
          `AND latest >= ${groups.from ?? "TIMESTAMP '0001-01-01'"} ` +
          `AND earliest < ${groups.before ?? "TIMESTAMP '9999-12-31'"})`,
      })),
    ];
    // A scan that is printed in another form must not go uncounted.
    if (scans.length !== text.split('FROM "log_events').length - 1) {
      throw new Error(`The scans of this statement are not understood: ${text}`);
    }
    let cost: ScanCost = { files: 0, bytes: 0, bytesAfterStatistics: 0 };
    for (const { list, condition } of scans) {
      const names = ['source_id', ...list.split(', ')].map((name) => `'${name}'`).join(', ');
      const [files, bytes, bytesAfterStatistics] = await this.#numbers(
        `SELECT count(DISTINCT file_name), sum(bytes) FILTER (name IN (${names})),
                sum(bytes) FILTER (name IN (${names})
                  AND (file_name, row_group_id) IN (${matchingGroups(rows)}))
         FROM chunks WHERE ${condition}`,
      );
      cost = {
        files: cost.files + (files ?? 0),
        bytes: cost.bytes + (bytes ?? 0),
        bytesAfterStatistics: cost.bytesAfterStatistics + (bytesAfterStatistics ?? 0),
      };
    }
    return cost;
  }

  /** Number of files, and bytes of these columns, or of all. */
  async size(columns?: readonly string[]): Promise<{ files: number; bytes: number; rows: number }> {
    const names = columns?.map((name) => `'${name}'`).join(', ');
    const filter = names === undefined ? '' : `FILTER (name IN (${names}))`;
    const [files, bytes, rows] = await this.#numbers(
      `SELECT count(DISTINCT file_name), sum(bytes) ${filter},
              sum(rows) FILTER (name = 'source_id') FROM chunks`,
    );
    return { files: files ?? 0, bytes: bytes ?? 0, rows: rows ?? 0 };
  }

  /** Files that DuckDB opens for a statement, the rows it answers with, and milliseconds. */
  async run(text: string): Promise<{ files: number; rows: number; ms: number }> {
    const plan = (await this.#connection.runAndReadAll(`EXPLAIN ANALYZE ${text}`)).getRowsJS();
    const counts = [
      ...plan
        .flat()
        .join('\n')
        // The plan is drawn in boxes, whose lines may break anywhere.
        .replaceAll(/[\s│]+/g, ' ')
        .matchAll(/Total Files Read: (\d+)/g),
    ];
    const startedAt = performance.now();
    const { currentRowCount } = await this.#connection.runAndReadAll(text);
    return {
      files: counts.reduce((sum, [, count]) => sum + Number(count), 0),
      rows: currentRowCount,
      ms: performance.now() - startedAt,
    };
  }

  /** How many rows of the landing table are of the source and the time range. */
  async rowsAt({ sourceId, fromUs, toUs }: Rows): Promise<number> {
    const [count] = await this.#numbers(
      `SELECT count(*) FROM "log_events" WHERE source_id = '${sourceId}'
       AND timestamp_us BETWEEN ${fromUs} AND ${toUs}`,
    );
    return count ?? 0;
  }

  async #numbers(statement: string): Promise<number[]> {
    const [row] = (await this.#connection.runAndReadAll(statement)).getRowsJS();
    return (row ?? []).map((value) => Number(value ?? 0));
  }
}

/** A row group stays where a statistic is missing: only what it proves absent can be skipped. */
export function matchingGroups({ sourceId, project, fromUs, toUs }: Rows): string {
  const outside = [
    `name = 'source_id' AND ('${sourceId}' < low OR '${sourceId}' > high)`,
    ...(project === undefined
      ? []
      : [`name = 'project' AND ('${project}' < low OR '${project}' > high)`]),
    `name = 'timestamp_us' AND (TRY_CAST(high AS BIGINT) < ${fromUs} OR TRY_CAST(low AS BIGINT) > ${toUs})`,
  ].map((condition) => `(${condition})`);
  return (
    'SELECT file_name, row_group_id FROM chunks GROUP BY ALL ' +
    `HAVING NOT coalesce(bool_or(${outside.join(' OR ')}), false)`
  );
}
