import type { WireRow } from '../../platform/execution.ts';
import type { OutputColumn } from '../../sql/common/result-schema.ts';
import { cellDecoder } from './decode-cell.ts';
import { redact } from './redact.ts';
import { asRepeatedRecords } from './repeated-records.ts';

export interface DecodeOptions {
  readonly redact: boolean;
  readonly nestedRecords: 'object' | 'array';
}

export type ResultRow = Readonly<Record<string, unknown>>;

/**
 * Turns an engine's text rows into the rows of an answer: TIMESTAMP as microseconds, DATETIME and
 * DATE as ISO text, JSON as values, integers exact at any size, and `"NaN"`, `"Infinity"`,
 * `"-Infinity"` as strings, because JSON has no such numbers. Of columns with one name the last wins.
 *
 * @throws Error when a row or cell is not what the columns promise.
 */
export function decodeRows(
  columns: readonly OutputColumn[],
  rows: readonly WireRow[],
  options: DecodeOptions,
): ResultRow[] {
  const readers = columns.map(({ name, type }) => ({ name, decode: cellDecoder(type) }));
  const render = renderer(options);
  return rows.map((cells) => {
    if (cells.length !== readers.length) {
      throw new Error(`The engine returned ${cells.length} cells for ${readers.length} columns.`);
    }
    const entries = readers.map(({ name, decode }, index) => {
      const cell = cells[index] ?? null;
      return [name, cell === null ? null : render(decode(cell))] as const;
    });
    return Object.fromEntries(entries);
  });
}

function renderer({ redact: redacts, nestedRecords }: DecodeOptions): (value: unknown) => unknown {
  const wraps = nestedRecords === 'array';
  return (value) => {
    const shown = redacts ? redact(value) : value;
    return wraps ? asRepeatedRecords(shown) : shown;
  };
}
