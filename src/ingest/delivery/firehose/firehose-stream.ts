import { type FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import type { Clock } from '../../../platform/clock.ts';
import { type Backoff, fullJitter } from '../../../platform/concurrency/backoff.ts';
import { mapWithConcurrency } from '../../../platform/concurrency/map-with-concurrency.ts';
import { type Sleep, systemSleep } from '../../../platform/concurrency/sleep.ts';
import type { LogFields, Logger } from '../../../platform/log.ts';
import { classifySdkError, type FailureKind, type SdkError } from '../../../platform/sdk-error.ts';
import { batchRecords } from '../record/pack.ts';
import { type FailedPuts, failedPuts } from './firehose-response.ts';

export interface FirehoseStreamDeps {
  /** Build it with `firehoseClient()`: the SDK's own retries must be off. */
  readonly client: Pick<FirehoseClient, 'send'>;
  /** Delivery stream name. */
  readonly stream: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random?: () => number;
  readonly sleep?: Sleep;
  /**
   * Calls at a time, default 2. Two calls of 4 MiB at once already exceed a stream's default 5 MiB/s;
   * more would buy throttling.
   */
  readonly concurrentCalls?: number;
}

/** How long records may be sent again. */
export interface PutLimits {
  /** Milliseconds since the epoch after which no call starts. */
  readonly deadline: number;
  /** Calls for the same records. @default as many as the deadline allows */
  readonly attempts?: number;
}

/** What a put has not stored, as far as anyone knows. */
export interface UndeliveredRecords {
  /** The records that were given, not copies. */
  readonly records: readonly Uint8Array[];
  /** Why. A deadline that passes before anything was refused counts as `throttled`. */
  readonly kind: FailureKind;
  /** What a log line should say about it. */
  readonly fields: LogFields;
}

const BACKOFF: Backoff = { baseMs: 100, capMs: 2_000 };

/** Puts records on a delivery stream, resending those that it did not take, and only those. */
export class FirehoseStream {
  readonly #deps: FirehoseStreamDeps;
  readonly #random: () => number;
  readonly #sleep: Sleep;
  readonly #concurrentCalls: number;

  constructor(deps: FirehoseStreamDeps) {
    this.#deps = deps;
    this.#random = deps.random ?? Math.random;
    this.#sleep = deps.sleep ?? systemSleep;
    this.#concurrentCalls = deps.concurrentCalls ?? 2;
  }

  /**
   * Never rejects for a failure of Firehose. Once a call was given up, no other begins: the caller
   * knows soon, and a stream in trouble is left alone.
   *
   * @returns what is left; undefined when everything is stored.
   */
  async put(
    records: readonly Uint8Array[],
    limits: PutLimits,
  ): Promise<UndeliveredRecords | undefined> {
    const given: GivenUp = { records: [] };
    await mapWithConcurrency(batchRecords(records), this.#concurrentCalls, (batch) =>
      this.#putBatch(batch, limits, given),
    );
    if (given.records.length === 0) return undefined;
    const { kind = 'throttled', fields = {} } = given;
    return {
      records: given.records,
      kind,
      fields: {
        stream: this.#deps.stream,
        ...fields,
        records: records.length,
        failed: given.records.length,
      },
    };
  }

  /** Puts one batch; adds to what is given up what is not stored when the limits are reached. */
  async #putBatch(batch: readonly Uint8Array[], limits: PutLimits, given: GivenUp): Promise<void> {
    let pending = batch;
    for (let attempt = 1; ; attempt++) {
      if (given.kind !== undefined || this.#deps.clock.now() >= limits.deadline) {
        given.records.push(...pending);
        return;
      }
      const outcome = await this.#attempt(pending);
      if (outcome.records.length === 0) return;
      pending = outcome.records;
      const kind = outcome.failure?.kind ?? 'throttled';
      const fields = { attempt, codes: outcome.codes, requestId: outcome.failure?.requestId };
      const waitMs = fullJitter(BACKOFF, attempt, this.#random);
      // A wait that ends past the deadline is pointless: the caller hears now rather than later.
      const last =
        attempt === limits.attempts || this.#deps.clock.now() + waitMs >= limits.deadline;
      if (kind === 'permanent' || last) {
        given.kind ??= kind;
        given.fields ??= fields;
        given.records.push(...pending);
        return;
      }
      const counts = { records: batch.length, failed: pending.length };
      this.#deps.logger.warn('firehose write retried', {
        stream: this.#deps.stream,
        ...fields,
        ...counts,
        waitMs,
      });
      await this.#sleep(waitMs);
    }
  }

  async #attempt(records: readonly Uint8Array[]): Promise<FailedPuts & { failure?: SdkError }> {
    const command = new PutRecordBatchCommand({
      DeliveryStreamName: this.#deps.stream,
      Records: records.map((record) => ({ Data: record })),
    });
    try {
      return failedPuts(records, await this.#deps.client.send(command));
    } catch (error) {
      const failure = classifySdkError(error);
      return { records, codes: { [failure.code]: records.length }, failure };
    }
  }
}

/** What the batches of one put have in common. */
interface GivenUp {
  readonly records: Uint8Array[];
  /** Of the first batch that was given up; no call starts once it is set. */
  kind?: FailureKind;
  fields?: LogFields;
}
