import { type FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import { ServiceError } from '../errors.ts';
import { batchRecords, packRecords } from '../ingest/pack.ts';
import type { Clock, EventSink, LogFields, Logger } from '../ports.ts';
import { type Backoff, fullJitter, type Sleep, systemSleep } from './backoff.ts';
import { type CallFailure, callFailure } from './call-failure.ts';
import { type Unstored, unstoredRecords } from './firehose-response.ts';

export interface FirehoseSinkDeps {
  /** Build it with `firehoseClient()`: the SDK's own retries must be off. */
  readonly client: Pick<FirehoseClient, 'send'>;
  /** Delivery stream name. */
  readonly stream: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random?: () => number;
  readonly sleep?: Sleep;
  /**
   * Milliseconds after which no further attempt starts, default 8000. The last attempt may still run
   * into the client's request timeout of 4 s, which leaves the answer well within API Gateway's 30 s.
   */
  readonly budgetMs?: number;
}

/** Two calls of 4 MiB at once already exceed a stream's default 5 MiB/s; more would buy throttling. */
const CONCURRENT_CALLS = 2;
const BACKOFF: Backoff = { baseMs: 100, capMs: 2_000 };
/** Throttling passes within seconds; permissions and missing streams need a person. */
const RETRY_AFTER_SECONDS = { throttled: 5, transient: 5, permanent: 60 } as const;

/**
 * Puts rows on a Firehose delivery stream, which keeps what it accepted for 24 hours and files it.
 *
 * Delivery is at least once. A write that fails may have stored some of its rows already, and a call
 * without an answer may have been stored before it is sent again; either way the same rows arrive
 * twice. Readers tell copies apart by the event's `id`, which a client's retry must therefore keep.
 */
export class FirehoseSink implements EventSink {
  readonly #client: Pick<FirehoseClient, 'send'>;
  readonly #stream: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #random: () => number;
  readonly #sleep: Sleep;
  readonly #budgetMs: number;

  constructor(deps: FirehoseSinkDeps) {
    this.#client = deps.client;
    this.#stream = deps.stream;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
    this.#random = deps.random ?? Math.random;
    this.#sleep = deps.sleep ?? systemSleep;
    this.#budgetMs = deps.budgetMs ?? 8_000;
  }

  async write(rows: readonly string[]): Promise<void> {
    const deadline = this.#clock.now() + this.#budgetMs;
    const waiting = batchRecords(packRecords(rows)).values();
    const failed = new AbortController();
    const worker = async (): Promise<void> => {
      try {
        for (const batch of waiting) {
          await this.#put(batch, deadline, failed.signal);
        }
      } catch (error) {
        // The write is lost for its caller, so whatever else it stores is only a future duplicate.
        failed.abort(error);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_CALLS }, worker));
    failed.signal.throwIfAborted();
  }

  /** Puts one batch, resending what was not stored until all of it is or the deadline is near. */
  async #put(batch: readonly Uint8Array[], deadline: number, failed: AbortSignal): Promise<void> {
    let pending = batch;
    for (let attempt = 1; ; attempt++) {
      failed.throwIfAborted();
      const outcome = await this.#attempt(pending);
      if (outcome.records.length === 0) {
        return;
      }
      pending = outcome.records;
      const kind = outcome.failure?.kind ?? 'throttled';
      const fields: LogFields = {
        stream: this.#stream,
        attempt,
        records: batch.length,
        failed: pending.length,
        codes: outcome.codes,
        requestId: outcome.failure?.requestId,
      };
      const waitMs = fullJitter(BACKOFF, attempt, this.#random);
      // A wait that ends past the deadline is pointless: the client hears now rather than later.
      if (kind === 'permanent' || this.#clock.now() + waitMs >= deadline) {
        this.#logger.error('firehose write given up', fields);
        throw unavailable(kind);
      }
      this.#logger.warn('firehose write retried', { ...fields, waitMs });
      await this.#sleep(waitMs);
    }
  }

  async #attempt(records: readonly Uint8Array[]): Promise<Unstored & { failure?: CallFailure }> {
    const command = new PutRecordBatchCommand({
      DeliveryStreamName: this.#stream,
      Records: records.map((record) => ({ Data: record })),
    });
    try {
      return unstoredRecords(records, await this.#client.send(command));
    } catch (error) {
      const failure = callFailure(error);
      return { records, codes: { [failure.code]: records.length }, failure };
    }
  }
}

/** Carries no cause: a validation message of Firehose may quote the records it was sent. */
function unavailable(kind: CallFailure['kind']): ServiceError {
  const message =
    kind === 'permanent'
      ? 'Events cannot be stored because the service is misconfigured. Keep them and send them again; the operator finds the cause in the log.'
      : 'Events could not be stored in time because the log store is overloaded. Keep them and send them again.';
  return new ServiceError('sink_unavailable', 503, message, {
    retryAfterSeconds: RETRY_AFTER_SECONDS[kind],
  });
}
