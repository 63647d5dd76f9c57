import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { COMPACTED_COLUMNS } from '../../src/lake/layout/columns.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { EVENTS } from '../sql/fixtures.ts';
import { GOLDEN } from '../sql/golden/index.ts';
import { type Progress, SplitLake, TABLES } from '../sql/split-lake.ts';
import { NOW_US } from '../sql/support.ts';
import { sameRows } from './support/compare.ts';
import { glueTable } from './support/glue-table.ts';
import { type Row, type TwoEngines, twoEngines } from './support/two-engines.ts';

const logger = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * Deals the rows of a lake out to both tables, and shows those to Trino. The compacted one is no
 * Iceberg table here: what it is made of matters to compaction, not to what queries mean.
 */
async function deal({ directory, trino }: TwoEngines, progress: Progress) {
  const split = await SplitLake.open(directory, systemClock, logger);
  const files = join(directory, progress);
  await mkdir(files);
  const firstHour = NOW_US / 1000 - 2 * 3_600_000;
  const { compacted } = await split.deal(join(directory, 'lake'), firstHour, progress);
  await split.run(
    `COPY (SELECT * REPLACE (lpad(CAST(hour AS VARCHAR), 2, '0') AS hour) FROM ${TABLES.table})
     TO '${join(files, 'log_events')}' (FORMAT parquet, PARTITION_BY (dt, hour))`,
  );
  await split.run(
    `COPY ${TABLES.compacted} TO '${join(files, 'compacted')}' (FORMAT parquet, PER_THREAD_OUTPUT)`,
  );
  split.close();
  const tables = { table: `golden_${progress}`, compacted: `golden_${progress}_compacted` };
  const landing = glueTable({
    name: tables.table,
    directory: files,
    firstDay: '2026-02-03',
    today: '2026-02-03',
  });
  await trino.createTable(landing);
  await trino.createTable({
    ...landing,
    Name: tables.compacted,
    PartitionKeys: [],
    Parameters: { EXTERNAL: 'TRUE' },
    StorageDescriptor: {
      ...(landing.StorageDescriptor as object),
      Columns: COMPACTED_COLUMNS.map(({ name, type }) => ({ Name: name, Type: type })),
      Location: `local://${join(files, 'compacted')}/`,
    },
  });
  return {
    table: tables.table,
    compacted: { table: tables.compacted, beforeUs: compacted?.beforeUs ?? 0 },
  };
}

describe.each(['half', 'all'] as const)('with %s of a lake compacted', (progress) => {
  const engines = twoEngines({
    table: `before_${progress}`,
    arrivals: [{ at: NOW_US / 1000, events: EVENTS }],
  });
  let tables: Awaited<ReturnType<typeof deal>>;
  beforeAll(async () => {
    tables = await deal(engines(), progress);
  });

  test.each(Object.values(GOLDEN).flat())('$what', async ({ sql, rows }) => {
    const found = await engines().onTrino(sql, tables);
    const same = sameRows(found, rows as readonly Row[], /order by/i.test(sql));
    expect(same ? rows : found).toEqual(rows);
  });

  test('days are bounded on both sides', async () => {
    const count = async (condition: string) => {
      const sql = `select count(*) as n from \`edge.logs\` where ${condition}`;
      return (await engines().onTrino(sql, tables))[0]?.n;
    };
    const from = "timestamp >= '2026-02-03 09:00:00.123456'";

    expect(await count(`${from} and timestamp < '2026-02-03 09:01:00.123456'`)).toBe(1);
    expect(await count(`${from} and timestamp < '2026-02-03 09:01:00.123457'`)).toBe(3);
    expect(await count("date(timestamp) = '2026-02-03'")).toBe(5);
    expect(await count("date(timestamp) < '2026-02-03'")).toBe(0);
  });
});
