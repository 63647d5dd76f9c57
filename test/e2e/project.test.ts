import { beforeAll, describe, expect, test } from 'vitest';
import type { Source } from './support/client.ts';
import { shared, startService } from './support/server.ts';

/** The project of an event is `project`, else `metadata.project`, else `metadata.project_ref`. */

const service = shared(startService);

/** Bodies whose project becomes a field of the metadata. */
const FORMATS = [
  {
    format: 'any JSON',
    path: '/logs/json',
    body: (project: string): unknown => ({ project, level: 'info' }),
  },
  {
    format: 'a webhook of GitHub',
    path: '/logs/github',
    body: (project: string) => ({ project, action: 'labeled', sender: { login: 'u' } }),
  },
  {
    format: 'a drain of Vercel',
    path: '/logs/vercel',
    body: (project: string) => [
      { id: 'v', source: 'lambda', message: 'hi', timestamp: Date.now(), project },
    ],
  },
  {
    format: 'a drain of Netlify',
    path: '/logs/netlify',
    body: (project: string) => ({ log_type: 'function', timestamp: Date.now(), project }),
  },
  {
    format: 'Logpush',
    path: '/logs/cloudflare',
    type: 'text/plain',
    body: (project: string) =>
      [project, 'another'].map((name) => `${JSON.stringify({ project: name })}\n`).join(''),
  },
  {
    format: 'a report of a browser',
    path: '/logs/browser/reports',
    type: 'application/reports+json',
    body: (project: string) => [{ type: 'deprecation', project, body: { id: 'x' } }],
  },
  {
    format: 'an event of Vector',
    path: '/logs/vector',
    body: (project: string) => [{ message: 'hi', timestamp: new Date().toISOString(), project }],
  },
  {
    format: 'a batch of pino-logflare',
    path: '/api/logs',
    body: (project: string) => ({
      batch: [{ message: 'hi', metadata: { project, context: { pid: 7 } } }],
    }),
  },
  {
    format: 'a batch of winston-logflare',
    path: '/api/logs',
    body: (project: string) => ({
      batch: [{ message: 'hi', metadata: { level: 'info', project } }],
    }),
  },
];

test.each(FORMATS)(
  'logs.all finds the project of $format',
  async ({ path, body, type, format }) => {
    const { sluice } = service();
    const project = `shop of ${format}`;
    const headers = type === undefined ? {} : { 'Content-Type': type };

    const sent = await sluice.post(
      `${path}?source_name=cloudflare.logs.prod`,
      body(project),
      headers,
    );

    expect(sent).toMatchObject({ status: 200 });
    expect(await sluice.rows('logs.all', { project })).toMatchObject([{ metadata: { project } }]);
  },
);

describe('project', () => {
  const EVENTS = [
    { id: 'own', project: 'p', metadata: { project: 'other', project_ref: 'third' } },
    { id: 'inner', metadata: { project: 'p', project_ref: 'third' } },
    { id: 'reference', metadata: { project_ref: 'p' } },
    { id: 'past-empty', project: '', metadata: { project: null, project_ref: 'p' } },
    { id: 'past-object', project: { id: 'p' }, metadata: { project: ['p'], project_ref: 'p' } },
    { id: 'number', project: 42, metadata: { project: 'p' } },
    { id: 'inner-number', metadata: { project: 42 } },
    { id: 'none', metadata: { level: 'info' } },
  ];
  const OF_P = ['inner', 'own', 'past-empty', 'past-object', 'reference'];
  let source: Source;
  let routed: Source;

  beforeAll(async () => {
    const { sluice } = service();
    source = await sluice.createSource('projects');
    routed = await sluice.createSource('projects.routed');
    const rule = { source_id: source.token, lql_string: 'project:p', sink: routed.token };
    expect(await sluice.post('/api/rules', rule)).toMatchObject({ status: 201 });
    // Twice: the first time each event shows something new.
    for (const copy of ['a', 'b']) {
      await sluice.send(
        'projects',
        EVENTS.map((event) => ({ ...event, id: `${event.id} ${copy}` })),
      );
    }
    await sluice.createEndpoint({
      name: 'projects.app',
      query: `with app as (select t.id, t.timestamp, t.project, t.metadata from projects as t)
              select id, project from app order by id`,
      sandboxable: true,
    });
  });

  const ids = (rows: readonly { readonly id?: unknown }[]): unknown[] =>
    [...new Set(rows.map(({ id }) => String(id).split(' ')[0]))].toSorted();

  test('is one column in SQL, text whatever the event has', async () => {
    const rows = await service().sluice.rows('projects.app');

    const [own, number, none] = ['own a', 'number b', 'none b'].map((id) =>
      rows.find((row) => row.id === id),
    );
    expect([own, number, none]).toMatchObject([
      { project: 'p' },
      { project: '42' },
      { project: null },
    ]);
    expect(ids(rows.filter(({ project }) => project === 'p'))).toEqual(OF_P);
    expect(ids(rows.filter(({ project }) => project === '42'))).toEqual(['inner-number', 'number']);
  });

  test('leaves the metadata as it came', async () => {
    const [row] = await service().sluice.rows('projects.app', {
      sql: "select metadata from app where id = 'own a'",
    });

    expect(row).toEqual({ metadata: { project: 'other', project_ref: 'third' } });
  });

  test('is the same in LQL, in queries and where rules match events on arrival', async () => {
    const { sluice } = service();
    await sluice.createEndpoint({
      name: 'projects.copies',
      query: 'select id from `projects.routed`',
    });

    const found = await sluice.rows('projects.app', { lql: 's:id project:p' });
    const copies = await sluice.rows('projects.copies');
    const without = await sluice.rows('projects.app', { lql: 's:id project:NULL' });

    expect(ids(found)).toEqual(OF_P);
    expect(copies).toHaveLength(2 * OF_P.length);
    expect(ids(copies)).toEqual(OF_P);
    expect(ids(without)).toEqual(['none']);
  });
});

test.each([
  ['deno-subhosting-events', 'function_logs', { project_ref: 42 }],
  ['realtime.logs.prod', 'realtime_logs', { project: 42 }],
])('a number in the metadata of %s is found by its text in %s', async (source, table, metadata) => {
  const { sluice } = service();
  await sluice.send(source, { metadata });

  const rows = await sluice.rows('logs.all', {
    project: '42',
    sql: `select metadata from ${table}`,
  });

  expect(rows).toEqual([{ metadata }]);
});
