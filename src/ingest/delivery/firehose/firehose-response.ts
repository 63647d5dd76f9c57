import type { PutRecordBatchCommandOutput } from '@aws-sdk/client-firehose';

/** The part of a batch that Firehose did not take. */
export interface FailedPuts {
  /** In the order in which they were sent. */
  readonly records: readonly Uint8Array[];
  /** How many failed, by error code: fit for a log line. */
  readonly codes: Readonly<Record<string, number>>;
}

/**
 * Reads the answer to a PutRecordBatch, which is HTTP 200 even when every entry failed.
 * Entries answer records by position, and only a record id proves that a record is stored; an answer
 * that does not account for every record counts as a failure of all, since losing is worse than
 * duplicating.
 */
export function failedPuts(
  sent: readonly Uint8Array[],
  response: Pick<PutRecordBatchCommandOutput, 'FailedPutCount' | 'RequestResponses'>,
): FailedPuts {
  const entries = response.RequestResponses ?? [];
  if (entries.length !== sent.length) {
    return { records: sent, codes: { IncompleteResponse: sent.length } };
  }
  const codes: Record<string, number> = {};
  const records = sent.filter((_, index) => {
    const entry = entries[index];
    const stored = entry?.RecordId !== undefined && entry.ErrorCode === undefined;
    if (!stored) {
      const code = entry?.ErrorCode ?? 'NoRecordId';
      codes[code] = (codes[code] ?? 0) + 1;
    }
    return !stored;
  });
  return { records, codes };
}
