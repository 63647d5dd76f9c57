import { glob, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LANDING_COLUMNS, type LakeType } from '../../src/lake/layout/columns.ts';
import { glueTable } from './support/glue-table.ts';
import { twoEngines } from './support/two-engines.ts';

const hour = (n: number): number => Date.UTC(2026, 1, 2, n);

function event(id: string, at: number) {
  return {
    id,
    timestamp: new Date(at).toISOString().replace('Z', '987Z'),
    event_message: `naïve "${id}" 😀`,
    project: 'acme',
    metadata: {
      execution_time_ms: 5,
      request: { method: 'GET', path: '/a' },
      response: { status_code: 200 },
    },
  };
}

/** Four hours of two days; the last file holds an event that arrived a day late. */
const ARRIVALS = [
  { at: hour(9), events: { logs: [event('first', hour(9) - 1000)] } },
  { at: hour(21), events: { logs: [event('evening', hour(21) - 1000)] } },
  { at: hour(30), events: { logs: [event('next', hour(30) - 1000)] } },
  { at: hour(33), events: { logs: [event('last', hour(33) - 1000), event('late', hour(10))] } },
];

/** Of the slots, which are all alike, the first with values and the last. */
const COLUMNS = LANDING_COLUMNS.filter(
  ({ name }) => !/^s\d{3}$/.test(name) || ['s000', 's001', 's002', 's003', 's127'].includes(name),
);

/** How a value of each type is read as text by each engine, alike. */
const AS_TEXT: Readonly<Record<LakeType, { duckdb: string; trino: string }>> = {
  string: { duckdb: '?', trino: '?' },
  bigint: { duckdb: 'CAST(? AS VARCHAR)', trino: 'CAST(? AS VARCHAR)' },
  timestamp: {
    duckdb: "STRFTIME(?, '%Y-%m-%d %H:%M:%S.%g')",
    trino: 'CAST(CAST(? AS TIMESTAMP(3)) AS VARCHAR)',
  },
};

describe("the lake's own files under the definition of its Glue table", () => {
  const engines = twoEngines({ table: 'lake_read', arrivals: ARRIVALS });

  test.each(COLUMNS)('$name is read as it was written', async ({ name, type }) => {
    const column = `"${name}"`;
    const select = (engine: 'duckdb' | 'trino', table: string): string =>
      `SELECT ${AS_TEXT[type][engine].replace('?', () => column)} AS x FROM ${table} ORDER BY id`;
    const { rows, types } = await engines().trino.query(select('trino', engines().table));
    expect(types).toEqual(['varchar']);
    expect(rows).toEqual(await engines().textOnDuckdb((table) => select('duckdb', table)));
  });

  test('partitions are dates and integers, the hour in which a file began', async () => {
    const { rows, types } = await engines().trino.query(
      `SELECT dt, hour, COUNT(*) FROM ${engines().table} GROUP BY dt, hour ORDER BY dt, hour`,
    );
    expect(types).toEqual(['date', 'integer', 'bigint']);
    expect(rows).toEqual([
      ['2026-02-02', '9', '1'],
      ['2026-02-02', '21', '1'],
      ['2026-02-03', '6', '1'],
      ['2026-02-03', '9', '2'],
    ]);
  });

  test('a projection that ends tomorrow, as it is deployed, gives the same rows', async () => {
    const { directory, trino, table } = engines();
    await trino.createTable(
      glueTable({
        name: 'lake_as_deployed',
        directory: join(directory, 'lake'),
        firstDay: '2026-02-02',
      }),
    );
    const sql = "select id from logs where timestamp >= '2026-02-03' order by id";
    const text = engines().compile('athena', sql, { table: 'lake_as_deployed' }).text;
    expect(text).toContain("DATE '2026-02-02' AND hour >= ");
    expect((await trino.query(text)).rows).toEqual([['last'], ['next']]);
    expect(table).not.toBe('lake_as_deployed');
  });
});

describe('partitions before the lower bound of a query', () => {
  const engines = twoEngines({ table: 'lake_pruned', arrivals: ARRIVALS });
  const BOUNDED =
    "select id, timestamp from logs where timestamp > '2026-02-03T03:00:00Z' order by id";
  const LATE = "select id from logs where timestamp < '2026-02-02T12:00:00Z' order by id";

  test('hold none of its rows, and events that came late are found', async () => {
    expect(await engines().onTrino(BOUNDED)).toEqual(await engines().onDuckdb(BOUNDED));
    expect(await engines().onTrino(LATE)).toEqual([{ id: 'first' }, { id: 'late' }]);
  });

  test('are not read: what lies there may be broken', async () => {
    for await (const file of glob('lake/log_events/dt=2026-02-02/*/*.parquet', {
      cwd: engines().directory,
    })) {
      await writeFile(join(engines().directory, file), 'not Parquet at all');
    }

    expect(await engines().onTrino(BOUNDED)).toMatchObject([{ id: 'last' }, { id: 'next' }]);
    await expect(engines().onTrino(LATE)).rejects.toThrow('HIVE_');
  });
});
