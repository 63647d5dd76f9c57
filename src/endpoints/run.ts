import type { EngineRun } from '../query/execution/query-engine.ts';
import type { OutputColumn } from '../sql/output.ts';
import type { Usage } from './query-record.ts';
import type { WireResult } from './result-codec.ts';
import type { StoredResult } from './result-store.ts';

/** What one run cost. Milliseconds and bytes. */
export interface RunCost {
  readonly compileMs: number;
  readonly queueMs: number;
  readonly engineMs: number;
  readonly bytesScanned: number;
}

export interface RunResult extends WireResult {
  readonly cost: RunCost;
}

/** What an engine is given, and the columns that it answers with. */
export interface Statement {
  readonly text: string;
  readonly columns: readonly OutputColumn[];
}

/**
 * Compiles and runs a call's query.
 *
 * @param startedAt what the query takes for the current time, milliseconds since the epoch. Runs that
 *   share it are one run to the engine.
 * @param onStarted see {@link StartedRun}; called again when the engine begins anew.
 * @param known the statement of the run that goes on; compiled anew it could be another by now, as
 *   compaction or a schema has moved on, and then it would be another run.
 * @param signal aborted when the rows are of no use any more.
 */
export type Run = (
  startedAt: number,
  onStarted: (run: StartedRun) => void,
  known?: Statement,
  signal?: AbortSignal,
) => Promise<RunResult>;

/** A run that the engine goes on with whoever waits, and what it takes to make rows of it. */
export interface StartedRun extends Statement {
  readonly engine: EngineRun;
  /** For the record of the run, should somebody else finish it. */
  readonly usage: Usage;
}

/**
 * - `hit`: rows were there and fresh enough
 * - `stale`: rows were there, too old, and could not be replaced
 * - `miss`: the query ran, and its rows were kept
 * - `off`: the query ran, and its rows were not kept
 */
export type CacheState = 'hit' | 'stale' | 'miss' | 'off';

export interface Outcome {
  readonly state: CacheState;
  readonly result: StoredResult;
  /** Of the run from which this process read the rows; undefined where they were there. */
  readonly cost: RunCost | undefined;
  /** Whether it is this process that records the cost; false where another has done so. */
  readonly counts: boolean;
}
