import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { copyToCompacted } from '../../src/local/compacted-sql.ts';
import { cleanUpAfterEach, defer, temporaryDirectory } from './support.ts';

cleanUpAfterEach();

it('a large day lies in spans of time, the newest first, and each by project and time', async () => {
  const connection = await (await DuckDBInstance.create()).connect();
  defer(async () => connection.closeSync());
  const path = join(await temporaryDirectory(), 'day.parquet');
  const rowCount = 300_000;
  const rows = `SELECT 'source' AS source_id, concat('p', event % 3) AS project,
    event * 288_000 AS timestamp_us FROM range(${rowCount}) AS events(event)`;

  await connection.run(copyToCompacted(rows, path, rowCount));

  const spans = await connection.runAndReadAll(
    `SELECT timestamp_us // 43_200_000_000 AS half, project, min(file_row_number)::INT,
       max(file_row_number)::INT, bool_and(timestamp_us < coalesce(newer, timestamp_us + 1))
     FROM (SELECT *, lag(timestamp_us) OVER (PARTITION BY timestamp_us // 43_200_000_000, project
         ORDER BY file_row_number) AS newer
       FROM read_parquet('${path}', file_row_number = true))
     GROUP BY ALL ORDER BY 3`,
  );
  expect(spans.getRowsJS()).toEqual([
    [1n, 'p0', 0, 49_999, true],
    [1n, 'p1', 50_000, 99_999, true],
    [1n, 'p2', 100_000, 149_999, true],
    [0n, 'p0', 150_000, 199_999, true],
    [0n, 'p1', 200_000, 249_999, true],
    [0n, 'p2', 250_000, 299_999, true],
  ]);
});
