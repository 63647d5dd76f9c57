import type { EventSink } from '../../../lake/rows/event-sink.ts';
import { ServiceError } from '../../../platform/errors.ts';
import type { LogFields } from '../../../platform/log.ts';
import { type Metrics, noMetrics } from '../../../platform/metrics.ts';
import type { FailureKind } from '../../../platform/sdk-error.ts';
import { makeRecords, rowCount } from '../record/make-records.ts';
import { SpillFailed, type SpillQueue } from '../spill/spill-queue.ts';
import type { UndeliveredRecords } from './firehose-stream.ts';
import { FirehoseStreams, type FirehoseStreamsDeps } from './firehose-streams.ts';

export interface FirehoseSinkDeps extends FirehoseStreamsDeps {
  /**
   * Whether records are compressed, which the stream's transformation function undoes. @default true
   */
  readonly compress?: boolean;
  /** Where records go that the stream does not take in time. @default none: the write fails */
  readonly spillQueue?: SpillQueue;
  /**
   * Milliseconds after which no further attempt starts: by default 4000 with a spill queue, which
   * needs time as well, and 8000 without. The last attempt may still run into the client's request
   * timeout of 4 s, and spilling into its own 4 s: 12 s in all, of the 15 s that the function has.
   */
  readonly budgetMs?: number;
  /** @default spilled events are not counted */
  readonly metrics?: Metrics;
}

/** Throttling passes within seconds; permissions and missing streams need a person. */
const RETRY_AFTER_SECONDS = { throttled: 5, transient: 5, permanent: 60 } as const;

/**
 * Time without attempts after one that got no answer. Each would hold its request for the client's
 * whole timeout, and may store rows that are then spilled as well.
 */
const SILENCE_MS = 5_000;

/**
 * How long a refusal counts. On an instance that is rarely called each first try may fail, since its
 * connections die while it is frozen; without an end it would spill for ever.
 */
const REFUSAL_MS = 60_000;

/**
 * Puts rows on a Firehose delivery stream, packed into records and compressed, which keeps what it
 * accepted for 24 hours and files it.
 * What the stream does not take in time is spilled, if there is a queue for that; its redrive puts it on the
 * stream later.
 *
 * A stream that refuses for minutes costs its waits only once: after a write had to be spilled, later
 * writes try the stream once and spill at once what it refuses, until one is stored whole again. After
 * a call without an answer they do not even try for 5 s. When spilling fails, or nothing was refused for
 * a minute, the next write takes its whole time again.
 *
 * Delivery is at least once. A write that fails may have stored some of its rows already, and a call
 * without an answer may have been stored before its rows are sent again or spilled; either way the same
 * rows arrive twice. Readers tell copies apart by the event's `id`, which a client's retry must
 * therefore keep.
 */
export class FirehoseSink implements EventSink {
  readonly #stream: FirehoseStreams;
  readonly #deps: FirehoseSinkDeps;
  readonly #compress: boolean;
  readonly #budgetMs: number;
  readonly #metrics: Metrics;
  /** Set since a write had to be spilled; milliseconds since the epoch. */
  #refusal: { readonly tryFrom: number; readonly until: number } | undefined;

  constructor(deps: FirehoseSinkDeps) {
    this.#deps = deps;
    this.#stream = new FirehoseStreams(deps);
    this.#compress = deps.compress ?? true;
    this.#metrics = deps.metrics ?? noMetrics;
    this.#budgetMs = deps.budgetMs ?? (deps.spillQueue === undefined ? 8_000 : 4_000);
  }

  async write(rows: readonly string[]): Promise<void> {
    const records = makeRecords(rows, this.#compress);
    if (records.length === 0) return;
    const now = this.#deps.clock.now();
    const refusal = now < (this.#refusal?.until ?? 0) ? this.#refusal : undefined;
    if (refusal !== undefined && now < refusal.tryFrom) {
      await this.#spill({ records, kind: 'transient', fields: this.#notTried(records.length) });
      return;
    }
    const remainder = await this.#stream.put(records, {
      deadline: now + this.#budgetMs,
      ...(refusal === undefined ? {} : { attempts: 1 }),
    });
    if (remainder === undefined) {
      this.#refusal = undefined;
      return;
    }
    await this.#spill(remainder);
    const then = this.#deps.clock.now();
    this.#refusal = {
      tryFrom: remainder.kind === 'transient' ? then + SILENCE_MS : then,
      until: then + REFUSAL_MS,
    };
  }

  #notTried(records: number): LogFields {
    return { stream: this.#stream.name, records, failed: records, codes: { NotTried: records } };
  }

  /** @throws ServiceError when there is no place or it fails. */
  async #spill({ records, kind, fields }: UndeliveredRecords): Promise<void> {
    if (this.#deps.spillQueue === undefined) {
      this.#deps.logger.error('firehose write given up', fields);
      throw unavailable(kind);
    }
    try {
      await this.#deps.spillQueue.spill(records);
    } catch (error) {
      this.#refusal = undefined;
      if (!(error instanceof SpillFailed)) throw error;
      this.#deps.logger.error('firehose write given up', { ...fields, parking: error.code });
      throw unavailable(kind);
    }
    this.#metrics.record(
      'EventsParked',
      records.reduce((sum, record) => sum + rowCount(record), 0),
    );
    this.#deps.logger[kind === 'permanent' ? 'error' : 'warn']('firehose records parked', fields);
  }
}

/** Carries no cause: a validation message of Firehose may quote the records it was sent. */
function unavailable(kind: FailureKind): ServiceError {
  const message =
    kind === 'permanent'
      ? 'Events cannot be stored because the service is misconfigured. Keep them and send them again; the operator finds the cause in the log.'
      : 'Events could not be stored in time because the log store is overloaded. Keep them and send them again.';
  return new ServiceError('sink_unavailable', 503, message, {
    retryAfterSeconds: RETRY_AFTER_SECONDS[kind],
  });
}
