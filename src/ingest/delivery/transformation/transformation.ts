import { FirehoseStream, type FirehoseStreamDeps } from '../firehose/firehose-stream.ts';
import { decodeRecord, RecordError } from '../record/record-encoding.ts';
import { planAnswer, type SourceRecord, type TransformedRecord } from './transformation-answer.ts';

export type TransformationDeps = Omit<FirehoseStreamDeps, 'stream' | 'concurrentCalls'>;

/** Milliseconds after which no further attempt to put records back starts; with the last one, 14 s. */
const PUTTING_BACK_MS = 10_000;

/**
 * Gives Firehose the rows of the records that were put on a stream, in whichever encoding they are, before it
 * makes Parquet of them.
 *
 * No record is lost. What cannot be read, now or by this release, fails alone, and Firehose keeps it under the
 * error prefix as it was sent. What one answer cannot hold is put back on the stream and comes again in another
 * call; it is dropped from this one only when the stream has it. Should the call fail after that, its records
 * come again as well: the same rows twice, as after any repetition.
 */
export class Transformation {
  readonly #deps: TransformationDeps;

  constructor(deps: TransformationDeps) {
    this.#deps = deps;
  }

  /**
   * Never rejects for a record or for Firehose.
   *
   * @param stream name of the stream that the records are of
   * @returns an answer for each record, in their order; at most `MAX_ANSWER_BYTES` as JSON
   */
  async transform(stream: string, records: readonly SourceRecord[]): Promise<TransformedRecord[]> {
    const { answered, postponed, unreadable } = planAnswer(records);
    const answers = new Map<SourceRecord, TransformedRecord>();
    const codes: Record<string, number> = {};
    const fail = (record: SourceRecord, { code }: RecordError) => {
      codes[code] = (codes[code] ?? 0) + 1;
      answers.set(record, { recordId: record.id, result: 'ProcessingFailed' });
    };
    for (const { record, error } of unreadable) fail(record, error);
    for (const record of answered) {
      try {
        const { bytes } = decodeRecord(record.bytes);
        answers.set(record, { recordId: record.id, result: 'Ok', data: base64(bytes) });
      } catch (error) {
        if (!(error instanceof RecordError)) throw error;
        fail(record, error);
      }
    }
    const failed = Object.values(codes).reduce((sum, count) => sum + count, 0);
    if (failed > 0) {
      this.#deps.logger.error('records not read', {
        stream,
        records: records.length,
        failed,
        codes,
      });
    }
    for (const answer of await this.#putBack(stream, postponed)) answers.set(...answer);
    return records.map((record) => answers.get(record) ?? missing(record));
  }

  async #putBack(
    stream: string,
    records: readonly SourceRecord[],
  ): Promise<[SourceRecord, TransformedRecord][]> {
    if (records.length === 0) return [];
    const { clock, logger } = this.#deps;
    const remainder = await new FirehoseStream({ ...this.#deps, stream }).put(
      records.map(({ bytes }) => bytes),
      { deadline: clock.now() + PUTTING_BACK_MS },
    );
    const left = new Set(remainder?.records);
    if (remainder !== undefined) logger.error('records not put back', remainder.fields);
    const stored = records.filter(({ bytes }) => !left.has(bytes)).length;
    if (stored > 0) logger.info('records put back', { stream, records: stored });
    return records.map((record) => {
      const result = left.has(record.bytes) ? 'ProcessingFailed' : 'Dropped';
      return [record, { recordId: record.id, result }];
    });
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function missing({ id }: SourceRecord): never {
  throw new Error(`Record ${id} has no answer.`);
}
