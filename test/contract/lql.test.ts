import { describe, expect, test } from 'vitest';
import { refusal } from '../sql/lql/support.ts';
import { sqlBench } from '../sql/support.ts';

const TABLE = 'with src as (select * from logs) select id from src';

const bench = sqlBench({
  logs: [
    {
      id: 'e1',
      timestamp: '2026-02-03T09:17:00Z',
      message: 'a new user sign up',
      a: 1,
      b: 1.1,
      ok: true,
      cluster: 'prod-c',
      metadata: {
        level: 'debug',
        float: 30.1,
        int: 200,
        arr: ['x', 'a c'],
        tags: ['production', 'blue'],
        nullable: 5,
        a: { b: 'ne-1' },
      },
    },
    {
      id: 'e2',
      timestamp: '2026-02-03T09:16:59Z',
      message: 'the user "sign" up',
      a: 1,
      b: 2,
      ok: false,
      metadata: {
        level: 'critical',
        float: 300.2,
        int: 51,
        arr: ['a', 'c'],
        tags: ['staging'],
        a: [{ b: 'sw-2' }, { b: 'ne-1' }],
      },
    },
    {
      id: 'e3',
      timestamp: '2026-01-27T00:00:00Z',
      message: 'error',
      a: 2,
      b: 1.1,
      metadata: { level: 'alert', nullable: 6 },
    },
    { id: 'e4', timestamp: '2026-01-26T00:00:00Z', message: 'er"ror' },
  ],
});

/** Ids of the events that filters keep. */
async function kept(filters: string): Promise<string> {
  const rows = await bench.rows(TABLE, { consumerLql: `s:id ${filters}` });
  return rows
    .map(({ id }) => String(id))
    .sort()
    .join(' ');
}

describe('filters', () => {
  test.each<{ fact: number; what: string; keeps: Record<string, string> }>([
    {
      fact: 126,
      what: 'numbers, whole or not, are compared as numbers',
      keeps: { 'a:1 b:1.1': 'e1', 'a:1': 'e1 e2', 'b:1.10': 'e1 e3' },
    },
    {
      fact: 127,
      what: 'true and false are booleans',
      keeps: { 'ok:true': 'e1', 'ok:false': 'e2' },
    },
    {
      fact: 129,
      what: 'patterns, bare and quoted, all have to match the message',
      keeps: { '~new ~"user sign up" ~up$': 'e1', '~^error$': 'e3', '~up$': 'e1 e2' },
    },
    {
      fact: 130,
      what: 'a quote in a pattern is written with a backslash, in quotes and without',
      keeps: { '~"user \\"sign\\" up"': 'e2', '~^er\\"ror': 'e4' },
    },
    {
      fact: 131,
      what: 'ranges of numbers hold their ends',
      keeps: { 'm.float:30.1..300.1 m.int:50..200': 'e1', 'm.int:51..200': 'e1 e2' },
    },
    {
      fact: 133,
      what: 'a range of levels is any of those between',
      keeps: { 'metadata.level:debug..critical': 'e1 e2', 'metadata.level:alert..emergency': 'e3' },
    },
    {
      fact: 134,
      what: 'a pattern matches an element of a list',
      keeps: { 'm.arr:@>~"a c"': 'e1', 'm.arr:@>~"^a"': 'e1 e2' },
    },
    {
      fact: 135,
      what: 'a list holds a value',
      keeps: { 'm.tags:@>production': 'e1', 'm.tags:@>prod': '' },
    },
    {
      fact: 136,
      what: 'NULL asks for absence',
      keeps: { 'metadata.nullable:NULL': 'e2 e4' },
    },
    {
      fact: 148,
      what: 'the negation of a comparison also keeps what lacks the field',
      keeps: { '-a:>1': 'e1 e2 e4', '-a:1': 'e3 e4' },
    },
    {
      fact: 149,
      what: 'the negation of NULL keeps what has the field, and nothing else',
      keeps: { '-metadata.nullable:NULL': 'e1 e3' },
    },
    {
      fact: 150,
      what: 'a path leads through objects and lists alike',
      keeps: { 'metadata.a.b:"ne-1"': 'e1 e2', 'metadata.a.b:"sw-2"': 'e2' },
    },
  ])('$fact $what', async ({ keeps }) => {
    for (const [filters, ids] of Object.entries(keeps)) {
      expect(await kept(filters), filters).toBe(ids);
    }
  });
});

describe('a word', () => {
  const characters = [...'.?!@#$%^&*()-_=+[]{}|\\/;,<>'];
  const words = sqlBench({
    words: characters.map((character, index) => ({
      id: `w${index}`,
      message: `before my${character}string behind`,
    })),
  });

  test('128 may hold any of these characters, and is searched whole', async () => {
    const sql = 'with src as (select id, event_message from words) select id from src';
    for (const [index, character] of characters.entries()) {
      const consumerLql = `s:id my${character}string`;
      expect(await words.rows(sql, { consumerLql }), character).toEqual([{ id: `w${index}` }]);
    }
  });
});

describe('columns and charts', () => {
  const minute = (time: string): number => Date.parse(`${time}Z`) * 1000;

  test.each<{ fact: number; what: string; lql: string; rows: object[] }>([
    {
      fact: 142,
      what: 'a period alone counts events in it',
      lql: 'c:group_by(t::minute) t:last@1h',
      rows: [
        { timestamp: minute('2026-02-03T09:16:00'), count: 1 },
        { timestamp: minute('2026-02-03T09:17:00'), count: 1 },
      ],
    },
    {
      fact: 143,
      what: 'a sum of a nested field is made per minute',
      lql: 'c:sum(metadata.int) a:1',
      rows: [
        { timestamp: minute('2026-02-03T09:16:00'), count: 51 },
        { timestamp: minute('2026-02-03T09:17:00'), count: 200 },
      ],
    },
    {
      fact: 146,
      what: 'the columns are those that are selected',
      lql: 's:a s:b id:e1',
      rows: [{ a: 1, b: 1.1 }],
    },
  ])('$fact $what', async ({ lql, rows }) => {
    expect(await bench.rows(TABLE, { consumerLql: lql })).toEqual(rows);
  });

  test('147 nothing asked for shows the timestamps', async () => {
    const rows = await bench.rows(TABLE, { consumerLql: '' });

    expect(rows).toHaveLength(4);
    expect(rows).toContainEqual({ timestamp: minute('2026-02-03T09:17:00') });
  });
});

test('145 refused: an alias that is missing', () => {
  expect(refusal('s:m.qty@')).toMatchObject({
    code: 'lql_syntax',
    status: 400,
    message: expect.stringContaining('select alias cannot be blank'),
  });
});

test('152 an aggregate over times is refused by its place, without a word of what would run', () => {
  const chart = 'c:avg(timestamp)';

  expect(() => bench.compile(TABLE, { consumerLql: chart })).toThrow(
    expect.objectContaining({
      code: 'sql_type',
      status: 400,
      message: expect.stringMatching(/^TIMESTAMP .* \(line 1, column 7\)$/),
    }),
  );
  expect(() => bench.compile(TABLE, { consumerLql: chart })).not.toThrow(
    /select|timestamp_trunc|group by|log_events/i,
  );
});
