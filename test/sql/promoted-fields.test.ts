import { describe, expect, test } from 'vitest';
import { promotedColumns } from '../../src/lake/promoted-fields.ts';
import type { CompileInput } from '../../src/sql/compile.ts';
import { PROMOTED, PROMOTED_EVENTS, PROMOTED_QUERY } from './promoted-values.ts';
import { sqlBench } from './support.ts';

const COLUMNS = promotedColumns(PROMOTED);
const NOON_US = Date.UTC(2026, 1, 2, 12) * 1_000;
const HOUR_US = 3_600_000_000;

/** As the columns are once every row has them that arrived from a time on; microseconds. */
const filledFrom = (filledFromUs: number | undefined): Pick<CompileInput, 'added'> => ({
  added: COLUMNS.map((column) => ({ column, filledFromUs })),
});

describe('promoted fields', () => {
  const bench = sqlBench(
    {
      promoted: PROMOTED_EVENTS,
      drifted: [{ metadata: { int64: 1 } }, { metadata: { int64: 1.5 } }],
      tenants: [{ metadata: { string: 'acme' } }, { metadata: { string: 'other' } }],
      numbers: [99, 1000, 200].map((value) => ({ metadata: { string: value, float64: value } })),
      texts: ['10', '9'].map((value) => ({ metadata: { int64: value } })),
    },
    undefined,
    COLUMNS,
  );

  test('give the same from their columns as from the JSON, whatever was sent', async () => {
    const fromColumns = await bench.rows(PROMOTED_QUERY, filledFrom(NOON_US - HOUR_US));
    const fromJson = await bench.rows(PROMOTED_QUERY, filledFrom(undefined));

    expect(fromColumns).toEqual(fromJson);
    expect(fromColumns).toHaveLength(PROMOTED_EVENTS.length);
    for (const name of ['string', 'int64', 'float64', 'bool']) {
      expect(fromColumns.filter((row) => row[name] !== null).length).toBeGreaterThan(3);
    }
  });

  test('are read from their columns when every row of the time has them', () => {
    const { scans } = bench.compile(PROMOTED_QUERY, filledFrom(NOON_US - HOUR_US));

    expect(scans[0]?.columns).toEqual(expect.arrayContaining(COLUMNS.map(({ name }) => name)));
    expect(scans[0]?.columns).not.toContain('metadata');
  });

  test('are read from the JSON when an event of the time may have arrived before, up to an hour', () => {
    const { scans } = bench.compile(PROMOTED_QUERY, filledFrom(NOON_US - HOUR_US + 1));

    expect(scans[0]?.columns).toEqual([
      'event_message',
      'has_metadata',
      'id',
      'metadata',
      'timestamp_us',
    ]);
  });

  test('are read from the JSON without a bound of time, and where nothing is known of the column', () => {
    const unbounded = 'select m.string from promoted cross join unnest(metadata) as m';

    for (const [sql, since] of [
      [unbounded, 0],
      [PROMOTED_QUERY, undefined],
    ] as const) {
      expect(bench.compile(sql, filledFrom(since)).scans[0]?.columns).toContain('metadata');
    }
  });

  test('are found through a CTE by the bound that a consumer adds', () => {
    const options = filledFrom(NOON_US - HOUR_US);
    const sql =
      'with logs as (select t.timestamp, m.string as tenant from tenants as t cross join unnest(t.metadata) as m) select * from logs';
    const consumerSql = "select count(distinct tenant) from logs where timestamp > '2026-02-03'";

    expect(bench.compile(sql, { ...options, consumerSql }).scans[0]?.columns).toEqual([
      'has_metadata',
      'metadata_string',
      'timestamp_us',
    ]);
    expect(bench.compile(sql, options).scans[0]?.columns).toContain('metadata');
  });

  test('are decided on for each scan by itself', () => {
    const { scans } = bench.compile(
      `select a.tenant, b.tenant as earlier from
        (select m.string as tenant from tenants t cross join unnest(t.metadata) m where t.timestamp > '2026-02-03') a
        join (select m.string as tenant from tenants t cross join unnest(t.metadata) m where t.timestamp > '2026-01-03') b
        on a.tenant = b.tenant`,
      filledFrom(NOON_US),
    );

    expect(scans.map(({ columns }) => columns.includes('metadata'))).toEqual([false, true]);
  });

  test.each([
    {
      shown: 'integers',
      declared: 'STRING',
      sql: 'select max(m.string) as x from numbers cross join unnest(metadata) as m',
      x: 1000,
      column: 'metadata_string',
    },
    {
      shown: 'integers',
      declared: 'FLOAT64',
      sql: 'select max(div(m.float64, 10)) as x from numbers cross join unnest(metadata) as m',
      x: 100,
      column: 'metadata',
    },
    {
      shown: 'texts',
      declared: 'INT64',
      sql: 'select max(m.int64) as x from texts cross join unnest(metadata) as m',
      x: '9',
      column: 'metadata',
    },
  ])('are of the type that events show, $shown, and not $declared', async ({ sql, x, column }) => {
    const recent = `${sql} where timestamp > '2026-01-01'`;

    const rows = [
      await bench.rows(recent, filledFrom(0)),
      await bench.rows(recent, filledFrom(undefined)),
      await bench.rows(recent),
    ];

    expect(rows).toEqual([[{ x }], [{ x }], [{ x }]]);
    expect(bench.compile(recent, filledFrom(0)).scans[0]?.columns).toContain(column);
  });

  test('have their declared type where events show several', () => {
    const sql = 'select m.int64, m.bool, m.string from promoted cross join unnest(metadata) as m';

    const types = bench.compile(sql, filledFrom(0)).columns.map(({ type }) => type.kind);

    expect(types).toEqual(['int64', 'bool', 'json']);
  });

  test('of whole numbers are read from the JSON where events show fractions, which INT64 would lose', async () => {
    const sql =
      "select m.int64 from drifted cross join unnest(metadata) as m where timestamp > '2026-01-01' order by 1";

    expect(await bench.rows(sql, filledFrom(0))).toEqual([{ int64: 1 }, { int64: 1.5 }]);
    expect(bench.compile(PROMOTED_QUERY).columns.map(({ type }) => type.kind)).not.toEqual(
      bench.compile(PROMOTED_QUERY, filledFrom(undefined)).columns.map(({ type }) => type.kind),
    );
  });

  test('group, count and sort by the column', async () => {
    const sql =
      "select m.bool, count(*) as n from promoted as t cross join unnest(t.metadata) as m where t.timestamp >= '2026-02-02 12:00:00' and m.bool is not null group by m.bool order by m.bool";

    expect(await bench.rows(sql, filledFrom(0))).toEqual(
      await bench.rows(sql, filledFrom(undefined)),
    );
    expect(bench.compile(sql, filledFrom(0)).scans[0]?.columns).toEqual([
      'has_metadata',
      'metadata_bool_bool',
      'timestamp_us',
    ]);
  });
});
