import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMPACTED_TIME, MAX_FUTURE_US } from '../../src/lake/layout/columns.ts';
import { timestampText } from '../../src/lake/rows/event-time.ts';
import { schemaFromFlat } from '../../src/lake/schema/schema.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { type CompileInput, compile } from '../../src/sql/compile.ts';
import { formatCivil } from '../../src/sql/ir/time.ts';
import { runStatement } from '../support/run-statement.ts';
import { SplitLake, splitAt, TABLES } from './split-lake.ts';

const BUFFER_SECONDS = 900;
const HOUR_US = 3_600_000_000;
const DAY_US = 24 * HOUR_US;
/** The watermark is in the middle of what happens. */
const WATERMARK_US = Date.UTC(2026, 1, 3, 10) * 1_000;

const SOURCE = '00000000-0000-4000-8000-000000000000';

function compiled(sql: string, options: Partial<CompileInput>) {
  const catalog = {
    source: (name: string) =>
      name === 'logs' ? { id: SOURCE, name, schema: schemaFromFlat({}) } : undefined,
  };
  return compile({
    sql,
    catalog,
    parameters: {},
    nowUs: WATERMARK_US,
    target: 'duckdb',
    maxRows: 1000,
    table: TABLES.table,
    maxFilingDelaySeconds: BUFFER_SECONDS,
    ...options,
  });
}

const split = splitAt(WATERMARK_US / 1_000);

describe('which table a query opens', () => {
  const reads = (condition: string) => {
    const { text, scans } = compiled(`select id from logs where ${condition}`, split);
    const [scan] = scans;
    expect(text.includes(TABLES.compacted)).toBe(scan?.compacted);
    return { text, scan };
  };

  test('a query for the newest events never names the compacted table', () => {
    // An hour for events that come before their time, a quarter for the buffer.
    const { text, scan } = reads("timestamp >= '2026-02-03 11:15:00'");

    expect(scan?.compacted).toBe(false);
    expect(text).toContain("(dt > DATE '2026-02-03' OR (dt = DATE '2026-02-03' AND hour >= 10))");
  });

  test('one for events a moment before them reads both, and of what landed only what is new', () => {
    const { text, scan } = reads("timestamp >= '2026-02-03 11:14:59.999999'");

    expect(scan?.compacted).toBe(true);
    expect(text).toContain("landed_hour < TIMESTAMP '2026-02-03 10:00:00'");
    expect(text).toContain("(dt > DATE '2026-02-03' OR (dt = DATE '2026-02-03' AND hour >= 10))");
  });

  test('days of compacted rows are bounded on both sides', () => {
    const { text, scan } = reads(
      "timestamp >= '2026-01-20' and timestamp < '2026-01-21 00:00:00.0005'",
    );

    expect(text).toContain(
      `event_time >= TIMESTAMP '2026-01-20 00:00:00' AND event_time < TIMESTAMP '2026-01-21 00:00:00.000500'`,
    );
    expect(scan).toMatchObject({
      from_us: Date.UTC(2026, 0, 20) * 1_000,
      to_us: Date.UTC(2026, 0, 21) * 1_000 + 500,
    });
  });

  test.for([
    [
      "timestamp_trunc(timestamp, day) = '2026-01-20'",
      '2026-01-20 00:00:00',
      '2026-01-21 00:00:00',
    ],
    ["timestamp_trunc(timestamp, month) <= '2026-01-01'", undefined, '2026-02-01 00:00:00'],
    [
      "timestamp between '2026-01-20' and '2026-01-21'",
      '2026-01-20 00:00:00',
      '2026-01-21 00:00:00.000001',
    ],
    ["'2026-01-20' > timestamp", undefined, '2026-01-20 00:00:00'],
    ["date(timestamp) = '2026-01-20'", '2026-01-20 00:00:00', '2026-01-21 00:00:00'],
    ["date(timestamp) > '2026-01-19'", '2026-01-20 00:00:00', undefined],
    ["date(timestamp) < '2026-01-20'", undefined, '2026-01-20 00:00:00'],
    ["date(timestamp) <= '2026-01-19'", undefined, '2026-01-20 00:00:00'],
    // What goes through a zone's clocks is bounded a day later.
    ["datetime(timestamp, 'Asia/Tokyo') < datetime '2026-01-20'", undefined, '2026-01-21 00:00:00'],
  ])('bounds are found in %s', ([condition = '', from, before]) => {
    const { text } = reads(condition);

    expect(text.match(/event_time >= TIMESTAMP '([^']+)'/)?.[1]).toBe(from);
    expect(text.match(/event_time < TIMESTAMP '([^']+)'/)?.[1]).toBe(before);
  });

  test.each([
    "timestamp < '2026-01-20' or id = 'a'",
    "not timestamp >= '2026-01-20'",
    "timestamp != '2026-01-20'",
    "timestamp > '1500-01-20'",
    "timestamp < '9999-01-20'",
  ])('there is none in %s', (condition) => {
    expect(reads(condition).text).not.toContain('event_time');
  });

  test('a watermark within an hour would read rows twice, and is refused', () => {
    const between = { ...split, compacted: { ...split.compacted, beforeUs: WATERMARK_US + 1 } };
    expect(() => compiled('select id from logs', between as CompileInput)).toThrow('whole hours');
  });
});

