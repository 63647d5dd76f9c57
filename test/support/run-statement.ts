import { randomUUID } from 'node:crypto';
import { ExecutionGoesOn, type ExecutionResult } from '../../src/platform/execution.ts';
import type { QueryEngine } from '../../src/query/execution/query-engine.ts';
import type { OutputColumn } from '../../src/sql/common/result-schema.ts';

export interface TestStatement {
  readonly text: string;
  readonly columns: readonly OutputColumn[];
  readonly token?: string;
  /** Milliseconds since the epoch. Default: none. */
  readonly deadline?: number;
  readonly caller?: string;
}

/** Starts a statement and waits for its rows until the deadline, where it ends when no other caller waits. */
export async function runStatement(
  engine: QueryEngine,
  { text, columns, deadline = Number.MAX_SAFE_INTEGER, ...rest }: TestStatement,
): Promise<ExecutionResult> {
  const waiting = { until: deadline };
  const token = rest.token ?? randomUUID();
  const caller = rest.caller ?? token;
  const width = columns.length;
  const id = await engine.start({ text, width, token, caller, keepMs: 20 }, waiting);
  try {
    return await engine.collect(id, width, waiting);
  } catch (error) {
    if (engine.durable && error instanceof ExecutionGoesOn) await engine.cancel(id);
    throw error;
  }
}
