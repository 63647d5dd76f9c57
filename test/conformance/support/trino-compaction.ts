import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import {
  AthenaCompactionStore,
  type AthenaCompactionStoreDeps,
} from '../../../src/lake/compaction/athena/athena-compaction-store.ts';
import type { CompactionTables } from '../../../src/lake/compaction/athena/compaction-sql.ts';
import type { CompactionStore } from '../../../src/lake/compaction/compaction-store.ts';
import { LANDING_COLUMNS, type LakeType } from '../../../src/lake/layout/columns.ts';
import type { DdlStatement } from '../../../src/platform/athena/athena-ddl.ts';
import type {
  CompactedRow,
  CompactionStoreHarness,
  LandedRow,
} from '../../ports/compaction-store.contract.ts';
import type { TrinoClient } from '../trino/client.ts';
import { glueTable } from './glue-table.ts';
import { inTrinosWords } from './trino-words.ts';

/** What stands between two steps of a process. */
export type Step = (name: string) => void | Promise<void>;

/** Days that the landing tables of tests span. */
export interface LandingSpan {
  readonly firstDay: string;
  readonly lastDay: string;
}

const DUCKDB_TYPES: Readonly<Record<LakeType, string>> = {
  string: 'VARCHAR',
  bigint: 'BIGINT',
  timestamp: 'TIMESTAMP',
};

/**
 * A landing table of the deployed definition and a compacted table of Trino's Iceberg connector, with
 * the store as it is deployed on top: its statements run on Trino, those that only Athena knows in
 * Trino's words for the same.
 */
export class TrinoCompaction implements CompactionStoreHarness {
  readonly tables: CompactionTables;
  readonly trino: TrinoClient;
  readonly store: CompactionStore;
  readonly #directory: string;
  readonly #duckdb: DuckDBConnection;
  /** Executions by token: as on Athena, one token never starts two. */
  readonly #executions = new Map<string, Promise<void>>();

  private constructor(
    trino: TrinoClient,
    directory: string,
    name: string,
    duckdb: DuckDBConnection,
  ) {
    this.trino = trino;
    this.#directory = directory;
    this.#duckdb = duckdb;
    this.tables = { landing: `hive.lake.${name}`, compacted: `iceberg.lake.${name}_compacted` };
    this.store = this.newStore();
  }

  static async open(trino: TrinoClient, span: LandingSpan): Promise<TrinoCompaction> {
    const directory = await mkdtemp(join(tmpdir(), 'sluice-compaction-'));
    const name = `events_${randomUUID().replaceAll('-', '')}`;
    await mkdir(join(directory, 'lake/log_events'), { recursive: true });
    await trino.createTable(
      glueTable({
        name,
        directory: join(directory, 'lake'),
        firstDay: span.firstDay,
        today: span.lastDay,
      }),
    );
    await trino.query('CREATE SCHEMA IF NOT EXISTS iceberg.lake');
    const instance = await DuckDBInstance.create();
    return new TrinoCompaction(trino, directory, name, await instance.connect());
  }

  /**
   * A store as another process has it, on the same tables and executions.
   *
   * @param step stands before, within and after every statement; when it throws within one, the
   *   statement goes on without this process.
   */
  newStore(step: Step = () => {}): CompactionStore {
    return new AthenaCompactionStore({
      engine: this.#engine(step),
      statements: {
        run: async (statement) => {
          await step('before a statement');
          const execution = this.#run(statement);
          await step('while a statement runs');
          await execution;
          await step('after a statement');
        },
      },
      tables: this.tables,
      location: 's3://nowhere/',
      clock: { now: () => Date.now() },
      logger: { info: () => {}, warn: () => {}, error: () => {} },
      deadline: Number.POSITIVE_INFINITY,
    });
  }

  async land(hour: number, rows: readonly LandedRow[]): Promise<void> {
    const at = new Date(hour).toISOString();
    const folder = join(
      this.#directory,
      `lake/log_events/dt=${at.slice(0, 10)}/hour=${at.slice(11, 13)}`,
    );
    await mkdir(folder, { recursive: true });
    const values = rows.map((row) => `(${LANDING_COLUMNS.map((c) => cell(c, row, hour)).join()})`);
    const names = LANDING_COLUMNS.map(({ name }) => `"${name}"`).join();
    await this.#duckdb.run(
      `COPY (SELECT * FROM (VALUES ${values.join()}) t(${names})) TO '${join(folder, `${randomUUID()}.parquet`)}' (FORMAT parquet)`,
    );
  }

  async compacted(): Promise<CompactedRow[]> {
    const { rows } = await this.trino.query(
      `SELECT source_id, id, timestamp_us, event_message, project, metadata, body, to_unixtime(landed_hour) * 1000 FROM ${this.tables.compacted}`,
    );
    return rows.map(([source, id, us, message, project, metadata, body, hour]) => ({
      source_id: String(source),
      id: String(id),
      timestamp_us: Number(us),
      event_message: message ?? null,
      project: project ?? null,
      metadata: metadata ?? null,
      body: body ?? null,
      landed_hour: Number(hour),
    }));
  }

  async files(day: string): Promise<number> {
    const { rows } = await this.trino.query(
      `SELECT count(DISTINCT "$path") FROM ${this.tables.compacted} WHERE cast(event_time AS date) = DATE '${day}'`,
    );
    return Number(rows[0]?.[0]);
  }

  async storedRows(): Promise<number> {
    const files = this.tables.compacted.replace(/\w+$/, '"$&$$files"');
    const { rows } = await this.trino.query(
      `SELECT coalesce(sum(record_count), 0) FROM ${files} WHERE content = 0`,
    );
    return Number(rows[0]?.[0]);
  }

  async close(): Promise<void> {
    await this.trino.query(`DROP TABLE IF EXISTS ${this.tables.compacted}`);
    this.#duckdb.disconnectSync();
    await rm(this.#directory, { recursive: true, force: true });
  }

  #engine(step: Step): AthenaCompactionStoreDeps['engine'] {
    return {
      run: async ({ text }) => {
        const { rows } = await this.trino.query(text);
        await step('after a query');
        return { rows, bytesScanned: 0, queueMs: 0, engineMs: 0, endedAt: 0 };
      },
    };
  }

  #run({ text, token }: DdlStatement): Promise<void> {
    const known = this.#executions.get(token);
    if (known !== undefined) return known;
    const execution = this.#execute(text);
    this.#executions.set(token, execution);
    // A failed execution is followed by another one under the same token.
    execution.catch(() => this.#executions.delete(token));
    return execution;
  }

  async #execute(text: string): Promise<void> {
    for (const statement of inTrinosWords(text, this.tables.compacted)) {
      await this.trino.query(statement);
    }
  }
}

function cell({ name, type }: { name: string; type: LakeType }, row: LandedRow, hour: number) {
  const fields: Readonly<Record<string, unknown>> = {
    ...row,
    timestamp: new Date(Math.floor(row.timestamp_us / 1000)).toISOString().replace('Z', ''),
    ingested_at: new Date(hour + 1000).toISOString().replace('Z', ''),
    s000: row.metadata,
    s127: row.timestamp_us % 1000,
  };
  const value = fields[name] ?? null;
  const text = value === null ? 'NULL' : `'${String(value).replaceAll("'", "''")}'`;
  return `CAST(${text} AS ${DUCKDB_TYPES[type]})`;
}
