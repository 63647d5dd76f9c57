import type { CompactionProgress, CompactionState } from '../../../src/catalog/types.ts';
import { Compactor, type CompactorDeps } from '../../../src/lake/compaction/compactor.ts';
import { HOUR_MS } from '../../../src/lake/compaction/hours.ts';
import { schemaFromFlat } from '../../../src/lake/schema/schema.ts';
import { LOCAL_TABLES } from '../../../src/local/dynalite/dynamodb.ts';
import { Leases } from '../../../src/platform/leases/leases.ts';
import type { Logger } from '../../../src/platform/log.ts';
import { compile } from '../../../src/sql/compile.ts';
import type { LandedRow } from '../../ports/compaction-store.contract.ts';
import { openDatabase, type TestDatabase } from '../../support/registry.ts';
import type { TrinoClient } from '../trino/client.ts';
import { type Step, TrinoCompaction } from './trino-compaction.ts';

/** First hour of the lake. */
export const START = Date.UTC(2026, 1, 2);

export const SOURCE = '00000000-0000-4000-8000-000000000001';

const silent: Logger = { info: () => {}, warn: () => {}, error: () => {} };

class Crash extends Error {}

/** A lake on Trino with everything that compacts and queries it, and a clock that is set by hand. */
export class CompactingWorld {
  readonly lake: TrinoCompaction;
  readonly registry: ReturnType<TestDatabase['registry']>;
  readonly #database: TestDatabase;
  now = START;

  private constructor(lake: TrinoCompaction, database: TestDatabase) {
    this.lake = lake;
    this.#database = database;
    this.registry = database.registry();
  }

  static async open(trino: TrinoClient): Promise<CompactingWorld> {
    const lake = await TrinoCompaction.open(trino, {
      firstDay: '2026-02-02',
      lastDay: '2026-02-06',
    });
    return new CompactingWorld(lake, await openDatabase());
  }

  hour(n: number): number {
    return START + n * HOUR_MS;
  }

  /** Moves the clock on until the hour is closed. */
  close(hour: number): void {
    this.now = hour + 1.5 * HOUR_MS;
  }

  /** Another process of the job. */
  run(step: Step = () => {}, options: Partial<CompactorDeps> = {}) {
    const { registry } = this;
    return new Compactor({
      store: this.lake.newStore(step),
      registry: {
        listSources: () => registry.listSources(),
        readCompaction: async () => {
          await step('before the state is read');
          return registry.readCompaction();
        },
        writeCompaction: async (
          next: CompactionProgress,
          previous: CompactionState | undefined,
        ): Promise<CompactionState> => {
          await step('before the state is written');
          const written = await registry.writeCompaction(next, previous);
          await step('after the state is written');
          return written;
        },
      },
      leases: new Leases({
        client: this.#database.client,
        table: LOCAL_TABLES.cache,
        clock: { now: () => this.now },
      }),
      clock: { now: () => this.now },
      logger: silent,
      firstHour: START,
      maxFilingDelaySeconds: 1_200,
      ...options,
    }).runOnce(Number.POSITIVE_INFINITY);
  }

  /** Runs until the step of that number, where the process dies. @returns its name, if there is one. */
  async crashAt(number: number): Promise<string | undefined> {
    let steps = 0;
    let reached: string | undefined;
    try {
      await this.run((name) => {
        if (++steps !== number) return;
        reached = name;
        throw new Crash();
      });
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    return reached;
  }

  /** What an endpoint's query answers now, `id` by `id`, compiled as the service compiles it. */
  async query(where = ''): Promise<string[]> {
    const watermark = await this.#database.registry().watermark();
    const { landing, compacted } = this.lake.tables;
    const { text } = compile({
      sql: `select id from logs ${where}`,
      target: 'athena',
      catalog: {
        source: (name) =>
          name === 'logs' ? { id: SOURCE, name, schema: schemaFromFlat({}) } : undefined,
      },
      parameters: {},
      nowUs: this.now * 1000,
      maxRows: 10_000,
      table: landing,
      maxFilingDelaySeconds: 1_200,
      ...(watermark === undefined
        ? {}
        : { compacted: { table: compacted, beforeUs: watermark * 1000 } }),
    });
    return (await this.lake.trino.query(text)).rows.map(([id]) => String(id)).sort();
  }

  async end(): Promise<void> {
    await this.lake.close();
    await this.#database.close();
  }
}

export function ids(rows: readonly LandedRow[]): string[] {
  return rows.map(({ id }) => id).sort();
}
