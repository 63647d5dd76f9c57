import { Compactor, type CompactorDeps } from '../lake/compaction/compactor.ts';
import type { Clock } from '../platform/clock.ts';
import { startInterval } from '../platform/concurrency/interval.ts';
import { Leases } from '../platform/leases/leases.ts';
import type { Logger } from '../platform/log.ts';
import type { DataDirectory } from './data-directory.ts';
import { LOCAL_TABLES } from './dynalite/dynamodb.ts';

const INTERVAL_MS = 600_000;
/** After that a run begins nothing any more. What one hour takes is seconds. */
const RUN_MS = 540_000;
/** Hours before now at which looking for landing files begins at least; rows may come as late. */
const LOOK_BACK_MS = 72 * 3_600_000;

export interface CompactionDeps {
  readonly data: Pick<DataDirectory, 'lake' | 'client'>;
  readonly registry: CompactorDeps['registry'];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What the schedule of compaction does on AWS, and what the expiry of landing files does there. */
export class CompactionSchedule {
  readonly #deps: CompactionDeps;

  constructor(deps: CompactionDeps) {
    this.#deps = deps;
  }

  /**
   * Copies every closed hour, and deletes landing files that no query needs any more.
   *
   * @throws ServiceError as `Compactor.runOnce` does; the next run goes on from there.
   */
  async runOnce(): Promise<void> {
    const { data, registry, clock, logger } = this.#deps;
    const { lake, client } = data;
    const compactor = new Compactor({
      store: lake.compaction,
      registry,
      leases: new Leases({ client, table: LOCAL_TABLES.cache, clock }),
      clock,
      logger,
      firstHour: firstHour(lake.oldestHour, clock),
      maxFilingDelaySeconds: lake.maxFilingDelaySeconds,
    });
    await compactor.runOnce(clock.now() + RUN_MS);
    const state = await registry.readCompaction();
    if (state !== undefined) await lake.cleanUpLanding(state.watermark);
  }

  /** @returns stops the schedule; what runs ends when the lake closes. */
  start(): () => Promise<void> {
    let isStopping = false;
    const runUnlessStopping = async (): Promise<void> => {
      try {
        await this.runOnce();
      } catch (error) {
        // The lake closes under a run, and the next start goes on from there.
        if (!isStopping) throw error;
      }
    };
    const { logger } = this.#deps;
    const stop = startInterval(runUnlessStopping, {
      everyMs: INTERVAL_MS,
      logger,
      name: 'compaction',
    });
    return () => {
      isStopping = true;
      return stop();
    };
  }
}

function firstHour(oldest: number | undefined, clock: Clock): number {
  const hour = Math.min(oldest ?? Number.POSITIVE_INFINITY, clock.now() - LOOK_BACK_MS);
  return hour - (hour % 3_600_000);
}
