import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { SOURCE_DEFAULTS } from '../../src/catalog/source-defaults.ts';
import { NOTHING_SHOWN, type SourceSchema } from '../../src/catalog/source-schema.ts';
import type { Endpoint, Source } from '../../src/catalog/types.ts';
import { LOCAL_TABLES } from '../../src/local/dynalite/dynamodb.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Sleep } from '../../src/platform/concurrency/sleep.ts';
import {
  ExecutionGoesOn,
  type ExecutionResult,
  RetryableFailure,
  type Waiting,
  type WireRow,
} from '../../src/platform/execution.ts';
import { ResultStore } from '../../src/query/cache/result-cache-store.ts';
import {
  EndpointService,
  type EndpointServiceDeps,
  type SqlCompiler,
} from '../../src/query/endpoint-service.ts';
import { ExecutionLeases } from '../../src/query/execution/execution-leases.ts';
import type { EngineQuery, QueryEngine } from '../../src/query/execution/query-engine.ts';
import { WarmQueryStore } from '../../src/query/warming/warm-list.ts';
import type { OutputColumn } from '../../src/sql/common/result-schema.ts';
import type { CompiledQuery, CompileInput } from '../../src/sql/compile.ts';
import type { QueryDescription } from '../../src/sql/describe.ts';
import { recordingLogger } from '../http/support.ts';
import { openTables } from '../support/tables.ts';

export const EVENTS = source('11111111-1111-4111-8111-111111111111', 'events');

export function source(token: string, name: string): Source {
  const at = '2026-01-01T00:00:00.000Z';
  return { token, name, ...SOURCE_DEFAULTS, insertedAt: at, updatedAt: at };
}

export function endpoint(changes: Partial<Endpoint> = {}): Endpoint {
  return {
    token: '22222222-2222-4222-8222-222222222222',
    name: 'counts',
    description: null,
    query: 'select n from events',
    language: 'bq_sql',
    parameters: [],
    source_mapping: {},
    parsed: null,
    sandboxable: false,
    allow_wildcards: true,
    allow_whole_rows: null,
    cache_duration_seconds: 60,
    proactive_requerying_seconds: 0,
    max_limit: 1000,
    enable_auth: true,
    redact_pii: false,
    nested_records: 'object',
    labels: null,
    version: 1,
    insertedAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...changes,
  };
}

/** Waits for what the store or another call is about to bring; patient, because machines are busy. */
export async function eventually(assertion: () => void, interval = 5): Promise<void> {
  await vi.waitFor(assertion, { timeout: 20_000, interval });
}

/** Time that stands still until it is told to move. */
export class TestTime implements Clock {
  #now = Date.UTC(2026, 0, 1);
  #sleepers = new Set<{ at: number; wake: () => void }>();

  now(): number {
    return this.#now;
  }

  readonly sleep: Sleep = (ms, signal) =>
    new Promise((resolve) => {
      const sleeper = {
        at: this.#now + ms,
        wake: () => {
          this.#sleepers.delete(sleeper);
          resolve();
        },
      };
      if (ms <= 0 || signal?.aborted) return resolve();
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', sleeper.wake, { once: true });
    });

  advance(seconds: number): void {
    this.#now += seconds * 1_000;
    for (const sleeper of [...this.#sleepers]) if (sleeper.at <= this.#now) sleeper.wake();
  }
}

/** Lets time pass in steps that are short against every deadline, until a call has ended. */
export async function waitThrough(time: TestTime, call: Promise<unknown>): Promise<void> {
  let ended = false;
  const end = () => {
    ended = true;
  };
  call.then(end, end);
  await eventually(() => {
    time.advance(0.05);
    expect(ended).toBe(true);
  }, 20);
}

interface ScriptedExecution {
  readonly rows: Promise<readonly WireRow[]>;
}

/**
 * Answers with a new row at each run, unless it is told otherwise. Several processes may share one that is
 * durable; of one that is not, as on a laptop, an execution's rows are had once.
 */
export class ScriptedEngine implements QueryEngine {
  readonly target = 'duckdb';
  readonly durable: boolean;
  readonly queries: EngineQuery[] = [];
  readonly cancelled: string[] = [];
  time: TestTime = new TestTime();
  readonly #executions = new Map<string, ScriptedExecution>();
  #answer: (run: number, query: EngineQuery) => Promise<readonly WireRow[]> = async (run) => [
    [`${run}`],
  ];

  constructor({ durable = false }: { durable?: boolean } = {}) {
    this.durable = durable;
  }

  answerWith(answer: (run: number, query: EngineQuery) => Promise<readonly WireRow[]>): void {
    this.#answer = answer;
  }

  /** Keeps the next runs waiting; call the result to end them with rows or an error. */
  hold(): { end(outcome: readonly WireRow[] | Error): void } {
    const { promise, resolve, reject } = Promise.withResolvers<readonly WireRow[]>();
    this.#answer = () => promise;
    return { end: (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)) };
  }

  async start(query: EngineQuery): Promise<string> {
    const { token: id } = query;
    if (!this.#executions.has(id)) {
      this.queries.push(query);
      const rows = this.#answer(this.queries.length, query);
      rows.catch(() => {});
      this.#executions.set(id, { rows });
    }
    return id;
  }

