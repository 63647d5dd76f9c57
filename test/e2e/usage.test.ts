import { beforeAll, describe, expect, test } from 'vitest';
import { edgeRequest } from './support/events.ts';
import { shared } from './support/server.ts';
import { startAt } from './support/stopped-clock.ts';

/** A time of day at which no hour and no minute begins. */
const NOW = '2026-02-03T14:25:36.789Z';

const service = shared((dataDirectory) => startAt(NOW, dataDirectory));

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const INTERVALS = [
  { interval: 'minutely', width: MINUTE, period: HOUR },
  { interval: 'hourly', width: HOUR, period: HOUR },
  { interval: 'daily', width: DAY, period: 7 * DAY },
];

interface Request {
  readonly time: number;
  readonly path: string;
}

/** Eight days of requests, the last hour of them dense, up to this moment. */
function traffic(now: number): Request[] {
  const paths = [
    '/rest/v1/orders',
    '/storage/v1/object/a.png',
    '/auth/v1/token',
    '/rest/v1/users',
    '/realtime/v1/websocket',
    '/functions/v1/send-mail',
    '/rest/v1/rpc/total',
  ];
  const spread = Array.from({ length: 300 }, (_, index) => now - index * 38 * MINUTE);
  const dense = Array.from({ length: 200 }, (_, index) => now - index * 19 * SECOND);
  return [...spread, ...dense].map((time, index) => ({
    time,
    path: paths[(index * index) % paths.length] ?? '',
  }));
}

/** The answer, computed by hand. */
function usageOf(requests: readonly Request[], now: number, width: number, period: number) {
  const recent = requests.filter(({ time }) => time >= now - period);
  const buckets = Map.groupBy(recent, ({ time }) => Math.floor(time / width) * width);
  return [...buckets]
    .sort(([a], [b]) => a - b)
    .map(([time, within]) => {
      const count = (product: string) => within.filter((r) => r.path.startsWith(product)).length;
      return {
        timestamp: new Date(time).toISOString().slice(0, 19),
        total_rest_requests: count('/rest/'),
        total_storage_requests: count('/storage/'),
        total_auth_requests: count('/auth/'),
        total_realtime_requests: count('/realtime/'),
      };
    });
}

test.each(INTERVALS)(
  'counts requests by product, $interval',
  async ({ interval, width, period }) => {
    const { sluice, clock } = service();
    const requests = traffic(clock.now());
    const project = `usage-${interval}`;
    await sluice.send('cloudflare.logs.prod', [
      ...requests.map(({ time, path }) =>
        edgeRequest({ project, path, timestamp: new Date(time).toISOString() }),
      ),
      edgeRequest({ project: 'somebody-else' }),
    ]);

    const rows = await sluice.rows('usage.api-counts', { project, interval });

    expect(rows).toEqual(usageOf(requests, clock.now(), width, period));
    expect(rows.length).toBeGreaterThan(1);
  },
);

test.each(INTERVALS)('$interval begins exactly one period ago', async ({ interval, period }) => {
  const { sluice, clock } = service();
  const project = `begin-${interval}`;
  const first = new Date(clock.now() - period).toISOString();
  const justBefore = new Date(clock.now() - period - 1).toISOString().replace('Z', '999Z');
  await sluice.send('cloudflare.logs.prod', [
    edgeRequest({ project, path: '/auth/v1/token', timestamp: first }),
    edgeRequest({ project, path: '/rest/v1/orders', timestamp: justBefore }),
  ]);

  const rows = await sluice.rows('usage.api-counts', { project, interval });

  expect(rows).toMatchObject([{ total_rest_requests: 0, total_auth_requests: 1 }]);
});

describe('the parameter project', () => {
  const urls = [
    'https://alpha.example.co/rest/v1/a',
    'https://alphaXexample.co/auth/v1/a',
    'https://beta.example.co/storage/v1/a',
    'https://other.test/rest/v1/realtime',
  ];
  const NONE = { rest: 0, storage: 0, auth: 0, realtime: 0 };

  beforeAll(async () => {
    const requests = urls.map((url) => ({ url, path: new URL(url).pathname }));
    await service().sluice.send('cloudflare.logs.prod', [
      ...requests.map((request) => ({ project: 'patterns', metadata: { request } })),
      { project: 'alpha', metadata: { project: 'alpha', request: { path: '/rest/v1/no-url' } } },
      { project: 'alpha', message: 'https://alpha.example.co/rest/v1/no-metadata' },
      { project: 'alpha', metadata: { request: { url: 404, path: '/rest/v1/url-is-no-text' } } },
    ]);
  });

  test.each([
    { project: 'alpha.example', counts: { ...NONE, rest: 1, auth: 1 } },
    { project: 'alpha\\.example', counts: { ...NONE, rest: 1 } },
    { project: 'alpha\\.|beta', counts: { ...NONE, rest: 1, storage: 1 } },
    { project: '^https://other', counts: { ...NONE, rest: 1, realtime: 1 } },
    { project: '/(?:rest|storage)/v1/a$', counts: { ...NONE, rest: 1, storage: 1 } },
    { project: '(?i)ALPHAx', counts: { ...NONE, auth: 1 } },
  ])('is found anywhere in the URL: $project', async ({ project, counts }) => {
    const [row] = await service().sluice.rows('usage.api-counts', { project, interval: 'hourly' });

    expect(row).toMatchObject({
      total_rest_requests: counts.rest,
      total_storage_requests: counts.storage,
      total_auth_requests: counts.auth,
      total_realtime_requests: counts.realtime,
    });
  });

  test.each(['patterns', 'no-url', 'no-metadata'])('is nothing but that: %s', async (project) => {
    const rows = await service().sluice.rows('usage.api-counts', { project, interval: 'hourly' });

    expect(rows).toEqual([]);
  });

  test('is answered from columns and no JSON', async () => {
    const answer = await service().sluice.query('usage.api-counts', {
      project: 'alpha',
      interval: 'daily',
      explain: 'true',
    });

    expect(answer.body).toMatchObject({
      explain: { scans: [{ columns: expect.not.arrayContaining(['metadata']) }] },
    });
  });
});

test('counts nothing where no URL matches', async () => {
  const { sluice } = service();

  const rows = await sluice.rows('usage.api-counts', { project: 'quiet', interval: 'daily' });

  expect(rows).toEqual([]);
});
