import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalLake } from '../../src/local/lake.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { ServiceError } from '../../src/platform/errors.ts';
import type { WireRow } from '../../src/platform/execution.ts';
import type { Logger } from '../../src/platform/log.ts';
import { cellDecoder } from '../../src/query/decoding/decode-cell.ts';
import type { OutputColumn } from '../../src/sql/common/result-schema.ts';
import { type CompiledQuery, compile } from '../../src/sql/compile.ts';
import { runStatement } from './run-statement.ts';

/** What became of a statement that reads no source. */
export type Outcome =
  | {
      readonly status: 'rows';
      readonly columns: readonly OutputColumn[];
      /** Decoded cells in the order of the columns, as an endpoint decodes them. */
      readonly cells: readonly (readonly unknown[])[];
      /** Printed SQL. */
      readonly text: string;
    }
  /** 400 when compiled. */
  | { readonly status: 'refused'; readonly code: string; readonly message: string }
  /** 400 when run. */
  | { readonly status: 'data_error'; readonly message: string }
  /** The engine refused or failed: always a defect of the compiler. */
  | { readonly status: 'engine_error'; readonly message: string; readonly text: string }
  /** Something was thrown that no client could be told: always a defect. */
  | { readonly status: 'crash'; readonly message: string };

export interface SqlBench {
  run(sql: string): Promise<Outcome>;
  close(): Promise<void>;
}

/** 2026-02-03 10:00:00 UTC. */
const NOW_MS = Date.UTC(2026, 1, 3, 10);
const MAX_ROWS = 10_000;
const DEADLINE_MS = 60_000;

const clock: Clock = { now: () => NOW_MS };
const silent: Logger = { info: () => {}, warn: () => {}, error: () => {} };

/** Opens a compiler and a DuckDB that run statements without sources, one by one. */
export async function openSqlBench(): Promise<SqlBench> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-sql-bench-'));
  const lake = await LocalLake.open({ directory, clock, logger: silent });
  return {
    run: (sql) => outcomeOf(sql, lake).catch(crashed),
    async close() {
      await lake.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function outcomeOf(sql: string, lake: LocalLake): Promise<Outcome> {
  const compiled = compiledOrRefused(sql, lake);
  if ('status' in compiled) return compiled;
  const { columns, text } = compiled;
  const rows = await rowsOrError(compiled, lake);
  if ('status' in rows) return rows;
  const decoders = columns.map(({ type }) => cellDecoder(type));
  const cells = rows.rows.map((row) =>
    decoders.map((decode, index) => {
      const cell = row[index] ?? null;
      return cell === null ? null : decode(cell);
    }),
  );
  return { status: 'rows', columns, cells, text };
}

function compiledOrRefused(sql: string, lake: LocalLake): CompiledQuery | Outcome {
  try {
    return compile({
      sql,
      catalog: { source: () => undefined },
      parameters: {},
      nowUs: NOW_MS * 1000,
      target: 'duckdb',
      maxRows: MAX_ROWS,
      checkAll: true,
      table: lake.table,
      maxFilingDelaySeconds: lake.maxFilingDelaySeconds,
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { status: 'refused', code: error.code, message: error.message };
  }
}

async function rowsOrError(
  { text, columns }: CompiledQuery,
  lake: LocalLake,
): Promise<{ readonly rows: readonly WireRow[] } | Outcome> {
  try {
    const deadline = NOW_MS + DEADLINE_MS;
    return await runStatement(lake.engine, { text, columns, deadline });
  } catch (error) {
    if (isRefusal(error)) return { status: 'data_error', message: error.message };
    if (!(error instanceof ServiceError)) throw error;
    const cause = error.cause === undefined ? '' : `: ${error.cause}`;
    return { status: 'engine_error', message: `${error.message}${cause}`, text };
  }
}

function isRefusal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status === 400;
}

function crashed(error: unknown): Outcome {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { status: 'crash', message };
}
