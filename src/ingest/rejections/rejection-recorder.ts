import type { Source } from '../../catalog/types.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import { WriteThrottle } from '../../platform/write-throttle.ts';
import { eventSample } from './event-sample.ts';
import type { RejectionLog, RejectionRecord } from './rejection-log.ts';

/**
 * Milliseconds between two writes of an instance for one source over time. The items of a source lie in one
 * partition, which takes 1,000 KB a second: a thousand instances with a sender that errs all day write 100
 * times a second.
 */
const WRITE_INTERVAL_MS = 10_000;

/** Kinds of refusals in one write; with an event each they stay below the 400 KB of an item. */
const MAX_KINDS = 20;

/** One refusal of a request: an event of it, or the whole. */
export interface Refusal {
  readonly code: string;
  readonly reason: string;
  /** Position in the batch, from 0; null for a request as a whole. */
  readonly index: number | null;
  readonly event?: unknown;
}

/** The request that was refused. */
export interface RejectedRequest {
  readonly requestId: string;
  readonly route: string;
}

type Recorded = Pick<Source, 'token' | 'keep_rejected_events'>;

interface Pending {
  readonly kinds: Map<string, RejectionRecord & { count: number }>;
  readonly allowance: WriteThrottle;
  timer: NodeJS.Timeout | undefined;
}

export interface RejectionRecorderDeps {
  readonly log: Pick<RejectionLog, 'append'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Whether a timer writes what had to wait. Where a process stands still between requests, say no and
   * call `flushDue` at the end of each. @default true
   */
  readonly timer?: boolean;
  /** Milliseconds between two writes for one source over time. @default 10,000 */
  readonly writeIntervalMs?: number;
}

/**
 * Counts refusals by source and kind, and writes them to the log: at once and within the request, because a
 * Lambda stands still between requests. Only in a flood those of ten seconds are written together. What
 * cannot be written is logged and let go.
 */
export class RejectionRecorder {
  readonly #log: Pick<RejectionLog, 'append'>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #timer: boolean;
  readonly #writeIntervalMs: number;
  readonly #sources = new Map<string, Pending>();
  /** Tokens of sources with refusals that are not written yet. */
  readonly #waiting = new Set<string>();

  constructor({ log, clock, logger, timer = true, writeIntervalMs }: RejectionRecorderDeps) {
    this.#log = log;
    this.#clock = clock;
    this.#logger = logger;
    this.#timer = timer;
    this.#writeIntervalMs = writeIntervalMs ?? WRITE_INTERVAL_MS;
  }

  /** Never throws. */
  async record(
    source: Recorded,
    request: RejectedRequest,
    refusals: readonly Refusal[],
  ): Promise<void> {
    if (refusals.length === 0) return;
    const pending = this.#pendingOf(source.token);
    for (const refusal of refusals) this.#count(pending, source, request, refusal);
    this.#waiting.add(source.token);
    const waitMs = pending.allowance.waitMs(this.#clock.now());
    if (waitMs === 0) return this.#write(source.token);
    if (this.#timer) {
      pending.timer ??= setTimeout(() => void this.#write(source.token), waitMs).unref();
    }
  }

  /** Writes what waits and may be written by now; for the end of a request. Never throws. */
  async flushDue(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const now = this.#clock.now();
    const isDue = (token: string) => this.#sources.get(token)?.allowance.waitMs(now) === 0;
    await Promise.all([...this.#waiting].filter(isDue).map((token) => this.#write(token)));
  }

  /** Writes what still waits; for the end of the process. Never throws. */
  async flush(): Promise<void> {
    await Promise.all([...this.#waiting].map((token) => this.#write(token)));
  }

  #pendingOf(token: string): Pending {
    const known = this.#sources.get(token);
    if (known !== undefined) return known;
    const created: Pending = {
      kinds: new Map(),
      allowance: new WriteThrottle(this.#writeIntervalMs),
      timer: undefined,
    };
    this.#sources.set(token, created);
    return created;
  }

  #count(pending: Pending, source: Recorded, request: RejectedRequest, refusal: Refusal): void {
    const isOther = pending.kinds.size >= MAX_KINDS;
    const kind = `${request.route} ${refusal.code} ${refusal.reason}`;
    const known = pending.kinds.get(kind) ?? (isOther ? pending.kinds.get(OTHERS) : undefined);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    const sample =
      source.keep_rejected_events && 'event' in refusal ? eventSample(refusal.event) : undefined;
    pending.kinds.set(isOther ? OTHERS : kind, {
      rejected_at: new Date(this.#clock.now()).toISOString(),
      reason: isOther ? `${refusal.reason} (and other reasons)` : refusal.reason,
      code: refusal.code,
      index: refusal.index,
      count: 1,
      request_id: request.requestId,
      route: request.route,
      ...(sample === undefined ? {} : { sample }),
    });
  }

  async #write(token: string): Promise<void> {
    const pending = this.#pendingOf(token);
    clearTimeout(pending.timer);
    pending.timer = undefined;
    this.#waiting.delete(token);
    if (pending.kinds.size === 0) return;
    const records = [...pending.kinds.values()];
    pending.kinds.clear();
    pending.allowance.take(this.#clock.now());
    try {
      await this.#log.append(token, records);
    } catch (error) {
      this.#logger.error('Rejections could not be recorded', {
        source: token,
        lost: records.reduce((sum, { count }) => sum + count, 0),
        error,
      });
    }
  }
}

/** No route begins with a letter, so no other kind is called this. */
const OTHERS = 'others';