  async collect(id: string, _width: number, waiting: Waiting): Promise<ExecutionResult> {
    const execution = this.#executions.get(id);
    if (execution === undefined) {
      throw new RetryableFailure({ code: 'query_failed', status: 502, message: 'It is lost.' });
    }
    const hasEnded = execution.rows.then(
      () => true,
      () => true,
    );
    for (;;) {
      const remainingMs = waiting.until - this.time.now();
      if (remainingMs <= 0) throw new ExecutionGoesOn();
      if (await Promise.race([hasEnded, this.time.sleep(remainingMs)])) break;
    }
    if (!this.durable) this.#executions.delete(id);
    const rows = await execution.rows;
    return { rows, bytesScanned: 1_000, queueMs: 20, engineMs: 300, endedAt: this.time.now() };
  }

  async cancel(id: string): Promise<void> {
    this.cancelled.push(id);
    this.#executions.delete(id);
  }

  async started(runs: number): Promise<void> {
    await eventually(() => expect(this.queries).toHaveLength(runs));
  }
}

/** Stands for the compiler: its statement shows what it was given, and every query gives one `n`. */
export class ScriptedCompiler implements SqlCompiler {
  readonly inputs: CompileInput[] = [];
  columns: readonly OutputColumn[] = [{ name: 'n', type: { kind: 'int64' } }];

  compile(input: CompileInput): CompiledQuery {
    this.inputs.push(input);
    const sources = this.tableNames(input.sql).map((name) => input.catalog.source(name)?.id);
    const parameters = Object.entries(input.parameters).map(([name, { type, value }]) => [
      name,
      type,
      String(value),
    ]);
    const text = JSON.stringify([input.sql, input.consumerSql, sources, parameters, input.nowUs]);
    return {
      text,
      columns: this.columns,
      warnings: [],
      sources: this.tableNames(input.sql),
      scans: [],
    };
  }

  describe(input: CompileInput): QueryDescription {
    const sources = this.tableNames(input.sql).flatMap((name) => {
      const source = input.catalog.source(name);
      return source === undefined ? [] : [{ name, id: source.id }];
    });
    return { columns: [{ name: 'n', type: 'INT64' }], tables: [], sources };
  }

  parameterNames(sql: string): string[] {
    return [...new Set([...sql.matchAll(/@(\w+)/g)].map((match) => match[1] ?? ''))];
  }

  freeNames(sql: string): string[] {
    return this.tableNames(sql);
  }

  tableNames(sql: string): string[] {
    return [...sql.matchAll(/from ([\w.-]+)/g)].map((match) => match[1] ?? '');
  }
}

/** Sources by name and token, without anything learned. */
export function sourceRegistry(...sources: Source[]) {
  return {
    sourceByName: async (name: string) => sources.find((known) => known.name === name),
    sourceByToken: async (token: string) => sources.find((known) => known.token === token),
    endpointByName: async (_name: string): Promise<Endpoint | undefined> => undefined,
    schema: async (_token: string): Promise<SourceSchema> => NOTHING_SHOWN,
  };
}

/** The cache table, for all tests of a file. */
export function cacheTable(): { readonly client: DynamoDBDocumentClient; readonly table: string } {
  let client: DynamoDBDocumentClient | undefined;
  let stop = async () => {};
  beforeAll(async () => {
    const tables = await openTables();
    client = tables.client;
    stop = tables.close;
  });
  afterAll(() => stop());
  return {
    table: LOCAL_TABLES.cache,
    get client() {
      if (client === undefined) throw new Error('The cache table is used outside a test.');
      return client;
    },
  };
}

let testNumber = 0;

/** A fresh endpoint per test keeps the tests of a file apart on their shared table. */
export function freshEndpoint(changes: Partial<Endpoint> = {}): Endpoint {
  testNumber++;
  const token = `33333333-3333-4333-8333-${String(testNumber).padStart(12, '0')}`;
  return endpoint({ token, ...changes });
}

/** One process: a runner with its own store object on the shared table. */
export function startProcess(
  table: { readonly client: DynamoDBDocumentClient; readonly table: string },
  time: TestTime,
  engine = new ScriptedEngine(),
  sources: Source[] = [EVENTS],
  options: Partial<Pick<EndpointServiceDeps, 'runsWithoutCache' | 'queryLog' | 'lake'>> = {},
) {
  const compiler = new ScriptedCompiler();
  return { compiler, ...startProcessWith(compiler, table, time, engine, sources, options) };
}

/** The same with any compiler. */
export function startProcessWith(
  compiler: SqlCompiler,
  table: { readonly client: DynamoDBDocumentClient; readonly table: string },
  time: TestTime,
  engine: ScriptedEngine,
  sources: Source[],
  options: Partial<Pick<EndpointServiceDeps, 'runsWithoutCache' | 'queryLog' | 'lake'>> = {},
) {
  const { logger, lines } = recordingLogger();
  engine.time = time;
  const results = new ResultStore({ client: table.client, table: table.table, clock: time });
  const leases = new ExecutionLeases({ client: table.client, table: table.table, clock: time });
  const warm = new WarmQueryStore({ client: table.client, table: table.table, clock: time });
  const runner = new EndpointService({
    registry: sourceRegistry(...sources),
    engine,
    results,
    leases,
    warm,
    compiler,
    clock: time,
    logger,
    lake: { table: 'log_events', maxFilingDelaySeconds: 300 },
    sleep: time.sleep,
    ...options,
  });
  /** Calls an endpoint and gives `n` of its first row with what the answer says about the cache. */
  const call = async (
    of: Endpoint,
    input: Readonly<Record<string, unknown>> = {},
    cacheControl?: string,
  ) => {
    const answer = await runner.run(of, { input, redact: false, cacheControl });
    return { n: answer.rows[0]?.n, cache: answer.cache, age: answer.ageSeconds };
  };
  return { runner, engine, results, leases, warm, logger, lines, call };
}
