import { classifySdkError } from '../../../platform/sdk-error.ts';
import { FirehoseStreams, type FirehoseStreamsDeps } from '../firehose/firehose-streams.ts';
import type { ObjectStore } from '../spill/s3-objects.ts';
import { checkedRecord, readMessage } from '../spill/spilled-record.ts';

export interface RedriveDeps extends Omit<FirehoseStreamsDeps, 'concurrentCalls'> {
  /** Holds what did not fit a message. */
  readonly objects: Pick<ObjectStore, 'get'>;
}

/** A message of the spill queue. */
export interface QueuedMessage {
  readonly id: string;
  readonly text: string;
  /** When it was spilled, milliseconds since the epoch. */
  readonly sentAt: number;
}

/** Time for reading objects, in which all messages of a call can be read many times over. */
const READING_MS = 8_000;

/** Milliseconds after which no further attempt starts; with the last one, 14 s. */
const PUTTING_MS = 10_000;

/**
 * Puts spilled records on the stream.
 *
 * One call at a time, so that it takes no more than its share of a stream which is short of capacity;
 * what it has to give up waits in the queue until the queue shows it again.
 */
export class Redrive {
  readonly #stream: FirehoseStreams;
  readonly #deps: RedriveDeps;

  constructor(deps: RedriveDeps) {
    this.#deps = deps;
    this.#stream = new FirehoseStreams({ ...deps, concurrentCalls: 1 });
  }

  /**
   * Never rejects for a message or for Firehose.
   *
   * @returns ids of the messages whose records are not stored, or not for certain: they must stay in
   *   the queue.
   */
  async run(messages: readonly QueuedMessage[]): Promise<string[]> {
    const signal = AbortSignal.timeout(READING_MS);
    const read = await Promise.all(messages.map((message) => this.#record(message, signal)));
    const records = read.filter((record) => record !== undefined);
    const remainder = await this.#stream.put(records, {
      deadline: this.#deps.clock.now() + PUTTING_MS,
    });

    const left = new Set(remainder?.records);
    const waiting = messages.filter((_, index) => {
      const record = read[index];
      return record === undefined || left.has(record);
    });
    const stored = messages.length - waiting.length;
    if (stored > 0) this.#deps.logger.info('parked records stored', { stored });
    if (waiting.length > 0) {
      const oldest = Math.min(...waiting.map(({ sentAt }) => sentAt));
      this.#deps.logger.warn('parked records wait', {
        ...remainder?.fields,
        waiting: waiting.length,
        oldestSeconds: Math.max(0, Math.round((this.#deps.clock.now() - oldest) / 1_000)),
      });
    }
    return waiting.map(({ id }) => id);
  }

  /** The record of a message; undefined when it cannot be had now. */
  async #record(message: QueuedMessage, signal: AbortSignal): Promise<Uint8Array | undefined> {
    try {
      const spilled = readMessage(message.text);
      return checkedRecord(
        'record' in spilled
          ? Buffer.from(spilled.record, 'base64')
          : await this.#deps.objects.get(spilled.object, signal),
      );
    } catch (error) {
      const { kind, code, requestId } = classifySdkError(error);
      // Never the error itself: one of a parser quotes what it was given.
      this.#deps.logger[kind === 'permanent' ? 'error' : 'warn']('parked record not read', {
        messageId: message.id,
        code,
        requestId,
      });
      return undefined;
    }
  }
}
