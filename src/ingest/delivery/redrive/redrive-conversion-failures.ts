import type { EventSink } from '../../../lake/rows/event-sink.ts';
import { RecordError } from '../record/record-encoding.ts';
import { readFailedRecords, rowFault } from './conversion-failures.ts';

/** What became of one file of failed records. */
export interface FailedRedrive {
  readonly records: number;
  /** Rows that were sent, or would be. */
  readonly sent: number;
  /** Rows that do not fit the landing table, each with the reason. */
  readonly misfits: readonly { readonly row: string; readonly fault: string }[];
  /** Records that cannot be read, which stay: the lines of the file that are to be kept for later. */
  readonly unread: readonly string[];
  /** Those by code. */
  readonly unreadCodes: Readonly<Record<string, number>>;
  /** How Firehose explained itself, by message. */
  readonly errors: Readonly<Record<string, number>>;
}

/**
 * Sends the rows of a file of failed records again, as far as they fit the landing table. Ids and times stay,
 * so that a row that arrives twice is told apart as any copy is.
 *
 * @param sink where they go; undefined to only look
 * @throws FailedFileError before anything is sent
 * @throws ServiceError when the stream does not take them; some rows may have been stored
 */
export async function redriveFailed(
  text: string,
  sink: EventSink | undefined,
): Promise<FailedRedrive> {
  const records = readFailedRecords(text);
  const rows: string[] = [];
  const errors: Record<string, number> = {};
  const misfits: { row: string; fault: string }[] = [];
  const unread: string[] = [];
  const unreadCodes: Record<string, number> = {};
  for (const record of records) {
    count(errors, `${record.errorCode}: ${record.errorMessage}`);
    if (record.rows instanceof RecordError) {
      count(unreadCodes, record.rows.code);
      unread.push(record.line);
      continue;
    }
    for (const row of record.rows) {
      const fault = rowFault(row);
      if (fault === undefined) rows.push(row);
      else misfits.push({ row, fault });
    }
  }
  if (rows.length > 0) await sink?.write(rows);
  return { records: records.length, sent: rows.length, misfits, unread, unreadCodes, errors };
}

function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
