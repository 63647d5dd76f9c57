import { crc32 } from 'node:zlib';
import { isRow } from './row-text.ts';

const START = '{"crc32":"';
const DIGITS = 8;
/** Length of `{"crc32":"89abcdef"`, behind which the row goes on. */
const HEAD = START.length + DIGITS + 1;
const START_BYTES = Buffer.from(START);
const BRACE = Buffer.from('{');

/**
 * A row as a line of the log: still an object of JSON, with the row's CRC-32 (ISO 3309, as in gzip) as its
 * first field. Readers that do not know the field pass over it.
 *
 * @param row compact JSON text of an object.
 */
export function toLine(row: string): string {
  const sum = crc32(row).toString(16).padStart(DIGITS, '0');
  const rest = row.slice(1);
  return `${START}${sum}"${rest === '}' ? '' : ','}${rest}`;
}

/** The row of a line; undefined when the line is not as it was written. */
export function fromLine(line: Buffer): string | undefined {
  if (!line.subarray(0, START.length).equals(START_BYTES)) {
    // Logs of earlier versions had no checksums.
    const text = line.toString();
    return isRow(text) ? text : undefined;
  }
  const rest = line.subarray(line[HEAD] === 0x2c ? HEAD + 1 : HEAD);
  const sum = line.toString('latin1', START.length, START.length + DIGITS);
  const isWhole = Number.parseInt(sum, 16) === crc32(rest, crc32(BRACE));
  return isWhole ? `{${rest.toString()}` : undefined;
}
