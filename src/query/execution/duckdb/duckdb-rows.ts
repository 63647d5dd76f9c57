import type { DuckDBDataChunk, DuckDBResult, DuckDBValue } from '@duckdb/node-api';
import type { WireRow } from '../../../platform/execution.ts';
import { ResultSize } from '../../../platform/result-size.ts';

/**
 * Reads a whole result as the text cells of the query port.
 *
 * @param maxBytes text that all cells together may have.
 * @throws ServiceError `result_too_large` (400) as soon as they have more; nothing is read from there on.
 */
export async function readWireRows(result: DuckDBResult, maxBytes: number): Promise<WireRow[]> {
  const rows: WireRow[] = [];
  const size = new ResultSize(maxBytes);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return rows;
    appendChunk(rows, chunk, size);
  }
}

/** By columns: DuckDB keeps them so, and a vector is decoded once instead of once per row. */
function appendChunk(rows: WireRow[], chunk: DuckDBDataChunk, size: ResultSize): void {
  const columns: (string | null)[][] = [];
  for (let index = 0; index < chunk.columnCount; index += 1) {
    const cells: (string | null)[] = [];
    chunk.visitColumnValues(index, (value) => {
      const cell = toText(value);
      size.add(cell);
      cells.push(cell);
    });
    columns.push(cells);
  }
  for (let row = 0; row < chunk.rowCount; row += 1) {
    rows.push(columns.map((column) => column[row] ?? null));
  }
}

/**
 * Numbers as JavaScript writes them (`NaN`, `Infinity`, `1e+21`), integers of any size in decimal,
 * and what else DuckDB has (dates, decimals, timestamps) in DuckDB's own ISO-like text.
 */
function toText(value: DuckDBValue): string | null {
  return value === null ? null : String(value);
}
