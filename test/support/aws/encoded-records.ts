import { encodeRecord } from '../../../src/ingest/delivery/record/record-encoding.ts';

/** A record as a newer release might write it: a header of today's shape with another encoding. */
export function unknownEncoding(rows: readonly string[]): Uint8Array {
  const padded = [...rows, JSON.stringify({ filler: 'x'.repeat(10_000) })];
  const record = Buffer.from(encodeRecord(Buffer.from(padded.join('\n'))));
  const at = record.indexOf('"zstd"');
  record.write('"zst9"', at);
  return record;
}
