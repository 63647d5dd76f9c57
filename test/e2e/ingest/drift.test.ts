import { expect, test } from 'vitest';
import { shared, startService } from '../support/server.ts';

const service = shared(startService);

const WALK = `cross join unnest(metadata) as m cross join unnest(m.response) as response`;

test.each([
  {
    what: 'text for a status',
    stray: { metadata: { response: { status_code: 'oops' } } },
    source: 'cloudflare.logs.prod',
    table: 'edge_logs',
  },
  {
    what: 'a list for its metadata',
    stray: { metadata: [{ a: 1 }] },
    source: 'postgres.logs',
    table: 'postgres_logs',
  },
])('one event with $what leaves the numbers of others as they are', async (drift) => {
  const { sluice } = service();
  const { stray, source, table } = drift;
  const project = 'drifting';
  const statuses = [9, 10, 100, 500];
  await sluice.send(
    source,
    statuses.map((status) => ({ project, metadata: { response: { status_code: status } } })),
  );
  await sluice.send(source, { project: 'somebody-else', ...stray });

  const sorted = await sluice.rows('logs.all', {
    project,
    sql: `select response.status_code as n from ${table} ${WALK} order by n`,
  });
  const highest = await sluice.rows('logs.all', {
    project,
    sql: `select max(response.status_code) as n from ${table} ${WALK}`,
  });
  const bare = await sluice.query('logs.all', {
    project,
    sql: `select status_code from ${table} ${WALK}`,
  });

  expect.soft(sorted.map(({ n }) => n)).toEqual(statuses);
  expect.soft(highest).toEqual([{ n: 500 }]);
  expect.soft(bare.status, bare.text).toBe(200);
});

test('numbers where columns hold text are numbers: in SQL, in LQL and in the schema', async () => {
  const { sluice } = service();
  const source = await sluice.createSource('numbered');
  await sluice.createEndpoint({
    name: 'numbered.app',
    query: `with app as (select t.timestamp, t.metadata from numbered as t)
            select m.status, m.level from app cross join unnest(metadata) as m order by m.status`,
    sandboxable: true,
  });
  const statuses = [99, 1000, 200];
  await sluice.send(
    'numbered',
    statuses.map((status) => ({ metadata: { status, level: 30 } })),
  );

  const sorted = await sluice.rows('numbered.app');
  const highest = await sluice.rows('numbered.app', {
    sql: 'select max(m.status) as n from app cross join unnest(metadata) as m where m.level < 40',
  });
  const found = await sluice.rows('numbered.app', { lql: 's:m.status m.status:>=200 m.level:30' });
  const schema = await sluice.call(`/api/sources/${source.token}/schema?variant=dot`);

  expect(sorted.map(({ status }) => status)).toEqual([99, 200, 1000]);
  expect(highest).toEqual([{ n: 1000 }]);
  expect(found.map(({ status }) => status).toSorted()).toEqual([1000, 200]);
  expect(schema.body).toMatchObject({ 'metadata.status': 'integer', 'metadata.level': 'integer' });
});

test.each([
  'select cast(event_message as int64) as n from edge_logs',
  'select parse_json(event_message) as n from edge_logs',
  'select 1 / (length(event_message) - 5) as n from edge_logs',
])('what fails on the data is the caller’s to mend: %s', async (sql) => {
  const { sluice } = service();
  await sluice.send('cloudflare.logs.prod', { project: 'data', message: 'hello' });

  expect(await sluice.query('logs.all', { project: 'data', sql })).toMatchObject({ status: 400 });
});
