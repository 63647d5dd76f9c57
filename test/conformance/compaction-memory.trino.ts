import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { copySql, missingDaysSql } from '../../src/lake/compaction/athena/compaction-sql.ts';
import { DAY_MS, dayOf, HOUR_MS } from '../../src/lake/compaction/hours.ts';
import { COMPACTED_COLUMNS } from '../../src/lake/layout/columns.ts';
import { aRow, HOUR, type LandedRow } from '../ports/compaction-store.contract.ts';
import { TrinoCompaction } from './support/trino-compaction.ts';
import { TrinoClient } from './trino/client.ts';

const PATIENCE = 300_000;

const DAY = Math.floor(HOUR / DAY_MS) * DAY_MS;
const COPIES_AN_HOUR = 1_000;

/** From two hours before the landing hour to two hours after it. */
const NEAR_HOURS = 5;

/** What lets rows pass. Anything else may keep what it takes in until it has seen all. */
const STREAMING = new Set([
  'ExchangeOperator',
  'FilterAndProjectOperator',
  'HashSemiJoinOperator',
  'LocalExchangeSinkOperator',
  'LocalExchangeSourceOperator',
  'LookupJoinOperator',
  'PartitionedOutputOperator',
  'ScanFilterAndProjectOperator',
  'TableScanOperator',
  'TaskOutputOperator',
]);

let lake: TrinoCompaction;

beforeEach(async () => {
  const days = { firstDay: dayOf(DAY), lastDay: dayOf(DAY) };
  lake = await TrinoCompaction.open(new TrinoClient(inject('trino')), days);
  await lake.store.prepare();
}, PATIENCE);

afterEach(() => lake.close());

/** Fills a day of the compacted table evenly, with one statement. */
async function fillDay(day: number): Promise<void> {
  const us = `(${day * 1000} + n * ${(HOUR_MS * 1000) / COPIES_AN_HOUR})`;
  const values: Readonly<Record<string, string>> = {
    source_id: "'00000000-0000-4000-8000-000000000001'",
    id: 'cast(n AS varchar)',
    event_time: `cast(from_unixtime(${us} / 1e6) AS timestamp(6))`,
    timestamp_us: us,
    landed_hour: `TIMESTAMP '${dayOf(day)} 00:00:00'`,
    content_hash: 'n',
  };
  const names = COMPACTED_COLUMNS.map(({ name }) => `"${name}"`).join();
  const cells = COMPACTED_COLUMNS.map(({ name }) => values[name] ?? 'NULL').join();
  await lake.trino.query(
    `INSERT INTO ${lake.tables.compacted} (${names}) SELECT ${cells} FROM (SELECT ${COPIES_AN_HOUR} * hour + i AS n FROM UNNEST(sequence(0, 23)) h(hour) CROSS JOIN UNNEST(sequence(0, ${COPIES_AN_HOUR - 1})) t(i))`,
  );
}

const rows = (name: string, count: number, at: number): LandedRow[] =>
  Array.from({ length: count }, (_, n) => aRow(`${name} ${n}`, at + n));

test.each([
  { what: 'a copy', statement: copySql },
  { what: 'a look for what is missing', statement: missingDaysSql },
])(
  '$what keeps in memory what is near the hour, however many copies its days have',
  async ({ statement }) => {
    const yesterday = HOUR - 20 * HOUR_MS;
    const copied = [...rows('late', 7, DAY), ...rows('yesterday', 5, yesterday)];
    await lake.land(HOUR - 5 * HOUR_MS, copied);
    const days = [dayOf(yesterday), dayOf(DAY)];
    await lake.store.copy(HOUR - 5 * HOUR_MS, days, randomUUID());
    for (const day of days) await fillDay(Date.parse(day));
    const late = [...copied, ...rows('later', 30, DAY + HOUR_MS)];
    await lake.land(HOUR, [...rows('near', 120, HOUR), ...late]);

    const { id } = await lake.trino.query(statement(lake.tables, HOUR, days));

    const operators = await lake.trino.operators(id);
    const most = (found: typeof operators) => Math.max(...found.map(({ rows }) => rows));
    const keeping = operators.filter(({ type }) => !STREAMING.has(type));
    expect(most(operators)).toBe(2 * 24 * COPIES_AN_HOUR + copied.length);
    expect(most(keeping)).toBe(NEAR_HOURS * COPIES_AN_HOUR + copied.length);
  },
  PATIENCE,
);
