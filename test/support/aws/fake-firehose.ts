import {
  type FirehoseClient,
  PutRecordBatchCommand,
  type PutRecordBatchCommandOutput,
} from '@aws-sdk/client-firehose';
import { decodeRecord } from '../../../src/ingest/delivery/record/record-encoding.ts';
import { serviceError } from './failures.ts';

/** What happens to one PutRecordBatch call. */
export type PutOutcome =
  | 'accept'
  /** Stores the records whose index is not listed; the call itself succeeds. */
  | { readonly refuse: readonly number[]; readonly code?: string }
  /** Stores nothing. */
  | { readonly throws: Error }
  /** Stores everything, and the answer gets lost on its way. */
  | { readonly losesAnswer: Error }
  /** Stores everything and answers with this instead of the truth. */
  | { readonly answers: Pick<PutRecordBatchCommandOutput, 'FailedPutCount' | 'RequestResponses'> };

const MAX_RECORDS = 500;
const MAX_CALL_BYTES = 4 * 1024 * 1024;
const MAX_RECORD_BYTES = 1_024_000;

/**
 * A delivery stream in memory with the documented limits and per-record answers. Calls follow a
 * script; once it is used up, everything is accepted.
 */
export class FakeFirehose {
  /** The records of every call, in order of arrival. */
  readonly calls: Uint8Array[][] = [];
  readonly stored: Uint8Array[] = [];
  readonly streams = new Set<string | undefined>();
  /** Most calls that were ever under way at the same time. */
  busiest = 0;
  #busy = 0;
  /** Thrown by every call for as long as it is set. */
  outage: Error | undefined;
  readonly #script: PutOutcome[];
  readonly #beforeAnswer: () => void;

  constructor(script: readonly PutOutcome[] = [], beforeAnswer: () => void = () => {}) {
    this.#script = [...script];
    this.#beforeAnswer = beforeAnswer;
  }

  get client(): Pick<FirehoseClient, 'send'> {
    return { send: (command: unknown) => this.#send(command) } as Pick<FirehoseClient, 'send'>;
  }

  /** What happens to the next calls. */
  next(...outcomes: readonly PutOutcome[]): void {
    this.#script.push(...outcomes);
  }

  /** From now on everything is accepted. */
  forget(): void {
    this.#script.length = 0;
  }

  /** Rows that are stored, duplicates included. */
  get storedRows(): string[] {
    return this.stored.flatMap(rowsOf);
  }

  async #send(command: unknown): Promise<PutRecordBatchCommandOutput> {
    if (!(command instanceof PutRecordBatchCommand)) {
      throw new TypeError('FakeFirehose only knows PutRecordBatch');
    }
    const records = (command.input.Records ?? []).map(({ Data }) => Data ?? new Uint8Array());
    this.calls.push(records);
    this.streams.add(command.input.DeliveryStreamName);
    const outcome = this.#script.shift() ?? 'accept';
    this.#busy += 1;
    this.busiest = Math.max(this.busiest, this.#busy);
    await Promise.resolve();
    this.#beforeAnswer();
    this.#busy -= 1;
    if (this.outage !== undefined) throw this.outage;
    checkLimits(records);
    return this.#answer(records, outcome);
  }

  #answer(records: Uint8Array[], outcome: PutOutcome): PutRecordBatchCommandOutput {
    if (outcome !== 'accept' && 'throws' in outcome) throw outcome.throws;
    const refused = new Set(outcome !== 'accept' && 'refuse' in outcome ? outcome.refuse : []);
    const code =
      (outcome !== 'accept' && 'refuse' in outcome ? outcome.code : undefined) ??
      'ServiceUnavailableException';
    const entries = records.map((record, index) => {
      if (refused.has(index)) return { ErrorCode: code, ErrorMessage: 'Slow down.' };
      this.stored.push(record);
      return { RecordId: `record-${this.stored.length}` };
    });
    if (outcome !== 'accept' && 'losesAnswer' in outcome) throw outcome.losesAnswer;
    const answer =
      outcome !== 'accept' && 'answers' in outcome
        ? outcome.answers
        : {
            FailedPutCount: entries.filter((entry) => 'ErrorCode' in entry).length,
            RequestResponses: entries,
          };
    return { ...answer, $metadata: { httpStatusCode: 200 } };
  }
}

/** The rows of a record, compressed or not; a row holds no line break of its own. */
export function rowsOf(record: Uint8Array): string[] {
  return new TextDecoder().decode(decodeRecord(record).bytes).split('\n');
}

function checkLimits(records: readonly Uint8Array[]): void {
  const bytes = records.reduce((sum, record) => sum + record.byteLength, 0);
  const sizes = records.map((record) => record.byteLength);
  if (
    records.length === 0 ||
    records.length > MAX_RECORDS ||
    bytes > MAX_CALL_BYTES ||
    sizes.some((size) => size === 0 || size > MAX_RECORD_BYTES)
  ) {
    throw serviceError('InvalidArgumentException');
  }
}
