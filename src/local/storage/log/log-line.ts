import { crc32 } from 'node:zlib';

const DIGITS = 8;
/** Length of `{"crc32":"89abcdef"`, behind which the row goes on with a comma in the place of its brace. */
const HEAD = headOf(0).length;
const BRACE = Buffer.from('{');
const COMMA = 0x2c;
const NEWLINE = 0x0a;
const ARRIVAL = '"ingested_at":"';
/** Of `yyyy-MM-dd HH:mm:ss.SSS`. */
const ARRIVAL_LENGTH = 23;

/** Bytes that {@link writeLine} takes. */
export function lineBytes(row: string): number {
  return HEAD + Buffer.byteLength(row) + 1;
}

/**
 * Writes a row as a line of the log: still an object of JSON, with the row's CRC-32 (ISO 3309, as in gzip)
 * as its first field. Readers that do not know the field pass over it.
 *
 * @param row compact JSON text of an object with a field at least.
 * @returns where the line ends.
 */
export function writeLine(row: string, target: Buffer, at: number): number {
  const start = at + HEAD;
  const end = start + target.write(row, start);
  target.write(headOf(crc32(target.subarray(start, end))), at, 'latin1');
  target[start] = COMMA;
  target[end] = NEWLINE;
  return end + 1;
}

/** Whether a line, without its end, is as it was written. */
export function isWholeLine(line: Buffer): boolean {
  const head = headOf(crc32(line.subarray(HEAD + 1), crc32(BRACE)));
  return line[HEAD] === COMMA && line.toString('latin1', 0, HEAD) === head;
}

/** `ingested_at` of a row or of its line, `yyyy-MM-dd HH:mm:ss.SSS`; undefined where it has none. */
export function arrivalOf(row: string | Buffer): string | undefined {
  // Inside the texts of a row the quotes are escaped. It is the last field.
  const at = row.lastIndexOf(ARRIVAL);
  if (at === -1) return undefined;
  const start = at + ARRIVAL.length;
  return typeof row === 'string'
    ? row.slice(start, start + ARRIVAL_LENGTH)
    : row.toString('latin1', start, start + ARRIVAL_LENGTH);
}

function headOf(sum: number): string {
  return `{"crc32":"${sum.toString(16).padStart(DIGITS, '0')}"`;
}
