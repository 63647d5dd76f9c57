import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { namedQueries } from '../../lib/query/athena-named-queries.ts';
import { JsonType } from '../../src/lake/schema/schema.ts';
import type { WireRow } from '../../src/platform/execution.ts';
import { EDGE, POSTGRES } from './support/analysts-events.ts';
import { AnalystsLake } from './support/analysts-lake.ts';
import { TrinoClient } from './trino/client.ts';

let lake: AnalystsLake;
beforeAll(async () => {
  lake = await AnalystsLake.open(new TrinoClient(inject('trino')));
}, 120_000);
afterAll(() => lake?.close());

/** Texts are run as they are, but for the day that they call today. */
const onThatDay = (sql: string): string => sql.replaceAll('current_date', "DATE '2026-02-03'");

const SAVED: Readonly<Record<string, readonly WireRow[]>> = {
  duplicates: [['postgres.logs', 'p2', '1770095956000000', '2']],
  'errors-per-hour': [
    ['2026-02-02 22:00:00.000', '3', '1'],
    ['2026-02-02 23:00:00.000', '1', '0'],
    ['2026-02-03 08:00:00.000', '1', '0'],
  ],
  'late-arrivals': [
    ['cloudflare.logs.prod', '1', '5', '32429'],
    ['postgres.logs', '1', '3', '15644'],
  ],
  'field-values': [
    ['Berlin', '2'],
    ['Köln', '2'],
    ['Bonn', '1'],
  ],
  'newest-events': [
    [
      '2026-02-03 08:09:30.123',
      'e4',
      'acme',
      'GET | 200 | /slow',
      request('/slow', 'Köln', 200, 1100),
    ],
    ['2026-02-02 23:09:30.123', 'late', 'acme', 'GET | 200 | /a', request('/a', 'Bonn', 200, 20)],
    [
      '2026-02-02 22:49:03.123',
      'e3',
      'acme',
      'GET | 500 | /slow',
      request('/slow', 'Köln', 500, 900),
    ],
    ['2026-02-02 22:49:02.123', 'e2', 'acme', 'GET | 200 | /a', request('/a', 'Berlin', 200, 30)],
    ['2026-02-02 22:49:01.123', 'e1', 'acme', 'GET | 200 | /a', request('/a', 'Berlin', 200, 10)],
  ],
  'size-per-source': [
    ['cloudflare.logs.prod', '2026-02-02', '3', '462'],
    ['cloudflare.logs.prod', '2026-02-03', '2', '284'],
    ['postgres.logs', '2026-02-03', '3', '209'],
  ],
  'slow-requests': [
    ['GET', '/slow', '2', '1100', '1100', '1100'],
    ['GET', '/a', '3', '20', '30', '30'],
  ],
};

/** The SQL of `docs/analysts.md` in order, by the heading above it. */
const DOCUMENTED: readonly [heading: string, rows: readonly WireRow[]][] = [
  [
    'The views',
    [
      ['cloudflare.logs.prod', 'cloudflare_logs_prod'],
      ['postgres.logs', 'postgres_logs'],
    ],
  ],
  [
    'Time, and what a query costs',
    [
      ['2026-02-02 22:49:01.123', 'e1', '200'],
      ['2026-02-02 22:49:02.123', 'e2', '200'],
      ['2026-02-02 22:49:03.123', 'e3', '500'],
      ['2026-02-02 23:09:30.123', 'late', '200'],
    ],
  ],
  [
    'Time, and what a query costs',
    [
      ['2026-02-02 22:00:00.000', '3'],
      ['2026-02-02 23:00:00.000', '1'],
      ['2026-02-03 08:00:00.000', '1'],
    ],
  ],
  [
    'Time, and what a query costs',
    [
      ['2026-02-02', '3'],
      ['2026-02-03', '2'],
    ],
  ],
  [
    'Fields and JSON',
    [
      ['Köln', '1100'],
      ['Berlin', '30'],
      ['Bonn', '20'],
    ],
  ],
  [
    'Fields and JSON',
    [
      ['beta', '1'],
      ['eu', '2'],
    ],
  ],
  ['Duplicates', [['3', '2']]],
  [
    'Duplicates',
    [
      ['p1', '2026-02-03 05:19:15.000', 'LOG: statement'],
      ['p2', '2026-02-03 05:19:16.000', 'ERROR: statement'],
    ],
  ],
  [
    'Across sources',
    [
      ['cloudflare.logs.prod', '5', '2026-02-03 08:09:30.123'],
      ['postgres.logs', '3', '2026-02-03 05:19:16.000'],
    ],
  ],
  ['With tables of your own', [['Payments', '3']]],
];

