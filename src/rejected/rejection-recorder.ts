import type { Clock, Logger } from '../ports.ts';
import type { Source } from '../registry/types.ts';
import { eventSample } from './event-sample.ts';
import type { RejectionLog, RejectionRecord } from './rejection-log.ts';

/** Milliseconds between two writes for one source: a sender that errs all day costs one a second. */
const WRITE_INTERVAL_MS = 1_000;

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
export interface RefusedRequest {
  readonly requestId: string;
  readonly route: string;
}

type Recorded = Pick<Source, 'token' | 'keep_rejected_events'>;

interface Pending {
  readonly kinds: Map<string, RejectionRecord & { count: number }>;
  /** Milliseconds since the epoch of the last write. */
  writtenAt: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Counts refusals by source and kind, and writes them to the log: the first at once, those of the
 * next second together. A write belongs to a request and is over when it is answered, because a Lambda
 * stands still between requests. What cannot be written is logged and let go.
 */
export class RejectionRecorder {
  readonly #log: Pick<RejectionLog, 'append'>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #sources = new Map<string, Pending>();

  constructor(deps: { log: Pick<RejectionLog, 'append'>; clock: Clock; logger: Logger }) {
    this.#log = deps.log;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
  }

  /** Never throws. */
  async record(
    source: Recorded,
    request: RefusedRequest,
    refusals: readonly Refusal[],
  ): Promise<void> {
    if (refusals.length === 0) return;
    const pending = this.#pendingOf(source.token);
    for (const refusal of refusals) this.#count(pending, source, request, refusal);
    const waitMs = pending.writtenAt + WRITE_INTERVAL_MS - this.#clock.now();
    // More than the interval means that the clock was set back.
    if (waitMs <= 0 || waitMs > WRITE_INTERVAL_MS) return this.#write(source.token, pending);
    pending.timer ??= setTimeout(() => void this.#write(source.token, pending), waitMs).unref();
  }

  /** Writes what still waits; for the end of the process. Never throws. */
  async flush(): Promise<void> {
    await Promise.all([...this.#sources].map(([token, pending]) => this.#write(token, pending)));
  }

  #pendingOf(token: string): Pending {
    const known = this.#sources.get(token);
    if (known !== undefined) return known;
    const created: Pending = {
      kinds: new Map(),
      writtenAt: Number.NEGATIVE_INFINITY,
      timer: undefined,
    };
    this.#sources.set(token, created);
    return created;
  }

  #count(pending: Pending, source: Recorded, request: RefusedRequest, refusal: Refusal): void {
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

  async #write(token: string, pending: Pending): Promise<void> {
    clearTimeout(pending.timer);
    pending.timer = undefined;
    if (pending.kinds.size === 0) return;
    const records = [...pending.kinds.values()];
    pending.kinds.clear();
    pending.writtenAt = this.#clock.now();
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
