import { describe, expect, test } from 'vitest';
import * as events from './support/events.ts';
import { shared, startService } from './support/server.ts';

const service = shared(startService);

/** Each source with the event that its product sends and the tables that show it. */
const SOURCES = [
  { source: 'cloudflare.logs.prod', event: events.edgeRequest, tables: ['edge_logs'] },
  {
    source: 'postgres.logs',
    event: events.postgresLog,
    tables: ['postgres_logs', 'database_logs'],
  },
  { source: 'deno-relay-logs', event: events.functionRequest, tables: ['function_edge_logs'] },
  { source: 'deno-subhosting-events', event: events.functionOutput, tables: ['function_logs'] },
  { source: 'gotrue.logs.prod', event: events.authLog, tables: ['auth_logs'] },
  { source: 'realtime.logs.prod', event: events.realtimeLog, tables: ['realtime_logs'] },
  { source: 'storage.logs.prod.2', event: events.storageLog, tables: ['storage_logs'] },
  {
    source: 'postgREST.logs.prod',
    event: events.postgrestLog,
    tables: ['postgrest_logs', 'rest_api_logs'],
  },
  {
    source: 'pgbouncer.logs.prod',
    event: events.pgbouncerLog,
    tables: ['pgbouncer_logs', 'pooler_logs'],
  },
];

const TABLES = SOURCES.flatMap(({ source, event, tables }) =>
  tables.map((table) => ({ source, event, table })),
);

describe.each(TABLES)('the table $table of logs.all', ({ source, event, table }) => {
  test(`shows an event of ${source} whole`, async () => {
    const { sluice } = service();
    const project = `whole-${table}`;
    const sent = event({ project, timestamp: '2026-02-03T04:05:06.789012Z' });
    await sluice.send(source, sent);

    const rows = await sluice.rows('logs.all', {
      project,
      sql: `select id, timestamp, event_message, metadata from ${table}`,
    });

    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        timestamp: Date.UTC(2026, 1, 3, 4, 5, 6, 789) * 1000 + 12,
        event_message: sent.event_message,
        metadata: sent.metadata,
      },
    ]);
  });

  test('gives the whole row to those who ask for it by the table, as Studio does', async () => {
    const { sluice } = service();
    const project = `row-${table}`;
    const sent = event({ project });
    await sluice.send(source, sent);

    const rows = await sluice.rows('logs.all', {
      project,
      sql: `select t.event_message, t as raw_log_data from ${table} as t`,
    });

    const { event_message, metadata } = sent;
    expect(rows).toMatchObject([{ event_message, raw_log_data: { event_message, metadata } }]);
  });

  test('never shows an event of another project', async () => {
    const { sluice } = service();
    const [mine, theirs] = [`mine-${table}`, `theirs-${table}`];
    const sql = `select event_message from ${table}`;
    await sluice.send(source, [
      event({ project: mine, message: 'mine' }),
      event({ project: theirs, message: 'theirs' }),
    ]);

    expect(await sluice.rows('logs.all', { project: mine, sql })).toEqual([
      { event_message: 'mine' },
    ]);
    expect(await sluice.rows('logs.all', { project: theirs, sql })).toEqual([
      { event_message: 'theirs' },
    ]);
  });

  test('begins after the start and ends with the end, to the microsecond', async () => {
    const { sluice } = service();
    const project = `bounded-${table}`;
    const times = [100, 101, 102, 103].map((us) => `2026-02-03T04:05:06.999${us}Z`);
    await sluice.send(
      source,
      times.map((timestamp) => event({ project, timestamp, message: timestamp })),
    );

    const rows = await sluice.rows('logs.all', {
      project,
      iso_timestamp_start: '2026-02-03T04:05:06.999100Z',
      iso_timestamp_end: '2026-02-03T04:05:06.999102Z',
      sql: `select event_message from ${table} order by timestamp`,
    });

    expect(rows.map((row) => row.event_message)).toEqual(times.slice(1, 3));
  });
});

