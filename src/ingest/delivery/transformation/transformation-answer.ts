/** Which records one answer of the transformation function can hold, counted before anything is decompressed. */
import { RecordError, recordHeader } from '../record/record-encoding.ts';

/** A record as Firehose gives it to the function. */
export interface SourceRecord {
  /** Firehose's name for it, which the answer repeats. */
  readonly id: string;
  /** The bytes that were put on the stream. */
  readonly bytes: Uint8Array;
}

/**
 * What the function answers for one record, in Firehose's own words. `Dropped` is gone without a trace;
 * of `ProcessingFailed` Firehose writes the record as it was sent under its error prefix. Neither needs data.
 */
export interface TransformedRecord {
  readonly recordId: string;
  readonly result: 'Ok' | 'Dropped' | 'ProcessingFailed';
  /** Rows in base64, of `Ok`. */
  readonly data?: string;
}

/**
 * Bytes of an answer. Lambda takes 6 MB, and Firehose says the same of a transformation; this is the smaller
 * reading of it, which AWS's own blueprint of a transformation keeps.
 *
 * Why it is enough: Firehose calls with some 0.2 MiB (209,715 bytes) of records, none of them less than a
 * 20th of its rows, so 4,194,300 bytes of rows, 5,592,400 in base64. Around each lie 56 characters and its id
 * (some 60 more). A compressed record has 257 bytes or more, since what fits 5,120 bytes stays plain: 816
 * records, 95,000 bytes with what fills base64 up. That makes 5.69 MB at most. Real rows are a ninth when
 * compressed: 2.5 MB. Only a call well over its hint can be more, as when the last record is a large one.
 */
export const MAX_ANSWER_BYTES = 6_000_000;

const ENVELOPE_BYTES = '{"records":[]}'.length;

/** What an answer can hold, of the records in the order in which they came. */
export interface AnswerPlan {
  readonly answered: readonly SourceRecord[];
  /** What has to go back on the stream: its rows do not fit. */
  readonly postponed: readonly SourceRecord[];
  readonly unreadable: readonly { readonly record: SourceRecord; readonly error: RecordError }[];
}

/**
 * Sorts records by what can become of them. Whether a record that is answered can be decompressed is not known
 * yet; its answer is smaller when it cannot.
 */
export function planAnswer(records: readonly SourceRecord[]): AnswerPlan {
  const answered: SourceRecord[] = [];
  const postponed: SourceRecord[] = [];
  const unreadable: { record: SourceRecord; error: RecordError }[] = [];
  let bytes = records.reduce((sum, { id }) => sum + bytesWithoutRows(id), ENVELOPE_BYTES);
  for (const record of records) {
    const rows = bytesOfRows(record.bytes);
    if (rows instanceof RecordError) {
      unreadable.push({ record, error: rows });
      continue;
    }
    const more = bytesWithRows(record.id, rows) - bytesWithoutRows(record.id);
    if (bytes + more > MAX_ANSWER_BYTES) {
      postponed.push(record);
    } else {
      bytes += Math.max(0, more);
      answered.push(record);
    }
  }
  return { answered, postponed, unreadable };
}

function bytesOfRows(record: Uint8Array): number | RecordError {
  try {
    return recordHeader(record)?.bytes ?? record.length;
  } catch (error) {
    if (error instanceof RecordError) return error;
    throw error;
  }
}

/** Bytes in the answer, with a comma, of a record that comes back with its rows. */
function bytesWithRows(id: string, rows: number): number {
  const data = 4 * Math.ceil(rows / 3);
  return 1 + data + jsonBytes({ recordId: id, result: 'Ok', data: '' });
}

/** The same of one that does not, by the longest result. */
function bytesWithoutRows(id: string): number {
  return 1 + jsonBytes({ recordId: id, result: 'ProcessingFailed' });
}

function jsonBytes(record: TransformedRecord): number {
  return Buffer.byteLength(JSON.stringify(record));
}
