import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SqlError } from '../../../src/sql/common/sql-error.ts';
import { startOffsets } from '../../../src/sql/functions/time/offset-transitions.ts';
import { DAY_US, truncate } from '../../../src/sql/ir/time.ts';
import { zoneNamed } from '../../../src/sql/zones/named.ts';
import { civilIn, instantIn, offsetAt, UTC } from '../../../src/sql/zones/zone.ts';
import { EVENTS } from '../fixtures.ts';
import { sqlBench } from '../support.ts';
import { Clocks } from './clocks.ts';

/** A zone, a civil time there, and the instant that BigQuery means by it. */
const MEANT: readonly (readonly [what: string, zone: string, civil: string, instant: string])[] = [
  ['summer', 'Europe/Berlin', '2026-07-01 12:00:00', '2026-07-01 10:00:00'],
  ['the last before a gap', 'America/New_York', '2026-03-08 01:59:59', '2026-03-08 06:59:59'],
  ['in a gap', 'America/New_York', '2026-03-08 02:30:00', '2026-03-08 07:30:00'],
  ['the first behind a gap', 'America/New_York', '2026-03-08 03:00:00', '2026-03-08 07:00:00'],
  ['the first of two', 'America/New_York', '2026-11-01 01:30:00', '2026-11-01 05:30:00'],
  ['behind both', 'America/New_York', '2026-11-01 02:00:00', '2026-11-01 07:00:00'],
  ['in a gap', 'Europe/Berlin', '2026-03-29 02:00:00', '2026-03-29 01:00:00'],
  ['the first of two', 'Europe/Berlin', '2026-10-25 02:59:59', '2026-10-25 00:59:59'],
  ['in half an hour', 'Australia/Lord_Howe', '2026-10-04 02:15:00', '2026-10-03 15:45:00'],
  ['two of half an hour', 'Australia/Lord_Howe', '2026-04-05 01:45:00', '2026-04-04 14:45:00'],
  ['no whole hour', 'Asia/Kathmandu', '2026-01-01 00:00:00', '2025-12-31 18:15:00'],
  ['a skipped midnight', 'America/Sao_Paulo', '2018-11-04 00:00:00', '2018-11-04 03:00:00'],
  ['a skipped day', 'Pacific/Apia', '2011-12-30 12:00:00', '2011-12-30 22:00:00'],
  ['behind a skipped day', 'Pacific/Apia', '2011-12-31 00:00:00', '2011-12-30 10:00:00'],
  ['before 1970', 'Europe/London', '1969-12-31 23:59:59.999999', '1969-12-31 22:59:59.999999'],
  ['local mean time', 'America/New_York', '1880-01-01 00:00:00', '1880-01-01 04:56:02'],
  ['far away', 'America/New_York', '2095-07-01 00:00:00', '2095-07-01 04:00:00'],
];

const ZONES = Intl.supportedValuesOf('timeZone');

