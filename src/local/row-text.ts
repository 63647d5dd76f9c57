import { parseJson, stringifyJson } from '../json.ts';
import { MAX_ROW_BYTES } from '../ports.ts';

/**
 * Refuses what is no row before it is on disk: the log is one row per line, and a line that is no
 * JSON object could not be read back.
 *
 * @throws TypeError: the caller broke the port's contract.
 */
export function assertRow(row: string): void {
  if (!isRow(row) || row.includes('\n')) {
    throw new TypeError('a row is not one line of JSON object text');
  }
  if (Buffer.byteLength(row) > MAX_ROW_BYTES) {
    throw new TypeError(`a row is larger than ${MAX_ROW_BYTES} bytes`);
  }
}

export function isRow(text: string): boolean {
  if (!text.startsWith('{')) {
    return false;
  }
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Rewrites a row that JavaScript takes for JSON and DuckDB does not: half a surrogate pair, written
 * as an escape, becomes U+FFFD, and a number beyond a double's range becomes null.
 */
export function toLoadable(row: string): string {
  const columns = Object.entries(parseJson(row) as Record<string, unknown>).map(([name, value]) => [
    name.toWellFormed(),
    loadable(value),
  ]);
  return stringifyJson(Object.fromEntries(columns));
}

function loadable(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.toWellFormed();
  }
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
}
