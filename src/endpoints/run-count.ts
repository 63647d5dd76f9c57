import type { Logger } from '../platform/log.ts';
import type { Flight } from './flight.ts';
import type { LeftRuns } from './left-runs.ts';

/**
 * Whether this process is the one that records what a run cost, of all that have its rows.
 *
 * Nearly always nobody else knew of the run, which the end of its lease has told, so that asking costs
 * nothing. A run that others were led to belongs to whoever first says so in its note: one write, after
 * the rows have been kept. Who dies between that write and the record takes the record along: a cost that
 * is missing for a moment's crash is the price for none that is there twice.
 *
 * @param wasAlone whether nobody else has had the lease of the run.
 */
export async function countRun(
  flight: Flight<unknown>,
  wasAlone: boolean,
  { results, logger }: { readonly results: { readonly left: LeftRuns }; readonly logger: Logger },
): Promise<boolean> {
  const isUnknown = flight.land() && wasAlone;
  const id = flight.run?.engine.id;
  // Runs without an id end with their process, and another process that repeats one reads it all anew.
  if (isUnknown || id === undefined) return true;
  try {
    return await results.left.count(id);
  } catch (error) {
    // Rather twice than not at all while the table is out of order: somebody will ask about twice.
    logger.warn('who counts a run could not be settled', { executionId: id, error });
    return true;
  }
}