describe('civil times and instants', () => {
  const bench = sqlBench(EVENTS);

  test.for(MEANT)('%s: %s, %s', async ([, zone, civil, instant]) => {
    // The same as a constant, and of a value that is known only when the query runs.
    const sql = `select timestamp('${civil}', '${zone}') as folded,
      timestamp '${civil} ${zone}' as literal,
      cast('${civil} ${zone}' as timestamp) as cast_text,
      timestamp(datetime '${civil}', '${zone}') as of_datetime,
      timestamp(datetime_add(d, interval 0 month), '${zone}') as printed,
      timestamp(s, '${zone}') as printed_text,
      timestamp '${instant}' as meant
      from (select datetime '${civil}' as d, '${civil}' as s)`;
    const [row] = await bench.rows(sql);
    const us = row?.meant;
    expect(row).toEqual({
      folded: us,
      literal: us,
      cast_text: us,
      of_datetime: us,
      printed: us,
      printed_text: us,
      meant: us,
    });
  });

  test('are what Intl shows, in any zone and at any time', () => {
    const far = 4_070_908_800_000_000n;
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.array(fc.bigInt({ min: -4_000_000_000_000_000n, max: far }), { minLength: 40 }),
        (name, times) => {
          const zone = zoneNamed(name);
          const clocks = new Clocks(name);
          for (const time of times) {
            expect(zone && civilIn(zone, time)).toBe(clocks.civil(time));
            expect(zone && instantIn(zone, time)).toBe(clocks.instant(time));
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test('starts of days and more are what a truncated civil time means', () => {
    const units = ['DAY', 'WEEK', 'WEEK(FRIDAY)', 'ISOWEEK', 'MONTH', 'QUARTER', 'YEAR'];
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.constantFrom(...units), (name, unit) => {
        const zone = zoneNamed(name) ?? UTC;
        const starts = startOffsets(zone, unit);
        // Around every change and the end of the table, and around the starts before and behind them.
        const end = zone.instants.cycle?.from ?? 0n;
        const years = [0n, 1n, 2n, 3n].map((year) => end + year * 366n * DAY_US);
        const edges = [...zone.instants.from, ...years].flatMap((at) => [
          at,
          instantIn(zone, truncate(civilIn(zone, at), unit) ?? 0n),
          instantIn(zone, truncate(civilIn(zone, at) + 8n * DAY_US, unit) ?? 0n),
        ]);
        for (const time of edges.flatMap((edge) => [edge - 1n, edge, edge + 3_599_000_000n])) {
          const start = truncate(civilIn(zone, time), unit) ?? 0n;
          expect(start - offsetAt(starts, time)).toBe(instantIn(zone, start));
        }
      }),
      { numRuns: 40 },
    );
  });

  test('a day may have 23 or 25 hours, and begin at one', async () => {
    const sql = `select
      array_agg(timestamp_diff(timestamp(date_add(d, interval 1 day), 'Europe/Berlin'),
        timestamp(d, 'Europe/Berlin'), hour) order by d) as hours
      from unnest([date '2026-03-29', date '2026-03-30', date '2026-10-25']) as d`;
    expect(await bench.rows(sql)).toEqual([{ hours: [23, 24, 25] }]);
    expect(
      await bench.rows(
        "select datetime(timestamp_trunc(timestamp '2018-11-04 15:00:00', day, 'America/Sao_Paulo'), 'America/Sao_Paulo') as start",
      ),
    ).toEqual([{ start: '2018-11-04T01:00:00' }]);
  });

  test('hours are cut by the offset at the time itself', async () => {
    // At 15:30 UTC clocks went from 02:00 to 02:30: 02:45 is cut to 02:00, which clocks did not show.
    const sql =
      "select format_timestamp('%H:%M', timestamp_trunc(t, hour, 'Australia/Lord_Howe')) as utc from (select timestamp_seconds(unix_seconds(timestamp '2026-10-03 15:45:00')) as t)";
    expect(await bench.rows(sql)).toEqual([{ utc: '15:00' }]);
  });

  test.for([
    "timestamp_trunc(timestamp, day, 'America/New_York')",
    "date(timestamp, 'America/New_York')",
    "format_timestamp('%F', timestamp, 'America/New_York')",
    "extract(hour from timestamp at time zone 'America/New_York')",
  ])('one expression is one, in SELECT, GROUP BY and ORDER BY: %s', async (day) => {
    const sql = `select ${day} as day, count(*) as n from \`app-logs\` group by ${day} order by ${day}`;
    const alias = `select ${day} as day, count(*) as n from \`app-logs\` group by day order by day`;
    expect(await bench.rows(sql)).toEqual(await bench.rows(alias));
  });
});

describe('names of zones', () => {
  const bench = sqlBench(EVENTS);
  const at = (zone: string) =>
    bench.rows(`select format_timestamp('%R', timestamp '2026-01-01', '${zone}') as t`);

  test.for([
    ['UTC', '00:00'],
    ['utc', '00:00'],
    ['+05:30', '05:30'],
    ['+0530', '05:30'],
    ['-8', '16:00'],
    ['+5:3', '05:03'],
    ['UTC+1', '01:00'],
    ['UTC-03:30', '20:30'],
    ['+14:00', '14:00'],
    ['europe/BERLIN', '01:00'],
    ['Asia/Calcutta', '05:30'],
    ['US/Pacific', '16:00'],
    ['EST5EDT', '19:00'],
    ['Etc/GMT+5', '19:00'],
    ['Japan', '09:00'],
  ])('%s', async ([zone = '', shown]) => {
    expect(await at(zone)).toEqual([{ t: shown }]);
  });

  test.for(['', ' ', '+', '+15', '+05:60', '+053000', 'GMT+5', 'PST', 'IST', 'CST', 'Z', 'Berlin'])(
    'no zone: "%s"',
    (zone) => {
      expect(() => bench.compile(`select current_date('${zone}') as d`)).toThrow(
        `Unknown time zone '${zone}'`,
      );
    },
  );

  test('a parameter names one; NULL is none, and wrong ones matter only where they are used', async () => {
    const sql = "select if(@zone = 'never', null, date(timestamp '2026-01-01', @zone)) as d";
    const zone = (value: string | null) => ({
      parameters: { zone: { type: 'string', value } as const },
    });
    expect(await bench.rows(sql, zone('America/New_York'))).toEqual([{ d: '2025-12-31' }]);
    expect(await bench.rows(sql, zone(null))).toEqual([{ d: null }]);
    expect(await bench.rows(sql, zone('never'))).toEqual([{ d: null }]);
    expect(() => bench.compile(sql, zone('nowhere'))).toThrow("Unknown time zone 'nowhere'");
  });

  test('any text is a zone or an SqlError', () => {
    const pieces = fc.constantFrom(
      ...['UTC', 'Europe', '/', 'Berlin', '+', '-', '05', ':', '30', 'Etc/GMT', ' ', 'Z', "''"],
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 6 }).map((list) => list.join('')),
    );
    fc.assert(
      fc.property(text, (value) => {
        const parameters = { zone: { type: 'string', value } } as const;
        for (const sql of [
          'select datetime(timestamp, @zone) as x from `app-logs`',
          "select cast('2026-01-01 00:00:00 ' || @zone as timestamp) as x",
        ]) {
          try {
            bench.compile(sql, { parameters });
          } catch (error) {
            expect(error).toBeInstanceOf(SqlError);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
