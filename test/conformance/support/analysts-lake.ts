import { glob, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IngestPipeline } from '../../../src/ingest/pipeline.ts';
import { copySql } from '../../../src/lake/compaction/athena/compaction-sql.ts';
import { COMPACTED_COLUMNS, type LakeType } from '../../../src/lake/layout/columns.ts';
import { SchemaInference } from '../../../src/lake/schema/schema-inference.ts';
import { ViewReconciler } from '../../../src/lake/views/reconcile.ts';
import { LocalLake } from '../../../src/local/lake.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { ServiceError } from '../../../src/platform/errors.ts';
import type { WireRow } from '../../../src/platform/execution.ts';
import type { Logger } from '../../../src/platform/log.ts';
import { MemoryRecords } from '../../lake/views/memory-records.ts';
import { MemorySchemas } from '../../support/memory-schemas.ts';
import type { TrinoClient } from '../trino/client.ts';
import { ARRIVALS, SOURCES } from './analysts-events.ts';
import { glueTable } from './glue-table.ts';

const silent: Logger = { info: () => {}, warn: () => {}, error: () => {} };

/** Names of the suite's own, as all suites share one schema. */
const TABLES = { landing: 'analysts_landing', compacted: 'iceberg.lake.analysts_compacted' };

/** The days of the lake's partitions. */
const PLACE = { firstDay: '2026-02-01', today: '2026-02-03' };

/**
 * A lake as analysts see it: rows that the service stored, as Parquet under the deployed definition of
 * the landing table, and the views made by the real statements, all on Trino.
 */
export class AnalystsLake {
  /** Where the lake's Parquet files lie. */
  readonly directory: string;
  readonly #trino: TrinoClient;
  readonly #sources: Map<string, SourceState>;
  /** What the events of the sources have shown. */
  readonly schemas = new MemorySchemas();
  readonly #records = new MemoryRecords();
  #now = 0;
  #watermark: number | undefined;

  private constructor(trino: TrinoClient, directory: string) {
    this.#trino = trino;
    this.directory = directory;
    this.#sources = new Map(SOURCES.map((source) => [source.token, { ...source }] as const));
  }

  static async open(trino: TrinoClient): Promise<AnalystsLake> {
    const directory = await mkdtemp(join(tmpdir(), 'sluice-analysts-'));
    const lake = new AnalystsLake(trino, directory);
    await lake.#store();
    await trino.createTable(
      glueTable({ ...PLACE, name: TABLES.landing, directory: join(directory, 'lake') }),
    );
    await lake.#compact();
    return lake;
  }

  /** Rows of a query as Athena would give them. */
  async rows(sql: string): Promise<readonly WireRow[]> {
    return (await this.#trino.query(sql)).rows;
  }

  /** Rows that the scans of a query gave. */
  async rowsRead(sql: string): Promise<number> {
    return (await this.#trino.query(sql)).rowsRead;
  }

  /** Brings the views up to date, as the function does that is called when the registry changes. */
  sync(): ReturnType<ViewReconciler['run']> {
    return new ViewReconciler({
      registry: {
        listSources: async () => [...this.#sources.values()],
        schema: (token) => this.schemas.schema(token),
        watermark: async () => this.#watermark,
      },
      records: this.#records,
      statements: { run: (text) => this.#run(text) },
      clock: this.#clock,
      logger: silent,
      sleep: async () => {},
      tables: TABLES,
    }).run();
  }

  async #run(statement: string): Promise<void> {
    try {
      await this.#trino.query(statement);
    } catch (cause) {
      throw new ServiceError('query_failed', 502, 'Trino did not take the statement.', { cause });
    }
  }

  /** Makes the landing files of a day unreadable. */
  async breakFiles(day: string): Promise<void> {
    const files = glob(`lake/log_events/dt=${day}/*/*.parquet`, { cwd: this.directory });
    for await (const file of files) await writeFile(join(this.directory, file), 'not Parquet');
  }

  rename(token: string, name: string): void {
    const source = this.#sources.get(token);
    if (source !== undefined) source.name = name;
  }

  remove(token: string): void {
    this.#sources.delete(token);
  }

  /** Start of the first hour that the views read from the landing table. */
  set watermark(time: string | undefined) {
    this.#watermark = time === undefined ? undefined : Date.parse(time);
  }

  /**
   * Copies every hour, by the statements of compaction: also hours that the watermark has not passed,
   * as they are while compaction is at work.
   */
  async #compact(): Promise<void> {
    const columns = COMPACTED_COLUMNS.map(({ name, type }) => `"${name}" ${ICEBERG_TYPES[type]}`);
    await this.#trino.query('CREATE SCHEMA IF NOT EXISTS iceberg.lake');
    await this.#trino.query(
      `CREATE TABLE ${TABLES.compacted} (${columns.join(', ')}) WITH (
        format = 'PARQUET', partitioning = ARRAY['bucket(source_id, 8)', 'day(event_time)']
      )`,
    );
    const hours = ARRIVALS.map(({ at }) => at - (at % 3_600_000));
    for (const hour of new Set(hours)) {
      await this.#trino.query(copySql(TABLES, hour, ['2026-02-02', '2026-02-03']));
    }
  }

  async close(): Promise<void> {
    await this.#trino.query(`DROP TABLE IF EXISTS ${TABLES.compacted}`);
    await rm(this.directory, { recursive: true, force: true });
  }

  readonly #clock: Clock = { now: () => this.#now };

  async #store(): Promise<void> {
    this.#now = ARRIVALS[0]?.at ?? 0;
    const lake = await LocalLake.open({
      directory: this.directory,
      clock: this.#clock,
      logger: silent,
    });
    for (const { at, token, events } of ARRIVALS) {
      this.#now = at;
      const pipeline = new IngestPipeline({
        sink: lake.sink,
        inference: new SchemaInference({ registry: this.schemas, logger: silent }),
        registry: { sourceByToken: async () => undefined },
        clock: this.#clock,
        logger: silent,
      });
      const { rejected } = await pipeline.store({ token }, events);
      if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
      await lake.flush();
    }
    await lake.close();
  }
}

interface SourceState {
  readonly token: string;
  name: string;
  readonly insertedAt: string;
}

const ICEBERG_TYPES: Readonly<Record<LakeType, string>> = {
  string: 'varchar',
  bigint: 'bigint',
  timestamp: 'timestamp(6)',
};