const EXAMPLES = readFileSync(new URL('../../docs/analysts.md', import.meta.url), 'utf8')
  .split(/^## /m)
  .flatMap((section) =>
    [...section.matchAll(/^```sql\n([\s\S]+?)^```$/gm)].map(([, sql = '']) => ({
      heading: section.slice(0, section.indexOf('\n')),
      sql,
    })),
  );

describe.each([
  ['before anything is compacted', undefined],
  ['when half of it is', '2026-02-03T06:00:00Z'],
])('%s', (_when, watermark) => {
  beforeAll(async () => {
    lake.watermark = watermark;
    await lake.sync();
  });

  test.each(namedQueries())('the saved query "$name" gives its rows', async ({ id, text }) => {
    expect(await lake.rows(onThatDay(text))).toEqual(SAVED[id]);
  });

  test.each(DOCUMENTED.map(([heading, rows], i) => ({ heading, rows, example: EXAMPLES[i] })))(
    'an example of "$heading" in docs/analysts.md gives its rows',
    async ({ heading, rows, example }) => {
      expect(example?.heading).toBe(heading);
      expect(await lake.rows(onThatDay(example?.sql ?? ''))).toEqual(rows);
    },
  );

  test('no example of docs/analysts.md is left out', () => {
    expect(EXAMPLES.map(({ heading }) => heading)).toEqual(DOCUMENTED.map(([heading]) => heading));
  });

  test('the view of a source has the fields that its events have shown', async () => {
    const columns = await lake.rows('SHOW COLUMNS FROM postgres_logs');

    expect(columns.map(([name, type]) => `${name} ${type}`)).toEqual([
      'id varchar',
      'timestamp timestamp(6)',
      'timestamp_us bigint',
      'event_message varchar',
      'project varchar',
      'parsed_error_severity varchar',
      'parsed_user_name varchar',
      'metadata varchar',
      'body varchar',
      'ingested_at timestamp(6)',
      'dt date',
      'hour integer',
    ]);
  });
});

describe('the views move on with compaction', () => {
  test('copies that it dropped are gone, and every event is there once', async () => {
    lake.watermark = '2026-02-03T10:00:00Z';
    expect(await lake.sync()).toEqual({ replaced: 1, dropped: 0, left: 0 });

    expect(await lake.rows('SELECT id FROM events ORDER BY id')).toEqual(
      ['e1', 'e2', 'e3', 'e4', 'late', 'p1', 'p2'].map((id) => [id]),
    );
  });
});

describe('of compacted events a query reads', () => {
  test.each([
    ['all', 'true', 7],
    ['those of the days of arrival', "dt >= DATE '2026-02-03'", 4],
    ['those of the days of the events', `"timestamp" >= TIMESTAMP '2026-02-03 00:00'`, 3],
    ['those of the source', `source_id = '${POSTGRES}'`, 2],
  ])('%s that it asks for', async (_which, condition, rows) => {
    expect(await lake.rowsRead(`SELECT id FROM events WHERE ${condition}`)).toBe(rows);
  });
});

describe('the views of sources', () => {
  test('follow names, and go with their sources', async () => {
    lake.rename(EDGE, 'select');
    lake.rename(POSTGRES, 'Events');
    expect(await lake.sync()).toMatchObject({ dropped: 2 });

    expect(await lake.rows('SELECT count(*) FROM "select"')).toEqual([['5']]);
    expect(await lake.rows('SELECT count(*) FROM events_bbbbbbbb')).toEqual([['2']]);
    await expect(lake.rows('SELECT 1 FROM postgres_logs')).rejects.toThrow('TABLE_NOT_FOUND');

    lake.rename(EDGE, 'cloudflare.logs.prod');
    lake.remove(POSTGRES);
    expect(await lake.sync()).toMatchObject({ dropped: 2 });
    expect((await lake.rows('SHOW TABLES')).flat()).toEqual(
      expect.arrayContaining(['cloudflare_logs_prod', 'events', 'sources']),
    );
    await expect(lake.rows('SELECT 1 FROM events_bbbbbbbb')).rejects.toThrow('TABLE_NOT_FOUND');
  });

  test('are listed under any name that a source may have', async () => {
    const name = `it's "q"; DROP VIEW events -- \\ \u{1f680} 日本`;
    lake.rename(EDGE, name);
    await lake.sync();

    const [listed] = await lake.rows(`SELECT name, view_name FROM sources`);
    expect(listed?.[0]).toBe(name);
    expect(await lake.rows(`SELECT count(*) FROM ${listed?.[1]}`)).toEqual([['5']]);

    lake.rename(EDGE, 'cloudflare.logs.prod');
    await lake.sync();
  });

  test('never take the place of a table', async () => {
    lake.rename(EDGE, 'analysts_landing');

    await expect(lake.sync()).rejects.toMatchObject({ code: 'views_incomplete' });

    lake.rename(EDGE, 'cloudflare.logs.prod');
    await lake.sync();
    expect(await lake.rows('SELECT count(*) FROM analysts_landing')).toEqual([['8']]);
  });
});

test('the type of a column follows what events show later, and the values stay', async () => {
  const { slots } = await lake.schemas.schema(EDGE);
  await lake.schemas.learn(EDGE, {
    // Of numbers with fractions, of texts and numbers, and of texts and a type that got no slot.
    'metadata.response.origin_time': JsonType.float,
    'metadata.response.status_code': JsonType.string,
    'metadata.request.path': JsonType.bool,
    'metadata.cached': JsonType.bool,
  });
  await lake.schemas.assignSlots(EDGE, slots, [
    'metadata.response.status_code=string',
    'metadata.cached=boolean',
  ]);
  await lake.sync();

  const rows = await lake.rows(
    `SELECT response_origin_time, response_status_code, request_path, cached,
      typeof(response_origin_time), typeof(response_status_code), typeof(request_path), typeof(cached)
    FROM cloudflare_logs_prod WHERE id = 'e3'`,
  );

  expect(rows).toEqual([['900', '500', '/slow', null, 'double', 'varchar', 'varchar', 'boolean']]);
});

describe('files that a query need not read', () => {
  const BOUNDED = "SELECT id FROM cloudflare_logs_prod WHERE dt >= DATE '2026-02-03' ORDER BY id";
  const ALL = 'SELECT id FROM cloudflare_logs_prod ORDER BY id';

  test('may be broken: those of other days, and those of compacted hours', async () => {
    await lake.breakFiles('2026-02-02');

    lake.watermark = undefined;
    await lake.sync();
    expect(await lake.rows(BOUNDED)).toEqual([['e4'], ['late']]);
    await expect(lake.rows(ALL)).rejects.toThrow('HIVE_');

    lake.watermark = '2026-02-03T06:00:00Z';
    await lake.sync();
    expect(await lake.rows(ALL)).toEqual([['e1'], ['e2'], ['e3'], ['e4'], ['late']]);
  });
});

/** `metadata` as the lake keeps it. */
function request(path: string, city: string, status: number, ms: number): string {
  return JSON.stringify({
    request: { method: 'GET', path, cf: { city, country: 'DE' } },
    response: { status_code: status, origin_time: ms },
  });
}
