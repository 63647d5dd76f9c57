import type { GetQueryResultsCommandOutput } from '@aws-sdk/client-athena';
import type { WireRow } from '../execution.ts';
import { MAX_RESULT_TEXT_BYTES, ResultSize } from '../result-size.ts';

/** Rows that one GetQueryResults call may return, header included. */
export const PAGE_ROWS = 1_000;

/**
 * Collects all rows of a SELECT. Its very first row is the header, also when nothing else follows. A
 * cell without VarCharValue is NULL, whereas an empty string has one.
 *
 * @param page fetches one page; the token is absent for the first.
 * @param width number of columns of the statement.
 * @throws ServiceError `result_too_large` (400) as soon as the rows are; no page is fetched from there on.
 */
export async function readRows(
  page: (nextToken: string | undefined) => Promise<GetQueryResultsCommandOutput>,
  width: number,
): Promise<WireRow[]> {
  const rows: WireRow[] = [];
  const size = new ResultSize(MAX_RESULT_TEXT_BYTES);
  let nextToken: string | undefined;
  do {
    const output = await page(nextToken);
    for (const { Data: cells = [] } of output.ResultSet?.Rows ?? []) {
      const row = Array.from({ length: width }, (_, column) => cells[column]?.VarCharValue ?? null);
      for (const cell of row) size.add(cell);
      rows.push(row);
    }
    nextToken = output.NextToken;
  } while (nextToken);
  return rows.slice(1);
}
