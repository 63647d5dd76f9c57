/** Records that Firehose could not transform or convert, as it writes them under the error prefix. */
import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { LANDING_COLUMNS, type LakeType } from '../../../lake/layout/columns.ts';
import { fitsInt64 } from '../../../lake/schema/inferred-schema.ts';
import { isPlainObject, isRawNumber, parseJson } from '../../../platform/json/json.ts';
import { decodeRecord, RecordError } from '../record/record-encoding.ts';

/** One failed record. */
export interface FailedRecord {
  readonly errorCode: string;
  readonly errorMessage: string;
  /** The rows that were packed into it, as the service wrote them; an error when it cannot be read. */
  readonly rows: readonly string[] | RecordError;
  /** Its line of the file. */
  readonly line: string;
}

/** A file that Firehose has not written, or that was changed since. The message says where. */
export class FailedFileError extends Error {
  override readonly name = 'FailedFileError';
}

// Conversion writes lastErrorCode, transformation errorCode, and the developer guide ErrorCode.
const text = z.string().optional();
const Line = z.object({
  rawData: z.base64(),
  lastErrorCode: text,
  errorCode: text,
  ErrorCode: text,
  lastErrorMessage: text,
  errorMessage: text,
  ErrorMessage: text,
});

/**
 * Reads one file under the error prefix: a JSON document on each line.
 *
 * @throws FailedFileError naming the line that is no failed record
 */
export function readFailedRecords(text: string): FailedRecord[] {
  const records: FailedRecord[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = Line.safeParse(jsonOf(line, index + 1));
    if (!parsed.success) {
      throw new FailedFileError(
        `Line ${index + 1} is not a record that Firehose gave up:\n${z.prettifyError(parsed.error)}`,
      );
    }
    const { data } = parsed;
    records.push({
      errorCode: data.lastErrorCode ?? data.errorCode ?? data.ErrorCode ?? 'unknown',
      errorMessage: data.lastErrorMessage ?? data.errorMessage ?? data.ErrorMessage ?? 'unknown',
      rows: rowsOf(Buffer.from(data.rawData, 'base64')),
      line,
    });
  }
  return records;
}

/** Text that begins with no row is taken for rows all the same: a person sees then which of them are none. */
function rowsOf(record: Buffer): string[] | RecordError {
  try {
    return linesOf(isUtf8(record) ? record : Buffer.from(decodeRecord(record).bytes));
  } catch (error) {
    if (error instanceof RecordError) return error;
    throw error;
  }
}

function linesOf(rows: Buffer): string[] {
  return rows
    .toString()
    .split('\n')
    .filter((row) => row !== '');
}

function jsonOf(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new FailedFileError(`Line ${number} is not JSON. Fetch the file again, whole.`);
  }
}

/**
 * Why a row does not fit the landing table; undefined for one that does. Sent again letter by letter, its
 * copies stay copies.
 */
export function rowFault(row: string): string | undefined {
  let columns: unknown;
  try {
    columns = parseJson(row);
  } catch {
    return 'is not JSON';
  }
  if (!isPlainObject(columns)) return 'is not a JSON object';
  const missing = REQUIRED.find((name) => columns[name] === undefined);
  if (missing !== undefined) return `has no ${missing}`;
  const [misfit] = Object.entries(columns).find(([name, value]) => !fits(name, value)) ?? [];
  return misfit && `has a value in ${misfit} that does not fit`;
}

function fits(name: string, value: unknown): boolean {
  const type = TYPES.get(name);
  return type !== undefined && (value === null || FITS[type](value));
}

const REQUIRED = ['source_id', 'id', 'timestamp', 'timestamp_us', 'ingested_at'];

const TYPES: ReadonlyMap<string, LakeType> = new Map(
  LANDING_COLUMNS.map(({ name, type }) => [name, type]),
);

/** What the SerDe can read into a column and means what the service wrote. */
const FITS: Readonly<Record<LakeType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  bigint: (value) =>
    Number.isSafeInteger(value) || (isRawNumber(value) && fitsInt64(value.rawJSON)),
  timestamp: (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/.test(value),
};
