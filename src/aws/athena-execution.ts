import type { QueryExecution, QueryExecutionState } from '@aws-sdk/client-athena';
import type { AthenaCalls } from '../platform/athena/athena-api.ts';
import { timedOut } from '../platform/athena/athena-errors.ts';
import type { EngineResult, Logger } from '../ports.ts';
import { readRows } from './athena-results.ts';
import type { SharedWait } from './shared-wait.ts';

export function hasEnded(state: QueryExecutionState | undefined): boolean {
  return state === 'SUCCEEDED' || state === 'FAILED' || state === 'CANCELLED';
}

/**
 * Reads the rows of an execution that succeeded, and what it cost.
 *
 * @param of its id, what GetQueryExecution says of it, and the number of its columns.
 * @throws ServiceError `query_timeout` when all callers have left, `query_failed`,
 *   `result_too_large`.
 */
export async function readResult(
  of: { readonly id: string; readonly execution: QueryExecution; readonly width: number },
  deps: { readonly calls: AthenaCalls; readonly logger: Logger },
  wait: Pick<SharedWait<unknown>, 'check' | 'pause' | 'remainingMs'>,
): Promise<EngineResult> {
  const { id, execution, width } = of;
  const rows = await readRows((nextToken) => {
    wait.check(timedOut);
    return deps.calls.results(id, nextToken, wait);
  }, width);
  const statistics = execution.Statistics ?? {};
  const cost = {
    bytesScanned: statistics.DataScannedInBytes ?? 0,
    queueMs: statistics.QueryQueueTimeInMillis ?? 0,
    engineMs: statistics.EngineExecutionTimeInMillis ?? 0,
  };
  deps.logger.info('athena execution read', { executionId: id, rows: rows.length, ...cost });
  return { rows, ...cost };
}
