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

/**
 * Compiles and runs a call's query.
 *
 * @param startedAt what the query takes for the current time, milliseconds since the epoch. Runs that
 *   share it are one run to the engine.
 */
export type Run = (startedAt: number) => Promise<RunResult>;

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
  /** Undefined when the rows cost this process nothing. */
  readonly cost: RunCost | undefined;
}
