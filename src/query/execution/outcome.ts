import type { ExecutionResult } from '../../platform/execution.ts';
import type { StoredResult } from '../cache/result-cache-store.ts';

/**
 * - `hit`: rows were there and fresh enough
 * - `stale`: rows were there, too old, and could not be replaced
 * - `miss`: the query ran, and its rows were kept
 * - `off`: the query ran, and its rows were not kept
 */
export type CacheState = 'hit' | 'stale' | 'miss' | 'off';

/** What one execution cost. Milliseconds and bytes. */
export interface ExecutionCost
  extends Pick<ExecutionResult, 'queueMs' | 'engineMs' | 'bytesScanned'> {
  /** 0 where another process compiled it. */
  readonly compileMs: number;
}

/** How a call came to its rows. */
export interface Outcome {
  readonly state: CacheState;
  readonly result: StoredResult;
  /** Of the execution whose rows these are; undefined where rows were there. */
  readonly cost: ExecutionCost | undefined;
  /** Whether it is this process that records the cost; false where another does. */
  readonly recordsCost: boolean;
}
