import { expect, test } from 'vitest';
import { edgeRequest } from './support/events.ts';
import { shared, startService } from './support/server.ts';

const service = shared(startService);

const MINUTE_MS = 60_000;

/** What a dashboard asks to draw requests and errors over time. */
const CHART = `
  select timestamp_trunc(timestamp, minute) as timestamp,
    count(*) as count,
    countif(response.status_code >= 500) as errors
  from edge_logs
    cross join unnest(metadata) as m
    cross join unnest(m.request) as request
    cross join unnest(m.response) as response
  where regexp_contains(request.path, '/rest/v1')
  group by timestamp
  order by timestamp desc`;

interface Request {
  readonly time: number;
  readonly path: string;
  readonly status: number;
}

/** Bursts of requests in a handful of minutes that lie seconds, hours and days apart. */
function traffic(): Request[] {
  const paths = ['/rest/v1/orders', '/rest/v1/users', '/storage/v1/object/a', '/auth/v1/token'];
  const statuses = [200, 201, 404, 499, 500, 503];
  const last = Date.UTC(2026, 1, 3, 23, 59, 59, 999);
  const minutesAgo = [0, 1, 2, 3, 59, 60, 61, 24 * 60, 3 * 24 * 60 + 17];
  return minutesAgo.flatMap((minutes, burst) =>
    Array.from({ length: 11 + burst }, (_, index) => ({
      time: last - minutes * MINUTE_MS - index * 5_431,
      path: paths[(burst + index) % paths.length] ?? '',
      status: statuses[(burst * 7 + index * 5) % statuses.length] ?? 0,
    })),
  );
}

/** The chart's rows, computed by hand. */
function chartOf(requests: readonly Request[]) {
  const rest = requests.filter(({ path }) => path.includes('/rest/v1'));
  const byMinute = Map.groupBy(rest, ({ time }) => Math.floor(time / MINUTE_MS) * MINUTE_MS);
  return [...byMinute]
    .sort(([a], [b]) => b - a)
    .map(([minute, within]) => ({
      timestamp: minute * 1000,
      count: within.length,
      errors: within.filter(({ status }) => status >= 500).length,
    }));
}

function events(project: string, requests: readonly Request[]) {
  return requests.map(({ time, path, status }) =>
    edgeRequest({ project, path, status, timestamp: new Date(time).toISOString() }),
  );
}

test('a chart counts requests and errors by minute', async () => {
  const { sluice } = service();
  const requests = traffic();
  await sluice.send('cloudflare.logs.prod', events('chart', requests));

  const rows = await sluice.rows('logs.all', { project: 'chart', sql: CHART });

  expect(rows).toEqual(chartOf(requests));
  expect(rows.length).toBeGreaterThan(9);
  expect(rows.some(({ errors }) => errors !== 0)).toBe(true);
});

test('a chart of a period counts what lies in it', async () => {
  const { sluice } = service();
  const requests = traffic();
  await sluice.send('cloudflare.logs.prod', events('period', requests));
  const start = Date.UTC(2026, 1, 3, 22, 58, 30);
  const end = Date.UTC(2026, 1, 3, 23, 57, 30);

  const rows = await sluice.rows('logs.all', {
    project: 'period',
    iso_timestamp_start: new Date(start).toISOString(),
    iso_timestamp_end: new Date(end).toISOString(),
    sql: CHART,
  });

  const within = requests.filter(({ time }) => time > start && time <= end);
  expect(rows).toEqual(chartOf(within));
  expect(within.length).toBeGreaterThan(0);
  expect(within.length).toBeLessThan(requests.length);
});

test('a chart leaves out requests that were never answered', async () => {
  const { sluice } = service();
  const requests = traffic().slice(0, 11);
  const unanswered = {
    project: 'unanswered',
    timestamp: new Date(requests[0]?.time ?? 0).toISOString(),
    metadata: { request: { method: 'GET', path: '/rest/v1/orders' } },
  };
  await sluice.send('cloudflare.logs.prod', [...events('unanswered', requests), unanswered]);

  const rows = await sluice.rows('logs.all', { project: 'unanswered', sql: CHART });

  expect(rows).toEqual(chartOf(requests));
});

test('a chart goes on when a status turns up as text', async () => {
  const { sluice } = service();
  const requests = traffic().slice(0, 11);
  const drifted = edgeRequest({ project: 'drift', timestamp: '2026-02-04T00:00:00Z' });
  await sluice.send('cloudflare.logs.prod', [
    ...events('drift', requests),
    { ...drifted, metadata: { ...drifted.metadata, response: { status_code: 'timeout' } } },
  ]);

  const rows = await sluice.rows('logs.all', { project: 'drift', sql: CHART });

  expect(rows).toEqual([
    { timestamp: Date.UTC(2026, 1, 4) * 1000, count: 1, errors: 0 },
    ...chartOf(requests),
  ]);
});
