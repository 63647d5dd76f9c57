import { beforeAll, describe, expect, test } from 'vitest';
import { parameterNames } from '../../src/sql/compile.ts';
import { ADMIN_KEY } from '../e2e/support/server.ts';
import { getWithBody } from '../http/routes/query/get-with-body.ts';
import { sqlBench } from '../sql/support.ts';
import { watchedService } from './service.ts';

describe('parameters of a text', () => {
  test.each<{ fact: number; what: string; sql: string; names: string[] }>([
    {
      fact: 82,
      what: 'are the names behind @',
      sql: 'select old.a from old where @test = 123',
      names: ['test'],
    },
    {
      fact: 83,
      what: 'are found inside of calls, each once',
      sql: "select `some.function`((case when @c = 'a' then 1 end), (case when @c = 'b' then 2 end)) as d",
      names: ['c'],
    },
    {
      fact: 84,
      what: 'are found in a CTE that nothing reads',
      sql: 'with q as (select @c from old) select 1',
      names: ['c'],
    },
    {
      fact: 87,
      what: 'are none in strings and comments',
      sql: 'select \'@a\', "@b" -- @c\n /* @d */ # @e',
      names: [],
    },
  ])('$fact $what', ({ sql, names }) => {
    expect(parameterNames(sql)).toEqual(names);
  });

  const bench = sqlBench({});

  test('85 have their value at every place, also where one name begins another', async () => {
    const parameters = {
      test: { type: 'string', value: 'b' },
      test_another: { type: 'string', value: 'a' },
    } as const;
    const sql = `select @test as x, @test_another as y, coalesce(@test, '') > @test as z,
      @test > @test_another as later`;

    expect(parameterNames(sql)).toEqual(['test', 'test_another']);
    expect(await bench.rows(sql, { parameters })).toEqual([
      { x: 'b', y: 'a', z: false, later: true },
    ]);
  });
});

const service = watchedService();

const EVENTS = [
  { message: 'first', level: 'error', value: 'a' },
  { message: 'second', level: 'info', value: 'b' },
];

const query =
  'with src as (select timestamp, level, value from `calls`) select count(*) as n from src';
const three = `
  with first_cte as (select level as col1 from \`calls\`),
    second_cte as (select concat(level, '!') as col2 from \`calls\`),
    final_data as (select count(*) as col3 from \`calls\`)
  select col3 from final_data`;

const SANDBOX = '/api/endpoints/query/calls.sandbox';

beforeAll(async () => {
  const { sluice } = service();
  await sluice.createSource('calls');
  await sluice.send('calls', EVENTS);
  await sluice.createEndpoint({ name: 'calls.sandbox', query, sandboxable: true });
  await sluice.createEndpoint({ name: 'calls.three', query: three, sandboxable: true });
});

describe('a call', () => {
  test('86 goes on without a parameter, which is NULL then', async () => {
    const { sluice } = service();
    const sql = 'select count(*) as n from `calls` where @level is null or level = @level';
    await sluice.createEndpoint({ name: 'calls.level', query: sql });

    expect(await sluice.rows('calls.level')).toEqual([{ n: 2 }]);
    expect(await sluice.rows('calls.level', { level: 'info' })).toEqual([{ n: 1 }]);
  });

  test('79 leaves out the sql of a caller where the endpoint takes none', async () => {
    const { sluice } = service();
    await sluice.createEndpoint({ name: 'calls.closed', query });

    expect(await sluice.rows('calls.closed', { sql: 'select 2 as two' })).toEqual([{ n: 2 }]);
  });

  test("80 may use the endpoint's parameters in its sql, and no others", async () => {
    const { sluice } = service();
    const sql = 'with src as (select level from `calls` where level = @p) select level from src';
    await sluice.createEndpoint({ name: 'calls.bound', query: sql, sandboxable: true });

    const bound = await sluice.rows('calls.bound', { p: 'info', sql: 'select @p as p from src' });
    const unbound = await sluice.query('calls.bound', { q: 'x', sql: 'select @q as q from src' });

    expect(bound).toEqual([{ p: 'info' }]);
    expect(unbound).toMatchObject({
      status: 400,
      body: { code: 'unknown_parameter', error: expect.stringContaining('@q') },
    });
  });

  test('81 cannot read another endpoint in its sql', async () => {
    const answer = await service().sluice.query('calls.sandbox', {
      sql: 'select col3 from `calls.three`',
    });

    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'sql_unknown_table', error: expect.stringContaining('calls, three') },
    });
  });

  test('88 may be a GET with the sql in a JSON body', async () => {
    const { sluice } = service();

    const answer = await getWithBody(`${sluice.url}${SANDBOX}`, {
      headers: { 'X-API-KEY': ADMIN_KEY },
      body: '{"sql":"select 2 as two"}',
    });

    expect(answer).toEqual({ status: 200, body: { result: [{ two: 2 }] } });
  });

  test('89 may be a POST with the sql in a JSON body', async () => {
    const { rows } = await service().sluice.post(SANDBOX, { sql: 'select 2 as two' });

    expect(rows).toEqual([{ two: 2 }]);
  });

  test('91 with sql and lql runs the sql', async () => {
    const both = { sql: 'select 2 as two', lql: 's:level' };

    expect(await service().sluice.rows('calls.sandbox', both)).toEqual([{ two: 2 }]);
  });
});

describe('a call with LQL', () => {
  test('90 runs it over the table of the endpoint, by GET and by POST', async () => {
    const { sluice } = service();
    const lql = 's:level s:value level:error';
    const expected = [{ level: 'error', value: 'a' }];

    expect(await sluice.rows('calls.sandbox', { lql })).toEqual(expected);
    expect((await sluice.post(SANDBOX, { lql })).rows).toEqual(expected);
  });

  test('92 has to say which of several tables it means', async () => {
    const answer = await service().sluice.query('calls.three', { lql: 's:col1' });

    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'lql_unknown_table',
        error: expect.stringContaining(
          'Multiple CTEs available (first_cte, second_cte, final_data)',
        ),
      },
    });
  });

  test('93 reads the table that f: names, whatever the endpoint itself reads', async () => {
    const rows = await service().sluice.rows('calls.three', { lql: 'f:second_cte s:col2' });

    expect(rows.map(({ col2 }) => col2).sort()).toEqual(['error!', 'info!']);
  });

  test('94 may name the only table too', async () => {
    const rows = await service().sluice.rows('calls.sandbox', {
      lql: 'from:src s:value level:info',
    });

    expect(rows).toEqual([{ value: 'b' }]);
  });

  test('95 cannot read a table that the endpoint lacks', async () => {
    const answer = await service().sluice.query('calls.three', { lql: 'f:nonexistent s:col1' });

    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'lql_unknown_table', error: expect.stringContaining("'nonexistent'") },
    });
  });

  test('96 draws a chart of the timestamps', async () => {
    const { sluice, clock } = service();
    const minute = Math.floor(clock.now() / 60_000) * 60_000_000;

    const { rows } = await sluice.post(SANDBOX, { lql: 'c:count(*) c:group_by(t::minute)' });

    expect(rows).toEqual([{ timestamp: minute, count: 2 }]);
  });
});
