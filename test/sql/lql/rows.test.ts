import { describe, expect, test } from 'vitest';
import { sqlBench } from '../support.ts';

const bench = sqlBench({
  events: [
    {
      id: 'e1',
      timestamp: '2026-02-03T09:00:00Z',
      message: 'GET /users 500',
      metadata: {
        level: 'error',
        user: { id: 7 },
        code: '57014',
        ms: 5,
        ok: false,
        tags: ['blue', 'red'],
        spans: [
          { name: 'db', ms: 12 },
          { name: 'http', ms: 30.5 },
        ],
        stages: [{ steps: [{ to: 'a' }, { to: 'b' }] }, { steps: [{ to: 'c' }] }],
      },
    },
    {
      id: 'e2',
      timestamp: '2026-02-03T09:01:00Z',
      message: 'POST /users 201',
      metadata: {
        level: 'info',
        user: { id: 8 },
        code: '00000',
        ms: 500,
        ok: true,
        tags: ['green'],
        spans: [{ name: 'db', ms: 1 }],
        parent: { item: { n: 1 } },
      },
    },
    {
      id: 'e3',
      timestamp: '2026-02-03T09:01:30Z',
      message: 'plain 100%',
      metadata: { level: 'warning', parent: { item: [{ n: 1 }, { n: 2 }] } },
    },
    { id: 'e4', timestamp: '2026-02-03T09:59:59.5Z', message: "it's over" },
  ],
});

const ENDPOINT = `
  with app as (select t.id, t.timestamp, t.event_message, t.metadata from events as t),
    shaped as (select id, [id, 'x'] as ids, '2026-02-03T09:00:00' as day from app)
  select * from app`;