/** Times where bounds, days and the watermark meet, by the microsecond; and any others. */
const timeUs = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.constantFrom(0, -DAY_US, -3 * DAY_US, -31 * DAY_US),
        fc.constantFrom(0, HOUR_US, -HOUR_US, -10 * HOUR_US, 75 * 60_000_000),
        fc.constantFrom(0, 1, -1, 999, 1_000, -1_000, 500_500, -500_500),
      )
      .map(([days, hours, micros]) => WATERMARK_US + days + hours + micros),
  },
  fc.integer({ min: WATERMARK_US - 60 * DAY_US, max: WATERMARK_US + 5 * HOUR_US }),
  fc.constantFrom(
    Date.UTC(1500, 5) * 1_000,
    Date.UTC(1684, 6) * 1_000 + 1,
    // Some months from where weeks and zones would leave the years that there are.
    Date.parse('0002-01-02') * 1_000,
    Date.UTC(1969, 11, 31, 23) * 1_000 + 999_999,
  ),
);

/** An event in its landing hour, and which tables have it beside the one that queries read it from. */
const event = fc
  .record({
    us: timeUs,
    hoursLate: fc.oneof(fc.nat(3), fc.constantFrom(24, 24 * 40)),
    mine: fc.constantFrom(true, true, true, false),
    isElsewhere: fc.boolean(),
  })
  .map(({ us, hoursLate, ...rest }) => {
    const earliest = Math.max(
      us - MAX_FUTURE_US - BUFFER_SECONDS * 1_000_000,
      WATERMARK_US - 40 * DAY_US,
    );
    return { us, landedUs: Math.floor(earliest / HOUR_US + hoursLate) * HOUR_US, ...rest };
  });

type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

const unit = fc.constantFrom(
  'SECOND',
  'HOUR',
  'DAY',
  'WEEK',
  'ISOWEEK',
  'MONTH',
  'QUARTER',
  'YEAR',
);
const zone = fc.constantFrom('Asia/Tokyo', 'America/New_York', '-11:00');

const day = fc.constantFrom(
  'date($t)',
  "date($t, 'Asia/Tokyo')",
  'cast($t as date)',
  'date_trunc(date($t), month)',
);

/** A time that is read from the column `$t`, and the type of literal that it is compared with. */
const time = fc.oneof(
  { weight: 3, arbitrary: fc.constant(['$t', 'timestamp'] as const) },
  unit.map((part) => [`timestamp_trunc($t, ${part})`, 'timestamp'] as const),
  fc
    .tuple(unit, zone)
    .map(([part, name]) => [`timestamp_trunc($t, ${part}, '${name}')`, 'timestamp'] as const),
  zone.map((name) => [`datetime($t, '${name}')`, 'datetime'] as const),
  fc.constant(['cast($t as datetime)', 'datetime'] as const),
  day.map((value) => [value, 'date'] as const),
);

/** A time near that of some event, as `near` reads it: elsewhere bounds seldom tell rows apart. */
const bound = fc
  .tuple(fc.nat(9), fc.constantFrom(0, 0, 1, -1, 400, -400, 90 * 60_000_000))
  .map(([nth, micros]) => `{${nth} ${micros}}`);

function near(sql: string, events: readonly Event[]): string {
  return sql.replace(/(date )?'\{(\d+) (-?\d+)\}'/g, (_match, date = '', nth, micros) => {
    const { us } = events[nth % events.length] ?? { us: 0 };
    const text = formatCivil(BigInt(us) + BigInt(micros));
    return `${date}'${date === '' ? text : text.slice(0, 10)}'`;
  });
}

const comparison = fc
  .record({
    time,
    op: fc.constantFrom('<', '<=', '=', '>', '>=', '!='),
    bounds: fc.tuple(bound, bound),
    form: fc.constantFrom('plain', 'plain', 'mirrored', 'between', 'not'),
  })
  .map(({ time: [value, type], op, bounds: [a, b], form }) => {
    switch (form) {
      case 'mirrored':
        return `${type} '${a}' ${op} ${value}`;
      case 'between':
        return `${value} between ${type} '${a}' and ${type} '${b}'`;
      case 'not':
        return `not ${value} ${op} ${type} '${a}'`;
      default:
        return `${value} ${op} ${type} '${a}'`;
    }
  });

const condition = fc.oneof(
  { weight: 5, arbitrary: comparison },
  fc.tuple(comparison, comparison).map(([a, b]) => `${a} and ${b}`),
  fc.tuple(comparison, comparison).map(([a, b]) => `(${a} or ${b})`),
);

