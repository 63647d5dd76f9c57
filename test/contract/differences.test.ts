import { beforeAll, describe, expect, test } from 'vitest';
import { meaning, refusal } from '../sql/lql/support.ts';
import { sqlBench } from '../sql/support.ts';
import { ENDPOINT, EVENTS, expectRefusal } from './fixtures.ts';
import { watchedService } from './service.ts';

/** What the table "Facts of queries and management" of docs/compatibility.md says of Sluice. */
const bench = sqlBench(EVENTS);
const service = watchedService();

beforeAll(async () => {
  await service().sluice.createSource('logs');
});

describe('SQL', () => {
  test('13 a CTE that reads itself does not know its own name', () => {
    const sql = 'with src as (select a from my_table union select a from src) select a from src';

    expectRefusal(bench, [[sql]], { code: 'sql_unknown_table', says: "can't find source src" });
  });

  test('22 a table of a BigQuery project is none', () => {
    const sql = 'select a from `my-project.my_dataset.my_table`';

    expectRefusal(bench, [[sql]], {
      code: 'sql_unknown_table',
      says: "can't find source my-project.my_dataset.my_table",
    });
  });

  test('45 a list behind a comma is unnested', async () => {
    expect(await bench.rows('select id, x from my_table as t, t.col as x order by x')).toEqual([
      { id: 'm1', x: 'p' },
      { id: 'm1', x: 'q' },
      { id: 'm2', x: 'r' },
    ]);
  });

  test("76 a consumer's query with a WITH replaces ORDER BY and LIMIT too", async () => {
    const consumerSql = 'with x as (select a from src) select a from x order by a';

    expect(await bench.rows(ENDPOINT, { consumerSql })).toEqual([{ a: 3 }, { a: 6 }, { a: 9 }]);
  });
});

describe('calls', () => {
  test.each([
    { fact: 104, header: 'LF-ENDPOINT-LABELS', value: 'my_label=x', labels: 'my_label=@my_param' },
    { fact: 106, header: 'LF-ENDPOINT-BIGQUERY-RESERVATION', value: 'projects/p', labels: null },
  ])('$fact the header $header changes nothing', async ({ fact, header, value, labels }) => {
    const { sluice } = service();
    const { token } = await sluice.createEndpoint({
      name: `headers.${fact}`,
      query: 'select count(*) as n from logs',
      cache_duration_seconds: 60,
      labels,
    });
    const without = await sluice.query(token);

    const answer = await sluice.query(token, {}, { [header]: value });

    expect(answer.text).toBe(without.text);
    expect(answer.headers.get('Sluice-Cache')).toBe('hit');
  });

  test('111 rows outlive a refresh that fails, and say that they are stale', async () => {
    const { sluice, clock, engine } = service();
    const { token } = await sluice.createEndpoint({
      name: 'stale',
      query: 'select count(*) as n from logs',
      cache_duration_seconds: 60,
    });
    const first = await sluice.query(token);
    clock.advance(61);
    engine.failOnce(new Error('no answer'));

    const answer = await sluice.query(token);

    expect(answer.rows).toEqual(first.rows);
    expect(answer.headers.get('Sluice-Cache')).toBe('stale');
  });

  test('123 an endpoint over an endpoint over an endpoint reads the last', async () => {
    const { sluice } = service();
    await sluice.createEndpoint({ name: 'lowest', query: 'select 7 as n' });
    await sluice.createEndpoint({ name: 'middle', query: 'select n + 1 as n from lowest' });
    await sluice.createEndpoint({ name: 'highest', query: 'select n + 1 as n from middle' });

    expect(await sluice.rows('highest')).toEqual([{ n: 9 }]);
  });

  test('121 an alert is no table', async () => {
    const { sluice } = service();
    const made = await sluice.post('/api/alerts', {
      name: 'lowest_alert',
      query: 'select 7 as n',
      every_minutes: 60,
    });

    const answer = await sluice.post('/api/endpoints', {
      name: 'reads an alert',
      query: 'select n from lowest_alert',
    });

    expect(made.status).toBe(201);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('lowest_alert');
  });
});

describe('LQL', () => {
  test('144 clauses mean the same in any order', () => {
    expect(meaning('c:count(*) a:1 f:src c:group_by(t::hour)')).toBe(
      meaning('f:src a:1 c:count(*) c:group_by(t::hour)'),
    );
  });

  test('151 a value with a dash has to be quoted', () => {
    expect(meaning('cluster:"prod-c"')).toContain("cluster = 'prod-c'");
    expect(refusal('cluster:prod-c').message).toContain('-c');
  });
});

describe('management', () => {
  const ID = '00000000-0000-4000-8000-000000000000';

  test.each([
    { fact: 167, method: 'PATCH', path: `/api/backends/${ID}` },
    { fact: 168, method: 'PUT', path: `/api/teams/${ID}` },
  ])('$fact there is no $method $path', async ({ method, path }) => {
    const answer = await service().sluice.call(path, { method });

    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('162 what an engine refuses at GET /api/query is told, in our own words', async () => {
    const sql = "select cast(concat('1', 'x') as int64) + n as n from unnest([1]) n";
    const answer = await service().sluice.call(`/api/query?${new URLSearchParams({ sql })}`);

    expect(answer).toMatchObject({
      status: 400,
      body: { code: expect.stringMatching(/^(query|sql)_/) },
    });
    expect(answer.text).not.toMatch(/duckdb|conversion error/i);
  });
});