/** Rows in an order of their own: LQL promises none, but that charts go by time. */
async function rows(lql: string): Promise<unknown[]> {
  const found = await bench.rows(ENDPOINT, { consumerLql: lql });
  return found.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Ids of the events that filters keep. */
async function kept(filters: string): Promise<string> {
  const found = (await rows(`f:app s:id ${filters}`)) as { id: string }[];
  return found
    .map(({ id }) => id)
    .sort()
    .join(' ');
}

describe('a filter keeps its events and its negation the others', () => {
  test.each([
    ['users', 'e1 e2'],
    ['"users 500"', 'e1'],
    ['USERS', ''],
    ['100%', 'e3'],
    ['"it\'s"', 'e4'],
    ['~"^(get|GET) "', 'e1'],
    ['~"(?i)post"', 'e2'],
    ['event_message:~"\\d{3}$"', 'e1 e2'],
    ['id:e1', 'e1'],
    ['id:>e2', 'e3 e4'],
    ['m.level:error', 'e1'],
    ['m.level:warning..critical', 'e1 e3'],
    ['m.user.id:7', 'e1'],
    ['m.user.id:>=7', 'e1 e2'],
    ['m.user.id:~"^7$"', 'e1'],
    ['m.ms:1..10', 'e1'],
    ['m.ms:0.5..10', 'e1'],
    ['m.ok:true', 'e2'],
    ['m.ok:false', 'e1'],
    ['m.ok:NULL', 'e3 e4'],
    ['m.code:57014', 'e1'],
    ['m.code:>1', 'e1'],
    ['m.code:(00000)', 'e2'],
    ['m.missing:x', ''],
    ['m.missing:NULL', 'e1 e2 e3 e4'],
    ['m.user:NULL', 'e3 e4'],
    ['metadata:NULL', 'e4'],
    ['t:2026-02-03T09:00:00', 'e1'],
    ['t:>2026-02-03T10:01:00+01:00', 'e3 e4'],
    ['t:2026-02-03T09:{00..01}:00', 'e1 e2'],
    ['t:last@59m', 'e2 e3 e4'],
    ['t:today', 'e1 e2 e3 e4'],
    ['t:yesterday', ''],
  ])('%s keeps %s', async (filter, expected) => {
    const others = ['e1', 'e2', 'e3', 'e4'].filter((id) => !expected.includes(id));

    expect(await kept(filter)).toBe(expected);
    expect(await kept(`-${filter}`)).toBe(others.join(' '));
  });
});

describe('lists', () => {
  test.each([
    ['m.tags:@>red', 'e1'],
    ['m.tags:@>~"e$"', 'e1'],
    ['m.tags:@>5', ''],
    ['m.spans.name:db', 'e1 e2'],
    ['m.spans.ms:>20', 'e1'],
    ['m.spans.name:NULL', 'e3 e4'],
    ['m.stages.steps.to:c', 'e1'],
    ['m.parent.item.n:1', 'e2 e3'],
    ['m.parent.item.n:2', 'e3'],
  ])('%s keeps each event with such an element once: %s', async (filter, expected) => {
    const others = ['e1', 'e2', 'e3', 'e4'].filter((id) => !expected.includes(id));

    expect(await kept(filter)).toBe(expected);
    expect(await kept(`-${filter}`)).toBe(others.join(' '));
  });

  test('two filters may be met by two elements', async () => {
    expect(await kept('m.spans.name:db m.spans.ms:>20')).toBe('e1');
  });

  test('an SQL array is a list', async () => {
    expect(await rows('f:shaped s:id ids:@>e3')).toEqual([{ id: 'e3' }]);
  });
});

describe('columns', () => {
  test('dotted paths come out under their last names or aliases', async () => {
    expect(await rows('f:app id:e1 s:m.user.id@user s:m.level s:event_message@msg')).toEqual([
      { msg: 'GET /users 500', level: 'error', user: 7 },
    ]);
  });

  test('without s: they are the fields of the filters, NULL where an event lacks them', async () => {
    expect(await rows('f:app -m.level:error -m.level:info')).toEqual([
      { level: 'warning' },
      { level: null },
    ]);
  });

  test('paths through a list give a row for each element, walked together', async () => {
    expect(await rows('f:app id:e1 s:id s:m.spans.name s:m.spans.ms')).toEqual([
      { id: 'e1', name: 'db', ms: 12 },
      { id: 'e1', name: 'http', ms: 30.5 },
    ]);
  });

  test('events that lack the path keep their row', async () => {
    expect(await rows('f:app plain s:id s:m.spans.name')).toEqual([{ id: 'e3', name: null }]);
  });

  test('objects and lists come out whole', async () => {
    expect(await rows('f:app id:e2 s:m.user s:m.tags')).toEqual([
      { user: { id: 8 }, tags: ['green'] },
    ]);
  });

  test('nothing asked for: the timestamps', async () => {
    expect(await rows('f:app')).toHaveLength(4);
    expect((await rows('f:app'))[0]).toEqual({ timestamp: expect.any(Number) });
  });
});

describe('charts', () => {
  const minute = (n: number): number => Date.UTC(2026, 1, 3, 9, n) * 1000;

  test('counts by minute, in order of time', async () => {
    expect(await bench.rows(ENDPOINT, { consumerLql: 'f:app c:count(*)' })).toEqual([
      { timestamp: minute(0), count: 1 },
      { timestamp: minute(1), count: 2 },
      { timestamp: minute(59), count: 1 },
    ]);
  });

  test.each([
    ['c:group_by(t::h)', 4],
    ['c:count(m.level)', 4],
    ['c:countd(m.level)', 3],
    ['c:sum(m.ms)', 505],
    ['c:avg(m.ms)', 252.5],
    ['c:max(m.ms)', 500],
    ['c:max(m.code)', 57014],
    ['c:p50(m.user.id)', 7],
    ['c:p99(m.user.id)', 8],
    ['c:sum(m.spans.ms)', 43.5],
    ['c:count(*) m.spans.name:db', 2],
    ['c:max(m.level)', null],
  ])('%s of the hour', async (chart, count) => {
    expect(await rows(`f:app c:group_by(t::hour) ${chart}`)).toEqual([
      { timestamp: minute(0), count },
    ]);
  });
});

describe('the compiler speaks about the LQL text', () => {
  test.each([
    ['f:app users s:nope', 'Field "nope" does not exist in app (line 1, column 15)'],
    ['f:app event_message:@>x', ':@> needs an array or a JSON value, not STRING'],
    [
      'f:app ~"a(?=b)"',
      'REGEXP_CONTAINS: the pattern is wrong at character 2, (?=b): RE2 cannot look',
    ],
    ['f:app event_message:~"["', 'its ] is missing'],
  ])('%s', async (lql, message) => {
    await expect(rows(lql)).rejects.toThrow(message);
  });

  test('a query also prints for Athena', () => {
    const compiled = bench.compile(ENDPOINT, {
      consumerLql: 'f:app m.tags:@>red',
      target: 'athena',
    });

    expect(compiled.text).toMatch(/^WITH app_\d+ AS /);
    expect(compiled.sources).toEqual(['events']);
  });

  test('a bound on the time keeps older partitions from being read', () => {
    const { text } = bench.compile(ENDPOINT, { consumerLql: 'f:app t:last@1h' });

    expect(text).toMatch("(dt > DATE '2026-02-03' OR (dt = DATE '2026-02-03' AND hour >= 7))");
  });

  test('a source cannot be reached, only the CTEs of the endpoint', async () => {
    await expect(rows('f:events')).rejects.toThrow(
      "Table 'events' not found in available CTEs: app, shaped",
    );
  });
});

describe('what the columns of a table cannot do is refused in words of LQL', () => {
  const typed = `with src as (select timestamp, true as flag, 1 as n, 'x' as word from events)
    select timestamp from src`;

  test.each([
    ['c:avg(timestamp)', 'TIMESTAMP cannot be read as FLOAT64'],
    ['flag:5', 'BOOL cannot be read as FLOAT64'],
    ['flag:1..2', 'BOOL cannot be read as FLOAT64'],
    ['n:abc', 'INT64 and STRING cannot be compared'],
    ['word:@>x', ':@> needs an array or a JSON value, not STRING'],
    ['nothing:1', 'Field "nothing" does not exist in src'],
  ])('%s', async (consumerLql, message) => {
    const refused = bench.rows(typed, { consumerLql });

    await expect(refused).rejects.toMatchObject({
      message: expect.stringContaining(message),
      column: expect.any(Number),
    });
    await expect(refused).rejects.not.toMatchObject({
      message: expect.stringMatching(/CAST|UNNEST/),
    });
  });
});
