import type { GetQueryResultsCommandOutput } from '@aws-sdk/client-athena';
import type { WireRow } from '../ports.ts';

/** Rows that one GetQueryResults call may return, header included. */
export const PAGE_ROWS = 1_000;

/**
 * Collects all rows of a SELECT. Its very first row is the header, also when nothing else follows. A
 * cell without VarCharValue is NULL, whereas an empty string has one.
 *
 * @param page fetches one page; the token is absent for the first.
 * @param width number of columns of the statement.
 */
export async function readRows(
  page: (nextToken: string | undefined) => Promise<GetQueryResultsCommandOutput>,
  width: number,
): Promise<WireRow[]> {
  const rows: WireRow[] = [];
  let nextToken: string | undefined;
  do {
    const output = await page(nextToken);
    for (const { Data: cells = [] } of output.ResultSet?.Rows ?? []) {
      rows.push(Array.from({ length: width }, (_, column) => cells[column]?.VarCharValue ?? null));
    }
    nextToken = output.NextToken;
  } while (nextToken);
  return rows.slice(1);
}
