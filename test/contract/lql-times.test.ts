import { describe, expect, test } from 'vitest';
import { meaning, refusal } from '../sql/lql/support.ts';
import { sqlBench } from '../sql/support.ts';

/** Each event is known by its time. Now is 10:00 on 2026-02-03. */
const TIMES = [
  '2010-05-01T00:00:00',
  '2020-01-01T13:14:15.005',
  '2020-01-01T13:14:15.005001',
  '2020-01-01T13:14:15.1',
  '2020-01-01T13:14:15.100001',
  '2020-05-01T00:00:00',
  '2020-05-02T00:00:00',
  '2020-07-01T00:00:00',
  '2026-01-02T23:59:59.999999',
  '2026-01-03T00:00:00',
  '2026-01-26T23:59:59.999999',
  '2026-01-27T00:00:00',
  '2026-02-03T09:16:59.999999',
  '2026-02-03T09:17:00',
];

const bench = sqlBench({ times: TIMES.map((time) => ({ id: time, timestamp: `${time}Z` })) });

/** Times of the events that a filter keeps. */
async function kept(filter: string): Promise<unknown[]> {
  const sql = 'with src as (select id, timestamp from times) select id from src';
  const rows = await bench.rows(sql, { consumerLql: `s:id ${filter}` });
  return rows.map(({ id }) => id).sort();
}

const between = (low: string, high: string) =>
  TIMES.slice(TIMES.indexOf(low), TIMES.indexOf(high) + 1);

describe('ranges of time', () => {
  test('132 are turned around by a minus', async () => {
    const range = 't:2020-05-02T00:00:00..2026-02-03T09:16:59.999999';
    const inside = between('2020-05-02T00:00:00', '2026-02-03T09:16:59.999999');

    expect(await kept(range)).toEqual(inside);
    expect(await kept(`-${range}`)).toEqual(TIMES.filter((time) => !inside.includes(time)));
  });

  test.each<{ fact: number; what: string; ranges: [filter: string, low: string, high: string][] }>([
    {
      fact: 137,
      what: 'with numbers in braces reach from all the low ones to all the high ones',
      ranges: [
        ['t:2020-{05..07}-01', '2020-05-01T00:00:00', '2020-07-01T00:00:00'],
        ['t:{2010..2020}-05-{01..02}', '2010-05-01T00:00:00', '2020-05-02T00:00:00'],
        ['t:{2011..2020}-05-{01..01}', '2020-01-01T13:14:15.005', '2020-05-01T00:00:00'],
      ],
    },
    {
      fact: 138,
      what: 'count fractions in braces from the left',
      ranges: [
        [
          't:2020-01-01T13:14:15.{005001..1}',
          '2020-01-01T13:14:15.005001',
          '2020-01-01T13:14:15.1',
        ],
      ],
    },
    {
      fact: 141,
      what: 'that are called last begin with a whole minute or day, and end now',
      ranges: [
        ['t:last@43m', '2026-02-03T09:17:00', '2026-02-03T09:17:00'],
        ['t:last@7d', '2026-01-27T00:00:00', '2026-02-03T09:17:00'],
        ['t:last@1mm', '2026-01-03T00:00:00', '2026-02-03T09:17:00'],
      ],
    },
  ])('$fact $what', async ({ ranges }) => {
    for (const [filter, low, high] of ranges) {
      expect(await kept(filter), filter).toEqual(between(low, high));
    }
  });

  test('have units with short and long names', () => {
    expect(meaning('t:last@43minute')).toBe(meaning('t:last@43m'));
    expect(meaning('t:last@7day')).toBe(meaning('t:last@7d'));
    expect(meaning('t:last@1month')).toBe(meaning('t:last@1mm'));
  });
});

test.each<{ fact: number; what: string; lql: string; says: string }>([
  {
    fact: 139,
    what: 'a range with an offset at one end only',
    lql: 't:2024-03-17T13:47:02+00:00..2024-03-17T13:57:02.000',
    says: 'cannot mix timestamps with and without timezone offsets',
  },
  {
    fact: 140,
    what: 'a unix time of 14 digits',
    lql: 't:17106832220000',
    says: "expected ISO8601 string, Unix timestamp, range or shorthand, got '17106832220000'",
  },
])('$fact refused: $what', ({ lql, says }) => {
  expect(refusal(lql)).toMatchObject({
    code: 'lql_syntax',
    status: 400,
    message: expect.stringContaining(says),
  });
});
