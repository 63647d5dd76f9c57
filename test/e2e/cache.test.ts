import { expect, test } from 'vitest';
import type { Answer, Client } from './support/client.ts';
import { edgeRequest } from './support/events.ts';
import { shared } from './support/server.ts';
import { startAt } from './support/stopped-clock.ts';

/** `usage.api-counts` is cached for 900 seconds and warmed every 300. */
const service = shared((dataDirectory) => startAt('2026-02-03T14:25:36.789Z', dataDirectory));

const request = (sluice: Client, project: string) =>
  sluice.send('cloudflare.logs.prod', edgeRequest({ project, path: '/rest/v1/orders' }));

const usage = (sluice: Client, project: string, headers = {}) =>
  sluice.query('usage.api-counts', { project, interval: 'daily' }, headers);

/** How many requests an answer counts, and what it says about its age. */
function seen({ rows, headers }: Answer) {
  return {
    requests: rows[0]?.total_rest_requests,
    cache: headers.get('Sluice-Cache'),
    age: headers.get('Age'),
  };
}

test('a second call gets the same rows with their age, although there are new events', async () => {
  const { sluice, clock } = service();
  await request(sluice, 'cached');
  const first = await usage(sluice, 'cached');
  await request(sluice, 'cached');
  clock.advance(42);

  const second = await usage(sluice, 'cached');

  expect(seen(first)).toEqual({ requests: 1, cache: 'miss', age: '0' });
  expect(seen(second)).toEqual({ requests: 1, cache: 'hit', age: '42' });
  expect(second.text).toBe(first.text);
  expect(second.headers.get('Cache-Control')).toBe('private, max-age=858');
});

test('no-cache brings the rows up to date, for everybody', async () => {
  const { sluice, clock } = service();
  await request(sluice, 'refreshed');
  await usage(sluice, 'refreshed');
  await request(sluice, 'refreshed');
  clock.advance(42);

  const refreshed = await usage(sluice, 'refreshed', { 'Cache-Control': 'no-cache' });
  const next = await usage(sluice, 'refreshed');

  expect(seen(refreshed)).toEqual({ requests: 2, cache: 'miss', age: '0' });
  expect(seen(next)).toEqual({ requests: 2, cache: 'hit', age: '0' });
});

test('max-age refuses rows that are older, and takes younger ones', async () => {
  const { sluice, clock } = service();
  await request(sluice, 'aged');
  await usage(sluice, 'aged');
  await request(sluice, 'aged');
  clock.advance(42);

  const taken = await usage(sluice, 'aged', { 'Cache-Control': 'max-age=60' });
  const refused = await usage(sluice, 'aged', { 'Cache-Control': 'max-age=30' });

  expect(seen(taken)).toEqual({ requests: 1, cache: 'hit', age: '42' });
  expect(seen(refused)).toEqual({ requests: 2, cache: 'miss', age: '0' });
});

test('rows are made anew when the cache duration is over', async () => {
  const { sluice, clock } = service();
  await request(sluice, 'expired');
  await usage(sluice, 'expired');
  await request(sluice, 'expired');
  clock.advance(900);

  const answer = await usage(sluice, 'expired');

  expect(seen(answer)).toEqual({ requests: 2, cache: 'miss', age: '0' });
});

test('the other parameters of an endpoint have rows of their own', async () => {
  const { sluice } = service();
  await request(sluice, 'by-day');
  await usage(sluice, 'by-day');

  const hourly = await sluice.query('usage.api-counts', { project: 'by-day', interval: 'hourly' });
  const filtered = await sluice.query('usage.api-counts', {
    project: 'by-day',
    interval: 'daily',
    sql: 'select count(*) as total_rest_requests from requests',
  });

  expect(seen(hourly)).toMatchObject({ requests: 1, cache: 'miss' });
  expect(seen(filtered)).toMatchObject({ requests: 1, cache: 'miss' });
});

test('the warmer replaces rows that were read, once their warming interval is over', async () => {
  const { sluice, clock, warm } = service();
  await request(sluice, 'warm');
  await usage(sluice, 'warm');
  await request(sluice, 'warm');

  clock.advance(299);
  await warm();
  const early = await usage(sluice, 'warm');
  clock.advance(1);
  await warm();
  const warmed = await usage(sluice, 'warm');

  expect(seen(early)).toEqual({ requests: 1, cache: 'hit', age: '299' });
  expect(seen(warmed)).toEqual({ requests: 2, cache: 'hit', age: '0' });
});

test('the warmer leaves rows alone that no caller has read for the cache duration', async () => {
  const { sluice, clock, warm } = service();
  await request(sluice, 'forgotten');
  await usage(sluice, 'forgotten');

  for (let minute = 0; minute < 16; minute++) {
    clock.advance(60);
    await warm();
  }
  clock.advance(600);
  await warm();

  expect(seen(await usage(sluice, 'forgotten'))).toMatchObject({ cache: 'miss' });
});

test('logs.all is never cached', async () => {
  const { sluice, clock } = service();
  await request(sluice, 'live');
  const first = await sluice.query('logs.all', { project: 'live' });
  await request(sluice, 'live');
  // Equal calls of the same millisecond are one run on Athena.
  clock.advance(1);

  const second = await sluice.query('logs.all', { project: 'live' });

  expect(first.rows).toHaveLength(1);
  expect(second.rows).toHaveLength(2);
  expect(second.headers.get('Sluice-Cache')).toBe('off');
  expect(second.headers.get('Cache-Control')).toBe('no-store');
});
