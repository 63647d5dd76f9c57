import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { IngestPipeline } from '../../src/ingest/pipeline.ts';
import { SchemaInference } from '../../src/lake/schema/schema-inference.ts';
import { LocalLake } from '../../src/local/lake.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { stringifyJson } from '../../src/platform/json/json.ts';
import type { Logger } from '../../src/platform/log.ts';
import { decodeRows } from '../../src/query/decoding/decode.ts';
import { bindStatement } from '../../src/sql/bind/bind-statement.ts';
import {
  type Catalog,
  type CompiledQuery,
  type CompileInput,
  compile,
} from '../../src/sql/compile.ts';
import { type Pass, runPass } from '../../src/sql/optimize/optimize.ts';
import { printStatement } from '../../src/sql/print/print-statement.ts';
import { outputColumns } from '../../src/sql/print/result-encoding.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { runStatement } from '../support/run-statement.ts';
import { FixtureSources } from './fixture-sources.ts';
import { type Progress, SplitLake } from './split-lake.ts';

/** 2026-02-03 10:00:00 UTC, a Tuesday: "now" for every query of these tests. */
export const NOW_US = Date.UTC(2026, 1, 3, 10) * 1000;

const silent: Logger = { info: () => {}, warn: () => {}, error: () => {} };
const clock: Clock = { now: () => NOW_US / 1000 };

type Row = Record<string, unknown>;

export interface SqlBench {
  readonly catalog: Catalog;
  /** The same sources as if no path of theirs had a slot. */
  readonly jsonCatalog: Catalog;
  compile(sql: string, options?: Partial<CompileInput>): CompiledQuery;
  /** Compiles for DuckDB, runs on the local lake, and gives back the rows as an answer has them. */
  rows(sql: string, options?: Partial<CompileInput>): Promise<Row[]>;
  /** The same of a text with only these passes of the optimizer, in which no pass can change what it is given. */
  rowsBehind(passes: readonly Pass[], sql: string): Promise<Row[]>;
  /** Whether the engine can parse and bind a statement, whatever its rows do to it when they run. */
  accepts(compiled: CompiledQuery): Promise<boolean>;
}

/**
 * A lake with events that went through the real ingest pipeline, and a compiler over it.
 *
 * @param compacted how far compaction has got; if it is not given, there is none.
 */
export function sqlBench(
  events: Readonly<Record<string, readonly unknown[]>>,
  compacted?: Progress,
): SqlBench {
  const sources = new FixtureSources();
  let directory: string;
  let lake: LocalLake;
  let split: SplitLake | undefined;
  let tables: Pick<CompileInput, 'table' | 'compacted'> = { table: '"log_events"' };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-sql-'));
    lake = await LocalLake.open({ directory, clock, logger: silent });
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
    if (compacted !== undefined) {
      await lake.flush();
      split = await SplitLake.open(directory, clock, silent);
      tables = await split.deal(join(directory, 'lake'), NOW_US / 1000 - 2 * 3_600_000, compacted);
    }
  });

  afterAll(async () => {
    split?.close();
    await lake.close();
    await rm(directory, { recursive: true, force: true });
  });

  const catalog = sources.catalog();

  const inputOf = (sql: string, options: Partial<CompileInput> = {}): CompileInput => ({
    sql,
    catalog,
    parameters: {},
    nowUs: NOW_US,
    target: 'duckdb',
    maxRows: 1000,
    maxFilingDelaySeconds: 60,
    ...tables,
    ...options,
  });

  const run = (sql: string, options?: Partial<CompileInput>): CompiledQuery =>
    compile(inputOf(sql, options));

  const execute = (text: string, compiled: Pick<CompiledQuery, 'columns'>) =>
    runStatement((split ?? lake).engine, {
      text,
      columns: compiled.columns,
      deadline: clock.now() + 60_000,
    });

  const rowsOf = async (compiled: Pick<CompiledQuery, 'text' | 'columns'>): Promise<Row[]> => {
    const result = await execute(compiled.text, compiled);
    const rows = decodeRows(compiled.columns, result.rows, {
      redact: false,
      nestedRecords: 'object',
    });
    return JSON.parse(stringifyJson(rows)) as Row[];
  };

  return {
    catalog,
    jsonCatalog: sources.jsonCatalog(),
    compile: run,
    accepts: async (compiled) => {
      const explained = await execute(`SELECT 1 AS one FROM (${compiled.text}) AS q WHERE FALSE`, {
        ...compiled,
        columns: [{ name: 'one', type: { kind: 'int64' } }],
      }).catch(() => undefined);
      return explained !== undefined;
    },
    rows: async (sql, options) => rowsOf(run(sql, options)),
    rowsBehind: async (passes, sql) => {
      const input = inputOf(sql);
      const ir = passes.reduce(
        (before, pass) => deepFreeze(runPass(before, pass)),
        deepFreeze(bindStatement(input).ir),
      );
      const text = printStatement(ir, input.target, input);
      return rowsOf({ text, columns: outputColumns(ir.root) });
    },
  };
}