describe('logs.all', () => {
  test.each(SOURCES)('shows an event of $source in $tables and nowhere else', async (shown) => {
    const { sluice } = service();
    const project = `only-${shown.source}`;
    await sluice.send(shown.source, shown.event({ project }));

    const rows = await sluice.rows('logs.all', {
      project,
      sql: TABLES.map(({ table }) => `select '${table}' as name from ${table}`).join(' union all '),
    });

    expect(rows.map(({ name }) => name).sort()).toEqual([...shown.tables].sort());
  });

  test('goes by the project beside the metadata, not by one within it', async () => {
    const { sluice } = service();
    await sluice.send('gotrue.logs.prod', events.authLog({ project: 'outer' }));

    const rows = await sluice.rows('logs.all', {
      project: 'instance-of-auth',
      sql: 'select id from auth_logs',
    });

    expect(rows).toEqual([]);
  });

  describe('with events at five past, six past and seven past', () => {
    const project = 'clockwork';
    const at = (minute: number) => `2026-02-03T04:0${minute}:00Z`;
    const all = [at(7), at(6), at(5)];

    test.each([
      { bounds: 'no bounds', parameters: {}, shown: all },
      {
        bounds: 'empty bounds',
        parameters: { iso_timestamp_start: '', iso_timestamp_end: '' },
        shown: all,
      },
      { bounds: 'a start only', parameters: { iso_timestamp_start: at(5) }, shown: [at(7), at(6)] },
      { bounds: 'an end only', parameters: { iso_timestamp_end: at(6) }, shown: [at(6), at(5)] },
      {
        bounds: 'a start and an empty end',
        parameters: { iso_timestamp_start: at(6), iso_timestamp_end: '' },
        shown: [at(7)],
      },
      {
        bounds: 'bounds with an offset',
        parameters: {
          iso_timestamp_start: '2026-02-03T06:05:00+02:00',
          iso_timestamp_end: '2026-02-02T23:06:00.000-05:00',
        },
        shown: [at(6)],
      },
      {
        bounds: 'bounds that leave nothing',
        parameters: { iso_timestamp_start: at(7), iso_timestamp_end: at(5) },
        shown: [],
      },
    ])('$bounds show $shown', async ({ bounds, parameters, shown }) => {
      const { sluice } = service();
      const own = `${project} ${bounds}`;
      await sluice.send(
        'cloudflare.logs.prod',
        [at(6), at(7), at(5)].map((timestamp) =>
          events.edgeRequest({ project: own, timestamp, message: timestamp }),
        ),
      );

      const rows = await sluice.rows('logs.all', { project: own, ...parameters });

      expect(rows.map((row) => row.event_message)).toEqual(shown);
    });
  });

  test('without a query of the caller gives the 100 newest requests at the edge', async () => {
    const { sluice } = service();
    const project = 'busy';
    const first = Date.UTC(2026, 1, 3);
    const times = Array.from({ length: 130 }, (_, second) => first + second * 1000);
    const sent = times.map((time) =>
      events.edgeRequest({ project, timestamp: new Date(time).toISOString() }),
    );
    await sluice.send('cloudflare.logs.prod', [...sent.slice(65), ...sent.slice(0, 65)]);

    const rows = await sluice.rows('logs.all', { project });

    expect(rows.map(({ timestamp }) => timestamp)).toEqual(
      times
        .slice(30)
        .reverse()
        .map((time) => time * 1000),
    );
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual([
      'event_message',
      'id',
      'metadata',
      'timestamp',
    ]);
  });

  test('gives a thousand rows at most, whatever limit the caller sets', async () => {
    const { sluice } = service();
    const project = 'endless';
    await sluice.send('postgREST.logs.prod', {
      batch: Array.from({ length: 1001 }, () => events.postgrestLog({ project })),
    });

    const rows = await sluice.rows('logs.all', {
      project,
      sql: 'select id from postgrest_logs limit 100000',
    });

    expect(rows).toHaveLength(1000);
  });
});
