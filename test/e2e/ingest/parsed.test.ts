import { beforeAll, describe, expect, test } from 'vitest';
import { shared, startService } from '../support/server.ts';

const service = shared(startService);

const RECENT = `
  with recent as (
    select t.id, t.timestamp, m.weight, m.tags, m.at, array_length([1, 2]) as two,
      [struct(m.weight as code, 'x' as label)] as pairs, null as nothing
    from \`shop.visits\` as t cross join unnest(t.metadata) as m
  ),
  counted as (select count(*) as n, avg(weight) as mean from recent)
  select weight, tags, @suffix as suffix from recent where weight >= @least`;

interface Parsed {
  readonly parsed: Readonly<Record<string, unknown>>;
}

let visits: { token: string };

beforeAll(async () => {
  const { sluice } = service();
  visits = await sluice.createSource('shop.visits');
  await sluice.send('shop.visits', { metadata: { weight: 200, tags: ['a'], at: { x: 1.5 } } });
  await service().settle();
});

const show = async (token: string) =>
  (await service().sluice.call(`/api/endpoints/${token}`)).body as Parsed;

describe('the parsed form of a saved query', () => {
  test('says what it takes, shows and reads', async () => {
    const { token } = await service().sluice.createEndpoint({
      name: 'visits.recent',
      query: RECENT,
      sandboxable: true,
      parameters: [{ name: 'least', type: 'int64', default: 0, description: 'Lowest weight' }],
    });

    expect((await show(token)).parsed).toEqual({
      parameters: [
        { name: 'least', type: 'int64', required: false, default: 0, description: 'Lowest weight' },
        { name: 'suffix', type: 'string', required: false },
      ],
      sources: [{ name: 'shop.visits', token: visits.token }],
      endpoints: [],
      columns: [
        { name: 'weight', type: 'INT64' },
        { name: 'tags', type: 'JSON' },
        { name: 'suffix', type: 'STRING' },
      ],
      tables: [
        {
          name: 'recent',
          columns: [
            { name: 'id', type: 'STRING' },
            { name: 'timestamp', type: 'TIMESTAMP' },
            { name: 'weight', type: 'INT64' },
            { name: 'tags', type: 'JSON' },
            { name: 'at', type: 'JSON' },
            { name: 'two', type: 'INT64' },
            { name: 'pairs', type: 'ARRAY<STRUCT<code INT64, label STRING>>' },
            { name: 'nothing', type: 'INT64' },
          ],
        },
        {
          name: 'counted',
          columns: [
            { name: 'n', type: 'INT64' },
            { name: 'mean', type: 'FLOAT64' },
          ],
        },
      ],
      truncated: false,
    });
  });

  test('is in answers to POST, PUT and GET, one by one and in the list', async () => {
    const { sluice } = service();
    const made = await sluice.post('/api/endpoints', {
      name: 'visits.one',
      query: 'select 1 as n',
    });
    const { token } = made.body as { token: string };

    const changed = await sluice.call(`/api/endpoints/${token}`, { method: 'PUT', body: {} });
    const list = (await sluice.call('/api/endpoints')).body as (Parsed & { token: string })[];

    const listed = list.find((endpoint) => endpoint.token === token);
    const expected = { columns: [{ name: 'n', type: 'INT64' }], tables: [], sources: [] };
    for (const body of [made.body, changed.body, await show(token), listed]) {
      expect(body).toMatchObject({ parsed: expected });
    }
  });

  test('names what the endpoints that it reads take and read', async () => {
    const { sluice } = service();
    const inner = await sluice.createEndpoint({
      name: 'visits.inner',
      query: 'select id, m.weight from `shop.visits` as t, unnest(t.metadata) as m where @a = id',
      parameters: [{ name: 'a', required: true }],
    });

    const { token } = await sluice.createEndpoint({
      name: 'visits.outer',
      query: 'select weight, @b as b from `visits.inner`',
    });

    expect((await show(token)).parsed).toMatchObject({
      parameters: [
        { name: 'a', type: 'string', required: true },
        { name: 'b', type: 'string', required: false },
      ],
      sources: [{ name: 'shop.visits', token: visits.token }],
      endpoints: [{ name: 'visits.inner', token: inner.token }],
      columns: [
        { name: 'weight', type: 'INT64' },
        { name: 'b', type: 'STRING' },
      ],
    });
  });

  test('has the types that were known when the query was saved last', async () => {
    const { sluice } = service();
    await sluice.createSource('shop.growing');
    await sluice.send('shop.growing', { metadata: { took: 1 } });
    await service().settle();
    const { token } = await sluice.createEndpoint({
      name: 'growing',
      query: 'select m.took, m.later from `shop.growing` as t, unnest(t.metadata) as m',
    });
    const took = async () => (await show(token)).parsed.columns;
    const first = await took();

    await sluice.send('shop.growing', { metadata: { took: 1.5, later: true } });
    await service().settle();
    const second = await took();
    await sluice.call(`/api/endpoints/${token}`, { method: 'PATCH', body: {} });
    await service().settle();
    const third = await took();

    const types = (...of: string[]) =>
      ['took', 'later'].map((name, index) => ({ name, type: of[index] }));
    expect([first, second, third]).toEqual([
      types('INT64', 'JSON'),
      types('INT64', 'JSON'),
      types('FLOAT64', 'BOOL'),
    ]);
  });

  test('is there for the queries that are shipped', async () => {
    const list = (await service().sluice.call('/api/endpoints')).body as (Parsed & {
      name: string;
    })[];

    const logs = list.find(({ name }) => name === 'logs.all');

    expect(logs?.parsed).toMatchObject({
      parameters: [
        { name: 'project', required: true },
        { name: 'iso_timestamp_start' },
        { name: 'iso_timestamp_end' },
      ],
      sources: expect.arrayContaining([{ name: 'postgres.logs', token: expect.any(String) }]),
      tables: expect.arrayContaining([
        {
          name: 'edge_logs',
          columns: expect.arrayContaining([{ name: 'timestamp', type: 'TIMESTAMP' }]),
        },
      ]),
      truncated: false,
    });
  });

  test('is cut where there is more than its item has room for', async () => {
    const columns = Array.from({ length: 3_000 }, (_, index) => `${index} as column_${index}`);

    const { token } = await service().sluice.createEndpoint({
      name: 'wide',
      query: `with wide as (select ${columns.join(', ')}) select column_0 from wide`,
    });

    const { parsed } = await show(token);
    const [wide] = parsed.tables as { columns: unknown[] }[];
    expect(parsed).toMatchObject({ truncated: true, columns: [{ name: 'column_0' }] });
    expect(wide?.columns[0]).toEqual({ name: 'column_0', type: 'INT64' });
    expect(wide?.columns.length).toBeLessThan(3_000);
    expect(JSON.stringify(parsed).length).toBeLessThan(70_000);
  });
});
