import type { FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import type { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { VirtualTime } from './virtual-time.ts';

/** So much flows in each second, and so much is there at most. */
class TokenBucket {
  readonly #time: VirtualTime;
  readonly #perSecond: number;
  #level: number;
  #at: number;

  constructor(time: VirtualTime, perSecond: number) {
    this.#time = time;
    this.#perSecond = perSecond;
    this.#level = perSecond;
    this.#at = time.now();
  }

  has(amount: number): boolean {
    const now = this.#time.now();
    const flowedIn = ((now - this.#at) * this.#perSecond) / 1_000;
    this.#level = Math.min(this.#perSecond, this.#level + flowedIn);
    this.#at = now;
    return this.#level >= amount;
  }

  take(amount: number): void {
    this.#level -= amount;
  }
}

/** A stream's quotas a second. */
export interface StreamQuota {
  readonly bytes: number;
  readonly requests: number;
  readonly records: number;
}

/** How the streams behave at a moment. */
export interface StreamMood {
  /** Numbers of the streams that refuse everything, from 0. */
  readonly refusing?: readonly number[];
  /** Milliseconds that a call takes. @default 10 */
  readonly callMs?: number;
  /** Calls of an instance that was not called for this long break, milliseconds. */
  readonly idleBreaksMs?: number;
}

/** Delivery streams that count bytes, requests and records as Firehose does, and refuse what is over. */
export class QuotaStreams {
  /** Records that are stored, and since when. */
  readonly onStored: (record: Uint8Array, at: number) => void;
  mood: StreamMood = {};
  calls = 0;
  refusals = 0;
  readonly #time: VirtualTime;
  readonly #buckets: Map<
    string,
    { bytes: TokenBucket; requests: TokenBucket; records: TokenBucket }
  >;

  constructor(
    time: VirtualTime,
    names: readonly string[],
    quota: StreamQuota,
    onStored: (record: Uint8Array, at: number) => void,
  ) {
    this.#time = time;
    this.onStored = onStored;
    this.#buckets = new Map(
      names.map((name) => [
        name,
        {
          bytes: new TokenBucket(time, quota.bytes),
          requests: new TokenBucket(time, quota.requests),
          records: new TokenBucket(time, quota.records),
        },
      ]),
    );
  }

  /** The client of one instance. */
  client(): Pick<FirehoseClient, 'send'> {
    let calledAt = this.#time.now();
    const send = async (command: PutRecordBatchCommand) => {
      const idleMs = this.#time.now() - calledAt;
      await this.#time.sleep(this.mood.callMs ?? 10);
      calledAt = this.#time.now();
      if (idleMs > (this.mood.idleBreaksMs ?? Number.POSITIVE_INFINITY))
        throw failure('ECONNRESET');
      return this.#put(command);
    };
    return { send } as unknown as Pick<FirehoseClient, 'send'>;
  }

  #put({ input }: PutRecordBatchCommand) {
    this.calls += 1;
    const name = input.DeliveryStreamName ?? '';
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) throw failure('ResourceNotFoundException');
    const isRefusing = this.mood.refusing?.includes([...this.#buckets.keys()].indexOf(name));
    if (isRefusing || !bucket.requests.has(1)) {
      this.refusals += 1;
      throw failure('ServiceUnavailableException');
    }
    bucket.requests.take(1);
    const answers = (input.Records ?? []).map(({ Data }) => {
      const record = Data ?? new Uint8Array();
      if (!bucket.bytes.has(record.length) || !bucket.records.has(1)) {
        return { ErrorCode: 'ServiceUnavailableException' };
      }
      bucket.bytes.take(record.length);
      bucket.records.take(1);
      this.onStored(record, this.#time.now());
      return { RecordId: 'stored' };
    });
    const failed = answers.filter((answer) => 'ErrorCode' in answer).length;
    if (failed > 0) this.refusals += 1;
    return { FailedPutCount: failed, RequestResponses: answers, $metadata: {} };
  }
}

export interface ParkedMessage {
  readonly id: string;
  readonly text: string;
  readonly sentAt: number;
  visibleFrom: number;
}

/** A queue that shows a message again when it was not deleted in time. */
export class StandInQueue {
  readonly messages = new Map<string, ParkedMessage>();
  /** Messages that were ever sent, and the most that waited at once. */
  sent = 0;
  most = 0;
  readonly #time: VirtualTime;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  get client(): Pick<SQSClient, 'send'> {
    const send = async ({ input }: SendMessageBatchCommand) => {
      const entries = input.Entries ?? [];
      for (const { MessageBody = '' } of entries) {
        const id = `message-${this.sent++}`;
        const sentAt = this.#time.now();
        this.messages.set(id, { id, text: MessageBody, sentAt, visibleFrom: sentAt });
      }
      this.most = Math.max(this.most, this.messages.size);
      return { Successful: entries.map(({ Id }) => ({ Id })), Failed: [], $metadata: {} };
    };
    return { send } as unknown as Pick<SQSClient, 'send'>;
  }

  /** Messages for one call of the redrive; nobody else gets them for a while. */
  receive(count: number, bytes: number, hiddenMs: number): ParkedMessage[] {
    const now = this.#time.now();
    const received: ParkedMessage[] = [];
    let size = 0;
    for (const message of this.messages.values()) {
      if (received.length === count || size + message.text.length > bytes) break;
      if (message.visibleFrom > now) continue;
      message.visibleFrom = now + hiddenMs;
      size += message.text.length;
      received.push(message);
    }
    return received;
  }
}

function failure(name: string): Error {
  return Object.assign(new Error(name), { name, $metadata: {} });
}
