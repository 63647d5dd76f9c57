import { join } from 'node:path';
import {
  COMPACTED_COLUMNS,
  COMPACTED_TIME,
  LANDING_COLUMNS,
  type LakeColumn,
} from '../../src/lake/layout/columns.ts';
import { type Database, openDatabase } from '../../src/local/storage/database.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Logger } from '../../src/platform/log.ts';
import { quoteText } from '../../src/platform/sql-text.ts';
import { DuckdbEngine } from '../../src/query/execution/duckdb/duckdb-engine.ts';
import type { QueryEngine } from '../../src/query/execution/query-engine.ts';
import type { CompileInput } from '../../src/sql/compile.ts';

/** How far compaction has got with the hours that the rows of a lake are dealt out to. */
export type Progress = 'half' | 'all';

const HOUR_MS = 3_600_000;

/** Both tables of a lake whose rows have been copied from one to the other up to some hour. */
export class SplitLake {
  readonly engine: QueryEngine;
  readonly #database: Database;

  private constructor(database: Database, clock: Clock, logger: Logger) {
    this.#database = database;
    const table = { name: TABLES.table, load: async () => {}, pin: () => () => {}, bytes: 0 };
    this.engine = new DuckdbEngine({
      connections: database.readers,
      tables: [table],
      clock,
      logger,
    });
  }

  /** @param directory the Parquet files that statements may read lie below it. */
  static async open(directory: string, clock: Clock, logger: Logger): Promise<SplitLake> {
    const lake = new SplitLake(await openDatabase(directory, 1), clock, logger);
    const landing = [...LANDING_COLUMNS.map(definition), 'dt DATE', 'hour INTEGER'];
    await lake.run(`CREATE TABLE ${TABLES.table} (${landing.join(', ')})`);
    const compacted = COMPACTED_COLUMNS.map(definition);
    await lake.run(`CREATE TABLE ${TABLES.compacted} (${compacted.join(', ')})`);
    return lake;
  }

  /**
   * Deals the rows of a lake's Parquet files out to the four hours from `firstHour` on. Half way, the
   * first one has expired in the landing table, the second one is in both, and so is the third one,
   * which compaction has copied already but not yet said so.
   *
   * @param firstHour milliseconds since the epoch.
   * @returns what a query is compiled with.
   */
  async deal(
    files: string,
    firstHour: number,
    progress: Progress,
  ): Promise<Pick<CompileInput, 'table' | 'compacted'>> {
    const start = `TIMESTAMP ${quoteText(new Date(firstHour).toISOString().slice(0, 19))}`;
    await this.run(
      `CREATE TABLE dealt AS SELECT *, ${start} + INTERVAL 1 HOUR * nth AS landed_hour FROM
       (SELECT *, row_number() OVER (ORDER BY source_id, id) % 4 AS nth FROM read_parquet(${quoteText(join(files, '**/*.parquet'))}, hive_partitioning = false))`,
    );
    const [expired, copied, watermark] = progress === 'half' ? [1, 3, 2] : [4, 4, 4];
    await this.run(
      `INSERT INTO ${TABLES.table} BY NAME SELECT * EXCLUDE (nth, landed_hour), CAST(landed_hour AS DATE) AS dt,
       CAST(hour(landed_hour) AS INTEGER) AS hour FROM dealt WHERE nth >= ${expired}`,
    );
    await this.run(
      `INSERT INTO ${TABLES.compacted} BY NAME SELECT * EXCLUDE (nth) RENAME ("timestamp" AS ${COMPACTED_TIME}), 0 AS content_hash FROM dealt WHERE nth < ${copied}`,
    );
    return splitAt(firstHour + watermark * HOUR_MS);
  }

  async run(statement: string): Promise<void> {
    await this.#database.writer.run(statement);
  }

  close(): void {
    this.#database.close();
  }
}

export const TABLES = { table: '"log_events"', compacted: '"log_events_compacted"' };

/** @param watermark milliseconds since the epoch. */
export function splitAt(watermark: number): Pick<CompileInput, 'table' | 'compacted'> {
  return {
    table: TABLES.table,
    compacted: { table: TABLES.compacted, beforeUs: watermark * 1_000 },
  };
}

function definition({ name, type }: LakeColumn): string {
  return `"${name}" ${type === 'string' ? 'VARCHAR' : type}`;
}
