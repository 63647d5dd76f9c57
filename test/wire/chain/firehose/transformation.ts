import { randomUUID } from 'node:crypto';
import type { FirehoseTransformationResult } from 'aws-lambda';
import {
  TRANSFORMATION_ATTEMPTS,
  TRANSFORMATION_SIZE,
} from '../../../../lib/ingest/transformation-function.ts';
import { FunctionError } from '../lambda-function.ts';

export interface SourceRecord {
  readonly record: Buffer;
  /** When it arrived on the stream, milliseconds since the epoch. */
  readonly arrivedAt: number;
}

/** A record that goes to the error prefix. */
export interface FailedCall {
  readonly source: SourceRecord;
  /** Calls that were made for it. */
  readonly attempts: number;
  readonly code: string;
  readonly message: string;
}

export interface TransformedRecords {
  readonly transformed: readonly SourceRecord[];
  readonly failed: readonly FailedCall[];
}

/**
 * What happens to a call of the function, of all calls so far.
 * - `ok`: it runs
 * - `out of memory`: Lambda ends it before it answers
 * - `lost`: it runs, and its answer does not arrive
 * - `missing`, `throttled`: Lambda does not call it
 */
export type CallTreatment = 'ok' | 'lost' | 'out of memory' | 'missing' | 'throttled';

/** Lambda's limit of a request and of an answer. */
const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;

const FUNCTION_ERROR =
  'The Lambda function was successfully invoked but it returned an error result.';

const REFUSALS: Readonly<Record<Exclude<CallTreatment, 'ok'>, [code: string, message: string]>> = {
  lost: ['Lambda.FunctionError', FUNCTION_ERROR],
  'out of memory': ['Lambda.FunctionError', FUNCTION_ERROR],
  missing: ['Lambda.ResourceNotFound', 'The specified Lambda function does not exist.'],
  throttled: ['Lambda.InvokeLimitExceeded', 'Rate Exceeded.'],
};

/**
 * Firehose's transformation of records by a function: collected up to the size hint, given to the function in
 * base64, tried again when a call fails, and sorted by what the function answers. An answer of the wrong form is
 * not asked for again (probed on AWS in September 2026 by the authors of floci, as are the codes and their
 * messages): its records fail.
 */
export class Transformation {
  /** What happens to the next calls; asked anew for each. */
  treat: (call: number) => CallTreatment = () => 'ok';
  calls = 0;
  /** Size of the largest answer so far, as JSON text. */
  largestAnswer = 0;
  readonly #invoke: (event: unknown) => Promise<unknown>;

  constructor(invoke: (event: unknown) => Promise<unknown>) {
    this.#invoke = invoke;
  }

  async run(records: readonly SourceRecord[]): Promise<TransformedRecords> {
    const transformed: SourceRecord[] = [];
    const failed: FailedCall[] = [];
    for (const call of callsOf(records)) {
      const outcome = await this.#call(call);
      transformed.push(...outcome.transformed);
      failed.push(...outcome.failed);
    }
    return { transformed, failed };
  }

  async #call(sources: readonly SourceRecord[]): Promise<TransformedRecords> {
    const event = {
      invocationId: randomUUID(),
      deliveryStreamArn: 'arn:aws:firehose:eu-west-1:123456789012:deliverystream/landing',
      region: 'eu-west-1',
      records: sources.map(({ record, arrivedAt }, index) => ({
        recordId: String(index).padStart(56, '0'),
        approximateArrivalTimestamp: arrivedAt,
        data: record.toString('base64'),
      })),
    };
    const ids = event.records.map(({ recordId }) => recordId);
    for (let attempts = 1; ; attempts++) {
      const answer = await this.#attempt(event);
      if (Array.isArray(answer)) {
        if (attempts < TRANSFORMATION_ATTEMPTS) continue;
        const [code, message] = answer;
        const failed = sources.map((source) => ({ source, attempts, code, message }));
        return { transformed: [], failed };
      }
      return sorted(answer, sources, ids, attempts);
    }
  }

  /** The answer, or why there is none. */
  async #attempt(event: unknown): Promise<FirehoseTransformationResult | [string, string]> {
    this.calls += 1;
    const treatment = this.treat(this.calls);
    if (treatment !== 'ok' && treatment !== 'lost') return REFUSALS[treatment];
    if (sizeOf(event) > MAX_PAYLOAD_BYTES) throw new Error('The call has more than 6 MB.');
    try {
      const answer = await this.#invoke(event);
      const bytes = sizeOf(answer);
      this.largestAnswer = Math.max(this.largestAnswer, bytes);
      if (treatment === 'lost' || bytes > MAX_PAYLOAD_BYTES) return REFUSALS.lost;
      return answer as FirehoseTransformationResult;
    } catch (error) {
      if (error instanceof FunctionError) return REFUSALS.lost;
      throw error;
    }
  }
}

/** Records in the order in which they came: a call is made as soon as it has as many bytes as the hint says. */
function* callsOf(records: readonly SourceRecord[]): Generator<readonly SourceRecord[]> {
  let call: SourceRecord[] = [];
  let bytes = 0;
  for (const source of records) {
    call.push(source);
    bytes += source.record.length;
    if (bytes < TRANSFORMATION_SIZE.toMebibytes() * 1024 * 1024) continue;
    yield call;
    call = [];
    bytes = 0;
  }
  if (call.length > 0) yield call;
}

function sorted(
  answer: FirehoseTransformationResult,
  sources: readonly SourceRecord[],
  ids: readonly string[],
  attempts: number,
): TransformedRecords {
  const transformed: SourceRecord[] = [];
  const failed: FailedCall[] = [];
  for (const [index, source] of sources.entries()) {
    const answers = (answer?.records ?? []).filter(({ recordId }) => recordId === ids[index]);
    const fail = (code: string, message: string) =>
      failed.push({ source, attempts, code: `Lambda.${code}`, message });
    const [one, ...more] = answers;
    if (one === undefined) fail('MissingRecordId', 'One or more record Ids were not returned.');
    else if (more.length > 0) fail('DuplicatedRecordId', 'Multiple records were returned.');
    else if (one.result === 'ProcessingFailed')
      fail('ProcessingFailedStatus', 'ProcessingFailed status set for record');
    else if (one.result === 'Ok' && one.data !== undefined)
      transformed.push({ ...source, record: Buffer.from(one.data, 'base64') });
    else if (one.result !== 'Dropped') fail('InvalidReturnFormat', 'The data cannot be null.');
  }
  return { transformed, failed };
}

function sizeOf(payload: unknown): number {
  return Buffer.byteLength(JSON.stringify(payload) ?? '');
}
