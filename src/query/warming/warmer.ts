import type { Endpoint, Registry } from '../../catalog/types.ts';
import type { Clock } from '../../platform/clock.ts';
import { mapWithConcurrency } from '../../platform/concurrency/map-with-concurrency.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { ResultStore } from '../cache/result-cache-store.ts';
import type { WarmEntry, WarmQueryStore } from './warm-list.ts';

/** Replaces the rows of a call; see `EndpointService.refresh`. */
export interface Refresher {
  refresh(
    endpoint: Endpoint,
    entry: WarmEntry,
    deadline: number,
  ): Promise<'refreshed' | 'busy' | 'running'>;
}

export interface WarmerDeps {
  readonly registry: Pick<Registry, 'listEndpoints'>;
  readonly runner: Refresher;
  readonly results: Pick<ResultStore, 'times'>;
  readonly warm: WarmQueryStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Refreshes at a time; 4 when left out. */
  readonly concurrency?: number;
  /** How long one pass may take, milliseconds; 50,000 when left out: a pass starts every minute. */
  readonly budgetMs?: number;
}

interface DueEntry {
  readonly endpoint: Endpoint;
  readonly entry: WarmEntry;
  readonly createdAt: number;
}

/** Doubling stops here: an endpoint that has been mended is warm again within the hour. */
const MAX_BACKOFF_MS = 3_600_000;

/** How far the clocks of processes may differ; what is later than that was noted before one was set back. */
const MAX_SKEW_MS = 60_000;

/** Index and row reads are small and many; they wait for the network only. */
const LOOKUPS = 16;

/**
 * Refreshes cached rows before they expire, so that readers of a dashboard find fresh ones. Only
 * calls that were made within the endpoint's cache duration, and only while rows are there: a
 * call whose rows are gone is refreshed by its next reader.
 */
export class Warmer {
  readonly #deps: Required<WarmerDeps>;

  constructor(deps: WarmerDeps) {
    this.#deps = { concurrency: 4, budgetMs: 50_000, ...deps };
  }

  /**
   * One pass over all endpoints. A refresh that is not done when the pass ends goes on, and the next
   * pass or reader picks it up.
   *
   * @returns entries that were due, rows that were replaced, refreshes that failed, and entries that
   *   were left for the next pass; what remains was refreshed by another process, or goes on.
   * @throws when the registry or the cache table cannot be read.
   */
  async runOnce(): Promise<{ due: number; refreshed: number; failed: number; postponed: number }> {
    const { clock, logger, concurrency, budgetMs } = this.#deps;
    const startedAt = clock.now();
    const deadline = startedAt + budgetMs;
    const due = await this.#due(startedAt);
    const counts = { refreshed: 0, failed: 0, busy: 0, running: 0, postponed: 0 };
    await mapWithConcurrency(due, concurrency, async (item) => {
      counts[clock.now() < deadline ? await this.#refresh(item, deadline) : 'postponed']++;
    });
    logger.info('warming pass', {
      due: due.length,
      ...counts,
      durationMs: clock.now() - startedAt,
    });
    const { refreshed, failed, postponed } = counts;
    return { due: due.length, refreshed, failed, postponed };
  }

  /** Oldest rows first, so that a pass that runs out of time leaves the youngest. */
  async #due(now: number): Promise<DueEntry[]> {
    const endpoints = await this.#deps.registry.listEndpoints();
    const due: DueEntry[] = [];
    await mapWithConcurrency(endpoints.filter(isWarmed), LOOKUPS, async (endpoint) => {
      const entries = await this.#deps.warm.list(endpoint.token);
      await mapWithConcurrency(entries, LOOKUPS, async (entry) => {
        const createdAt = await this.#dueSince(endpoint, entry, now);
        if (createdAt !== undefined) due.push({ endpoint, entry, createdAt });
      });
    });
    return due.sort((a, b) => a.createdAt - b.createdAt);
  }

  /** When the rows of an entry were made, if they are due. */
  async #dueSince(endpoint: Endpoint, entry: WarmEntry, now: number): Promise<number | undefined> {
    const { results, warm } = this.#deps;
    const sinceRead = now - entry.lastReadAt;
    const unread = sinceRead >= endpoint.cache_duration_seconds * 1_000;
    // A reader notes again what was read before the clock was set back.
    if (unread || sinceRead < -MAX_SKEW_MS || entry.version !== endpoint.version) {
      await warm.drop(entry);
      return undefined;
    }
    if (now < entry.retryAt && entry.retryAt <= now + MAX_BACKOFF_MS) return undefined;
    const createdAt = (await results.times(entry.key))?.createdAt ?? now;
    const isOld = now - createdAt >= endpoint.proactive_requerying_seconds * 1_000;
    return isOld || createdAt > now + MAX_SKEW_MS ? createdAt : undefined;
  }

  async #refresh({ endpoint, entry }: DueEntry, deadline: number) {
    const { runner, warm, logger } = this.#deps;
    try {
      const outcome = await runner.refresh(endpoint, entry, deadline);
      if (outcome === 'refreshed' && entry.failures > 0) await warm.noteRefresh(entry, 0, 0);
      return outcome;
    } catch (error) {
      const failures = entry.failures + 1;
      const retryAt = this.#deps.clock.now() + backoffMs(endpoint, failures);
      logger.warn('a cached query could not be refreshed', {
        endpoint: endpoint.token,
        key: entry.key,
        code: error instanceof ServiceError ? error.code : 'internal_error',
        failures,
        retryAt: new Date(retryAt).toISOString(),
        error,
      });
      await warm.noteRefresh(entry, failures, retryAt);
      return 'failed';
    }
  }
}

function isWarmed(endpoint: Endpoint): boolean {
  return endpoint.proactive_requerying_seconds > 0 && endpoint.cache_duration_seconds > 0;
}

/** One warming interval after the first failure, then twice as long each time. */
function backoffMs(endpoint: Endpoint, failures: number): number {
  const intervalMs = endpoint.proactive_requerying_seconds * 1_000;
  return Math.min(MAX_BACKOFF_MS, intervalMs * 2 ** (failures - 1));
}
