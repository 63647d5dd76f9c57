import { randomUUID } from 'node:crypto';
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Clock } from '../../../platform/clock.ts';
import { type Backoff, fullJitter } from '../../../platform/concurrency/backoff.ts';
import { mapWithConcurrency } from '../../../platform/concurrency/map-with-concurrency.ts';
import { type Sleep, systemSleep } from '../../../platform/concurrency/sleep.ts';
import type { Logger } from '../../../platform/log.ts';
import { classifySdkError, type SdkError } from '../../../platform/sdk-error.ts';
import { batchBySize } from '../record/pack.ts';
import type { ObjectStore } from './s3-objects.ts';
import { SpillFailed, type SpillQueue } from './spill-queue.ts';
import { MAX_MESSAGE_BYTES, messageText } from './spilled-record.ts';

export interface SqsSpillQueueDeps {
  /** Build it with `sqsClient()`: the SDK's own retries must be off. */
  readonly client: Pick<SQSClient, 'send'>;
  readonly queueUrl: string;
  /** Takes what does not fit a message. */
  readonly objects: Pick<ObjectStore, 'put'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random?: () => number;
  readonly sleep?: Sleep;
  /** Milliseconds after which spilling has failed, calls under way included. @default 4000 */
  readonly budgetMs?: number;
}

const MAX_BATCH_MESSAGES = 10;
const CONCURRENT_CALLS = 4;
const BACKOFF: Backoff = { baseMs: 50, capMs: 500 };

/**
 * Spills records to an SQS queue, one message each. A record that is too large for a message, about
 * 768 KiB, goes to S3 first, and its message says where: a message never points to nothing.
 */
export class SqsSpillQueue implements SpillQueue {
  readonly #deps: SqsSpillQueueDeps;
  readonly #random: () => number;
  readonly #sleep: Sleep;
  readonly #budgetMs: number;

  constructor(deps: SqsSpillQueueDeps) {
    this.#deps = deps;
    this.#random = deps.random ?? Math.random;
    this.#sleep = deps.sleep ?? systemSleep;
    this.#budgetMs = deps.budgetMs ?? 4_000;
  }

  async spill(records: readonly Uint8Array[]): Promise<void> {
    const limits: Limits = {
      deadline: this.#deps.clock.now() + this.#budgetMs,
      signal: AbortSignal.timeout(this.#budgetMs),
    };
    const messages = await mapWithConcurrency(records, CONCURRENT_CALLS, (record) =>
      this.#message(record, limits),
    );
    const batches = batchBySize(messages, (message) => message.length, {
      items: MAX_BATCH_MESSAGES,
      bytes: MAX_MESSAGE_BYTES,
    });
    await mapWithConcurrency(batches, CONCURRENT_CALLS, (batch) => this.#send(batch, limits));
  }

  /** A record as the text of a message, ASCII; its object is stored by then, if it needs one. */
  async #message(record: Uint8Array, limits: Limits): Promise<string> {
    const base64 = Buffer.from(record.buffer, record.byteOffset, record.byteLength).toString(
      'base64',
    );
    const text = messageText({ v: 2, record: base64 });
    if (text.length <= MAX_MESSAGE_BYTES) return text;
    const day = new Date(this.#deps.clock.now()).toISOString().slice(0, 10);
    const name = `${day}/${randomUUID()}`;
    await this.#untilDone(limits, async () => {
      try {
        await this.#deps.objects.put(name, record, limits.signal);
        return undefined;
      } catch (error) {
        return classifySdkError(error);
      }
    });
    return messageText({ v: 2, object: name });
  }

  /** Sends messages, and again those of them that the queue did not take. */
  #send(messages: readonly string[], limits: Limits): Promise<void> {
    let pending = messages;
    return this.#untilDone(limits, async () => {
      const command = new SendMessageBatchCommand({
        QueueUrl: this.#deps.queueUrl,
        Entries: pending.map((MessageBody, index) => ({ Id: String(index), MessageBody })),
      });
      try {
        const { Successful = [], Failed = [] } = await this.#deps.client.send(command, {
          abortSignal: limits.signal,
        });
        const sent = new Set(Successful.map(({ Id }) => Id));
        pending = pending.filter((_, index) => !sent.has(String(index)));
        return pending.length === 0 ? undefined : entryFailure(Failed);
      } catch (error) {
        return classifySdkError(error);
      }
    });
  }

  /** Repeats a call until it reports no failure. @throws SpillFailed */
  async #untilDone(limits: Limits, call: () => Promise<SdkError | undefined>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const failure = await call();
      if (failure === undefined) return;
      const waitMs = fullJitter(BACKOFF, attempt, this.#random);
      if (failure.kind === 'permanent' || this.#deps.clock.now() + waitMs >= limits.deadline) {
        throw new SpillFailed(failure.code);
      }
      this.#deps.logger.warn('parking retried', {
        attempt,
        code: failure.code,
        requestId: failure.requestId,
        waitMs,
      });
      await this.#sleep(waitMs);
    }
  }
}

interface Limits {
  /** Milliseconds since the epoch after which no call starts. */
  readonly deadline: number;
  /** Ends calls under way. */
  readonly signal: AbortSignal;
}

/** The worst of what happened to single messages of a batch. */
function entryFailure(
  failed: readonly {
    readonly Code?: string | undefined;
    readonly SenderFault?: boolean | undefined;
  }[],
): SdkError {
  const ours = failed.find(({ SenderFault }) => SenderFault);
  return {
    kind: ours === undefined ? 'throttled' : 'permanent',
    code: (ours ?? failed[0])?.Code ?? 'IncompleteResponse',
    requestId: undefined,
  };
}
