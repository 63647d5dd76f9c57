import { join } from 'node:path';

/**
 * One file of the write-ahead log, and the unit of conversion: a segment becomes one Parquet file of
 * the same number, which is how recovery knows what was converted already.
 */
export interface Segment {
  readonly number: number;
  readonly path: string;
  /** Milliseconds since the epoch; arrival time of rows that have no `ingested_at`. */
  readonly openedAt: number;
  /** Length of the part that is known to be on disk. */
  bytes: number;
  rows: number;
  /** Arrival of the oldest row, `yyyy-MM-dd HH:mm:ss.SSS` in UTC; absent while no row says when it arrived. */
  oldest?: string;
}

const FILE_NAME = /^(\d{10,})\.ndjson$/;

/** Zero-padded, so that names sort as numbers do. */
export function segmentName(number: number): string {
  return String(number).padStart(10, '0');
}

export function segmentPath(walDirectory: string, number: number): string {
  return join(walDirectory, `${segmentName(number)}.ndjson`);
}

/** The number in a segment's file name, or undefined for any other file. */
export function segmentNumber(fileName: string): number | undefined {
  const digits = FILE_NAME.exec(fileName)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Notes the arrival of a row. */
export function noteArrival(segment: Segment, arrival: string | undefined): void {
  if (arrival !== undefined && (segment.oldest === undefined || arrival < segment.oldest)) {
    segment.oldest = arrival;
  }
}

/** Start of the hour in which a segment's oldest row arrived, milliseconds since the epoch. */
export function hourOfSegment({ oldest, openedAt }: Segment): number {
  const at = oldest === undefined ? openedAt : Date.parse(`${oldest.replace(' ', 'T')}Z`);
  return at - (at % 3_600_000);
}
