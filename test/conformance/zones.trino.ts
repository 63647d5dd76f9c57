import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawNumber } from '../../src/platform/json/json.ts';
import { NOW_US } from '../sql/support.ts';
import { Clocks, civilStart } from '../sql/zones/clocks.ts';
import { sameRows } from './support/compare.ts';
import { type Row, twoEngines } from './support/two-engines.ts';

/** Half hours and quarters, skipped midnights, a skipped day, Ramadan, offsets of seconds before 1937. */
const ZONES = [
  'America/New_York',
  'America/Sao_Paulo',
  'America/Havana',
  'Europe/Berlin',
  'Europe/Amsterdam',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Asia/Gaza',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  '-03:30',
];
const SEED = 20_260_203;
const clocks = new Map(ZONES.map((zone) => [zone, new Clocks(zone)]));

/** Random times of two and a half centuries, and those around changes of each zone. */
const TIMES: readonly bigint[] = [
  ...new Set([
    ...fc.sample(fc.bigInt({ min: us('1850-01-01'), max: us('2099-12-31') }), {
      seed: SEED,
      numRuns: 150,
    }),
    ...[...clocks.values()].flatMap((zone, i) => around(zone, SEED + i)),
  ]),
];

function us(day: string): bigint {
  return BigInt(Date.parse(day)) * 1000n;
}

/** A few changes of a zone, by instant and by both civil times, to the microsecond and the half hour. */
function around(zone: Clocks, seed: number): bigint[] {
  const changes = zone.changes(1900, 2099);
  const chosen =
    changes.length === 0 ? [] : fc.sample(fc.constantFrom(...changes), { seed, numRuns: 3 });
  return chosen.flatMap((at) => {
    const edges = [at, zone.civil(at), zone.civil(at - 1n) + 1n];
    return edges.flatMap((edge) => [edge - 1n, edge, edge + 1_800_000_000n]);
  });
}

const PARTS = ['day', 'week', 'month', 'quarter', 'year'] as const;

/** Several texts: a zone's table of offsets stands in a statement once for each use of the zone. */
function questions(zone: string): readonly string[] {
  const parts = PARTS.map(
    (part) => `unix_micros(timestamp_trunc(t, ${part}, '${zone}')) as ${part}`,
  );
  return [
    `unix_micros(timestamp(datetime(t, '${zone}'))) as civil,
    cast(date(t, '${zone}') as string) as day_of,
    extract(hour from t at time zone '${zone}') * 60
      + extract(minute from t at time zone '${zone}') as minutes,
    extract(dayofyear from t at time zone '${zone}') as dayofyear,
    format_timestamp('%F %H:%M:%E6S %z %Ez %Z', t, '${zone}') as text`,
    `unix_micros(timestamp_trunc(timestamp_add(t, interval 0 hour), hour, '${zone}')) as hour,
    ${parts.join()}`,
    `unix_micros(timestamp(datetime(t), '${zone}')) as instant,
    unix_micros(parse_timestamp('%F %H:%M:%E6S',
      format_timestamp('%F %H:%M:%E6S', t), '${zone}')) as parsed`,
  ].map(
    (columns) => `with times_us as (select id, timestamp_micros(us) as t from times)
      select id, ${columns} from times_us order by id`,
  );
}

/** Rows of which each list has some columns. */
function joined(lists: readonly (readonly Row[])[]): Row[] {
  const [first = []] = lists;
  return first.map((_, i) => Object.assign({}, ...lists.map((rows) => rows[i])));
}

const HOUR = 3_600_000_000n;
const MINUTE = 60_000_000n;

function answers(zone: Clocks): Row[] {
  return TIMES.map((at, id) => {
    const civil = zone.civil(at);
    const inHour = ((civil % HOUR) + HOUR) % HOUR;
    const yearStart = civilStart(civil, 'year');
    return {
      id: name(id),
      civil: Number(civil),
      day_of: iso(civil).slice(0, 10),
      minutes: Number(iso(civil).slice(11, 13)) * 60 + Number(iso(civil).slice(14, 16)),
      dayofyear: Number((civilStart(civil, 'day') - yearStart) / (24n * HOUR)) + 1,
      text: textOf(at, civil - at),
      hour: Number(at - inHour),
      ...Object.fromEntries(
        PARTS.map((part) => [part, Number(zone.instant(civilStart(civil, part)))]),
      ),
      instant: Number(zone.instant(at)),
      parsed: Number(zone.instant(at)),
    };
  });
}

const name = (id: number): string => String(id).padStart(5, '0');

function iso(time: bigint): string {
  const micros = ((time % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = new Date(Number((time - micros) / 1000n)).toISOString().slice(0, 19);
  return `${seconds.replace('T', ' ')}.${String(micros).padStart(6, '0')}`;
}

/** BigQuery writes offsets in minutes, and then the time that belongs to them. */
function textOf(at: bigint, exact: bigint): string {
  const offset = exact - (exact % MINUTE);
  const minutes = Math.abs(Number(offset / MINUTE));
  const sign = offset < 0n ? '-' : '+';
  const hh = String(Math.floor(minutes / 60)).padStart(2, '0');
  const mm = String(minutes % 60).padStart(2, '0');
  const utc = minutes % 60 === 0 ? String(minutes / 60) : `${hh}${mm}`;
  return `${iso(at + offset)} ${sign}${hh}${mm} ${sign}${hh}:${mm} UTC${minutes === 0 ? '' : `${sign}${utc}`}`;
}

describe('time zones', () => {
  const engines = twoEngines({
    table: 'zones',
    arrivals: [
      {
        at: NOW_US / 1000,
        events: {
          times: TIMES.map((time, id) => ({
            id: name(id),
            message: 'a time',
            us: rawNumber(String(time)),
          })),
        },
      },
    ],
  });

  test.for([...clocks])('%s', async ([zone, clock]) => {
    const expected = answers(clock);
    const texts = questions(zone);
    const onDuckdb = await Promise.all(texts.map((sql) => engines().onDuckdb(sql)));
    const onTrino = await Promise.all(texts.map((sql) => engines().onTrino(sql)));
    for (const rows of [joined(onDuckdb), joined(onTrino)]) {
      // Only rows that are wrong are shown: there are hundreds.
      const wrong = rows.flatMap((row, i) =>
        sameRows([row], expected.slice(i, i + 1), true) ? [] : [{ row, expected: expected[i] }],
      );
      expect(wrong).toEqual([]);
      expect(rows).toHaveLength(expected.length);
    }
  });
});