/** Every way that bounds take, or must not take, through a query. */
const SHAPES: readonly ((
  c: (column: string) => string,
  d: (column: string) => string,
) => string)[] = [
  (c) => `select id from logs where ${c('timestamp')}`,
  (c) => `select count(*) as n from logs where ${c('timestamp')}`,
  (c, d) =>
    `with l as (select id, timestamp from logs where ${c('timestamp')}) select id from l where ${d('timestamp')}`,
  (c, d) =>
    `with l as (select id, timestamp from logs) select id from l where ${c('timestamp')} union all select id from l where ${d('timestamp')}`,
  (c, d) =>
    `with l as (select id, timestamp from logs) select id from l where ${c('timestamp')} and id in (select id from l where ${d('timestamp')})`,
  (c) =>
    `select id from (select id, timestamp_trunc(timestamp, day, 'Asia/Tokyo') as t from logs) where ${c('t')}`,
  (c) =>
    `select t, n from (select timestamp_trunc(timestamp, month) as t, count(*) as n from logs group by 1) where ${c('t')}`,
  (c) =>
    `select id from (select id, timestamp from logs order by id limit 2) where ${c('timestamp')}`,
  (c) =>
    `select id, n from (select id, timestamp, row_number() over (order by id) as n from logs) where ${c('timestamp')}`,
  (c, d) =>
    `select id, t from (select id, timestamp as t from logs where ${c('timestamp')} except distinct select id, timestamp as t from logs where ${d('timestamp')})`,
  (c, d) =>
    `select id from (select id, timestamp as t from logs union all select id, timestamp_trunc(timestamp, hour) as t from logs where ${d('timestamp')}) where ${c('t')}`,
  (c, d) =>
    `select a.id, b.id as other from logs as a left join logs as b on b.id = a.id and ${d('b.timestamp')} where ${c('a.timestamp')}`,
  (c) =>
    `select a.id, b.id as other from logs as a full join (select id, timestamp from logs where id < 'e3') as b on b.id = a.id where ${c('b.timestamp')}`,
  (c, d) =>
    `select id from logs as a where ${c('timestamp')} and exists (select 1 from logs as b where b.id = a.id and ${d('b.timestamp')})`,
  (c) =>
    `select id from (select id, date(timestamp) as d from logs) where ${c('cast(d as timestamp)')}`,
  (c) => `select max(timestamp) as t, min(id) as id from logs where ${c('timestamp')}`,
];

const on = (text: string) => (column: string) => text.replaceAll('$t', column);

/** A query of each shape. */
const queries = fc
  .array(fc.tuple(condition, condition), { minLength: SHAPES.length, maxLength: SHAPES.length })
  .map((conditions) => conditions.map(([c, d], i) => SHAPES[i]?.(on(c), on(d)) ?? ''));

describe('whatever was copied and whatever has expired', () => {
  let directory: string;
  let lake: SplitLake;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-compacted-'));
    const logger = { info: () => {}, warn: () => {}, error: () => {} };
    lake = await SplitLake.open(directory, systemClock, logger);
    await lake.run(`CREATE TABLE every_event AS SELECT * FROM ${TABLES.table}`);
  });

  afterAll(async () => {
    lake.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** Before the watermark the compacted table has all rows, from there on the landing table. */
  async function fill(events: readonly Event[]): Promise<void> {
    const rows = events.map(({ us, landedUs, mine, isElsewhere }, i) => {
      const source = mine ? SOURCE : 'another';
      const copied = landedUs < WATERMARK_US;
      const time = timestampText(Math.floor(us / 1_000));
      return `('${source}', 'e${i}', TIMESTAMP '${time}', ${us}, TIMESTAMP '${formatCivil(BigInt(landedUs))}', ${copied || isElsewhere}, ${!copied || isElsewhere})`;
    });
    const values = `(VALUES ${rows.join(', ')}) AS v(source_id, id, "timestamp", timestamp_us, landed_hour, in_compacted, in_landing)`;
    const partition = 'CAST(landed_hour AS DATE) AS dt, CAST(hour(landed_hour) AS INTEGER) AS hour';
    for (const [table, columns, condition] of [
      [TABLES.compacted, `"timestamp" AS ${COMPACTED_TIME}, landed_hour`, 'in_compacted'],
      [TABLES.table, `"timestamp", ${partition}`, 'in_landing'],
      // So late that no bound prunes it.
      ['every_event', `"timestamp", DATE '2300-01-01' AS dt, 0 AS hour`, 'TRUE'],
    ]) {
      await lake.run(`DELETE FROM ${table}`);
      await lake.run(
        `INSERT INTO ${table} BY NAME SELECT source_id, id, timestamp_us, ${columns} FROM ${values} WHERE ${condition}`,
      );
    }
  }

  async function rows(sql: string, options: Partial<CompileInput>): Promise<string[]> {
    const { text, columns } = compiled(sql, options);
    const deadline = systemClock.now() + 60_000;
    const result = await runStatement(lake.engine, { text, columns, deadline });
    return result.rows.map((row) => JSON.stringify(row)).sort();
  }

  test('a query sees each row once', { timeout: 120_000 }, async () => {
    const property = fc.asyncProperty(
      fc.array(event, { minLength: 1, maxLength: 10 }),
      queries,
      async (events, texts) => {
        await fill(events);
        for (const sql of texts.map((text) => near(text, events))) {
          expect(await rows(sql, split), sql).toEqual(await rows(sql, { table: 'every_event' }));
        }
      },
    );
    await fc.assert(property, { numRuns: 20 });
  });
});
