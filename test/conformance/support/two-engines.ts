import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { IngestPipeline } from '../../../src/ingest/pipeline.ts';
import { SchemaInference } from '../../../src/lake/schema/schema-inference.ts';
import { LocalLake } from '../../../src/local/lake.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import type { WireRow } from '../../../src/platform/execution.ts';
import { stringifyJson } from '../../../src/platform/json/json.ts';
import type { Logger } from '../../../src/platform/log.ts';
import { decodeRows } from '../../../src/query/decoding/decode.ts';
import type { OutputType } from '../../../src/sql/common/result-schema.ts';
import {
  type Catalog,
  type CompiledQuery,
  type CompileInput,
  compile,
} from '../../../src/sql/compile.ts';
import { FixtureSources } from '../../sql/fixture-sources.ts';
import { runStatement } from '../../support/run-statement.ts';
import { TrinoClient } from '../trino/client.ts';
import { glueTable } from './glue-table.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Events by source that arrive at one moment. */
export interface Arrival {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly events: Readonly<Record<string, readonly unknown[]>>;
}

export interface LakeOptions {
  /** Of the table on Trino; unique in the suite. */
  readonly table: string;
  /** In order of time; the last one is "now" for every query. */
  readonly arrivals: readonly Arrival[];
}

export type QueryOptions = Partial<Omit<CompileInput, 'sql' | 'target'>>;

const silent: Logger = { info: () => {}, warn: () => {}, error: () => {} };

interface Parts {
  readonly trino: TrinoClient;
  readonly directory: string;
  readonly lake: LocalLake;
  readonly table: string;
  readonly clock: Clock;
  readonly sources: FixtureSources;
}

/** A lake that DuckDB and Trino read, and the compiler for both. */
export class TwoEngines {
  readonly trino: TrinoClient;
  /** Where the lake's Parquet files lie. */
  readonly directory: string;
  /** The table's name on Trino. */
  readonly table: string;
  readonly #lake: LocalLake;
  readonly #clock: Clock;
  /** The sources as if no path of theirs had a slot. */
  readonly jsonCatalog: Catalog;
  readonly #catalog: Catalog;

  private constructor(parts: Parts) {
    this.trino = parts.trino;
    this.directory = parts.directory;
    this.#lake = parts.lake;
    this.table = parts.table;
    this.#clock = parts.clock;
    this.jsonCatalog = parts.sources.jsonCatalog();
    this.#catalog = parts.sources.catalog();
  }

  /** Stores the events as the service does, turns them into Parquet, and shows those to Trino. */
  static async open({ table, arrivals }: LakeOptions, trino: TrinoClient): Promise<TwoEngines> {
    const directory = await mkdtemp(join(tmpdir(), 'sluice-conformance-'));
    let now = arrivals[0]?.at ?? 0;
    const clock: Clock = { now: () => now };
    const lake = await LocalLake.open({ directory, clock, logger: silent });
    const sources = new FixtureSources();
    for (const { at, events } of arrivals) {
      now = at;
      const inference = new SchemaInference({ registry: sources, logger: silent });
      const pipeline = new IngestPipeline({
        sink: lake.sink,
        inference,
        registry: sources,
        clock,
        logger: silent,
      });
      for (const [name, list] of Object.entries(events)) {
        const outcome = await pipeline.store({ token: sources.token(name) }, list);
        if (outcome.rejected.length > 0) {
          throw new Error(`${name}: ${JSON.stringify(outcome.rejected)}`);
        }
      }
      await lake.flush();
    }
    const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
    await trino.createTable(
      glueTable({
        name: table,
        directory: join(directory, 'lake'),
        firstDay: day(arrivals[0]?.at ?? 0),
        today: day(now),
      }),
    );
    return new TwoEngines({ trino, directory, lake, table, clock, sources });
  }

  compile(target: 'athena' | 'duckdb', sql: string, options: QueryOptions = {}): CompiledQuery {
    return compile({
      sql,
      target,
      catalog: this.#catalog,
      parameters: {},
      nowUs: this.#clock.now() * 1000,
      maxRows: 1000,
      table: target === 'athena' ? this.table : this.#lake.table,
      maxFilingDelaySeconds: this.#lake.maxFilingDelaySeconds,
      ...options,
    });
  }

  /** @throws ServiceError `query_failed`, with DuckDB's error as its cause. */
  async onDuckdb(sql: string, options?: QueryOptions): Promise<Row[]> {
    const { text, columns } = this.compile('duckdb', sql, options);
    return decoded(columns, await this.#runOnDuckdb(text, columns));
  }

  /** Rows of a statement of one column of text, written for DuckDB. */
  textOnDuckdb(statement: (table: string) => string): Promise<readonly WireRow[]> {
    return this.#runOnDuckdb(statement(this.#lake.table), [
      { name: 'x', type: { kind: 'string' } },
    ]);
  }

  async #runOnDuckdb(text: string, columns: CompiledQuery['columns']): Promise<readonly WireRow[]> {
    const deadline = this.#clock.now() + 60_000;
    return (await runStatement(this.#lake.engine, { text, columns, deadline })).rows;
  }

  /** @throws TrinoError; Error where a column has not the type that the decoder is told. */
  async onTrino(sql: string, options?: QueryOptions): Promise<Row[]> {
    const { text, columns } = this.compile('athena', sql, options);
    const { types, rows } = await this.trino.query(text);
    columns.forEach(({ name, type }, i) => {
      const expected = TRINO_TYPES[type.kind];
      if (types[i] !== expected) {
        throw new Error(`${name} is ${types[i]} on Trino, and not ${expected}:\n${text}`);
      }
    });
    return decoded(columns, rows);
  }

  async close(): Promise<void> {
    await this.#lake.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** What answers are made of (`finishOutput`); all else travels as text. */
const TRINO_TYPES: Readonly<Record<OutputType['kind'], string>> = {
  int64: 'bigint',
  timestamp: 'bigint',
  datetime: 'bigint',
  float64: 'double',
  bool: 'boolean',
  string: 'varchar',
  date: 'varchar',
  json: 'varchar',
};

/** Rows as the JSON of an answer has them; integers that no number holds as bigint. */
function decoded(columns: CompiledQuery['columns'], rows: readonly WireRow[]): Row[] {
  const result = decodeRows(columns, rows, { redact: false, nestedRecords: 'object' });
  return JSON.parse(stringifyJson(result), (_key, value, context?: { source?: string }) => {
    const digits = context?.source ?? '';
    const unsafe = Number.isInteger(value) && !Number.isSafeInteger(value);
    return unsafe && /^-?\d+$/.test(digits) ? BigInt(digits) : value;
  });
}

/** Opens a lake for the tests of a `describe` or file; gives back how to reach it. */
export function twoEngines(options: LakeOptions): () => TwoEngines {
  let engines: TwoEngines | undefined;
  beforeAll(async () => {
    engines = await TwoEngines.open(options, new TrinoClient(inject('trino')));
  });
  afterAll(() => engines?.close());
  return () => {
    if (engines === undefined) throw new Error('the lake is open from beforeAll to afterAll');
    return engines;
  };
}
