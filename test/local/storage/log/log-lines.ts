import { isWholeLine, lineBytes, writeLine } from '../../../../src/local/storage/log/log-line.ts';

/** Rows as they are in the log, line ends included. */
export function logOf(rows: readonly string[]): Buffer {
  const log = Buffer.alloc(rows.reduce((sum, row) => sum + lineBytes(row), 0));
  rows.reduce((end, row) => writeLine(row, log, end), 0);
  return log;
}

/** The row of a line of the log, without its end; undefined when it is not as it was written. */
export function rowOf(line: Buffer): string | undefined {
  return isWholeLine(line) ? line.toString().replace(/^\{"crc32":"[\da-f]{8}",/, '{') : undefined;
}
