import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../../../src/catalog/types.ts';
import { DynamoBuckets } from '../../../../src/ingest/limits/dynamo-buckets.ts';
import { LOCAL_TABLES } from '../../../../src/local/dynalite/dynamodb.ts';
import { ServiceError } from '../../../../src/platform/errors.ts';
import { sharedDatabase } from '../../../ingest/limits/support.ts';
import { aSource } from '../../../support/registry.ts';
import { ingestApp, KEY } from './support.ts';

const database = sharedDatabase();

/** The ingest app over a source of its own and the clock of the test. */
function limited({ quota, keyRate = null }: { quota: number | null; keyRate?: number | null }) {
  const { client, clock } = database();
  const source: Source = aSource({ api_quota: quota });
  const key = `key of ${source.name}`;
  const app = ingestApp({
    sources: [source],
    clock,
    keys: { [key]: ['ingest'] },
    ...(keyRate === null ? {} : { keyRate }),
    shared: new DynamoBuckets({ client, table: LOCAL_TABLES.cache, clock }),
  });
  const send = (events = 1, headers: Record<string, string> = {}) =>
    app.post({
      path: `/logs?source=${source.token}`,
      headers: { 'X-API-KEY': key, ...headers },
      body: Array.from({ length: events }, () => ({ message: 'hi' })),
    });
  return { ...app, source, key, clock, send };
}

function limits({ headers }: Response) {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-rate-limit')));
}

test('fact 43: an idle source and key have what their rates give in a minute', async () => {
  const { send } = limited({ quota: 50, keyRate: 5 });

  const answer = await send();

  expect(answer.status).toBe(200);
  expect(limits(answer)).toEqual({
    'x-rate-limit-user_limit': '300',
    'x-rate-limit-user_remaining': '300',
    'x-rate-limit-source_limit': '3000',
    'x-rate-limit-source_remaining': '3000',
  });
});

test('fact 44: a key with the rate 0 stores nothing', async () => {
  const { send, stored } = limited({ quota: 50, keyRate: 0 });

  const answer = await send();

  expect(answer.status).toBe(429);
  expect(limits(answer)).toMatchObject({
    'x-rate-limit-user_limit': '0',
    'x-rate-limit-user_remaining': '0',
  });
  expect(await answer.json()).toEqual({
    error: expect.stringMatching(/^User rate is over the API quota\. /),
    code: 'rate_limited',
  });
  expect(stored).toEqual([]);
});

test('fact 45, fact 46, fact 47: a sink that is full answers 503 and says when to come back', async () => {
  const { post } = ingestApp({
    pipeline: {
      store: async () => {
        throw new ServiceError('sink_unavailable', 503, 'The log store is behind.', {
          retryAfterSeconds: 5,
        });
      },
    },
  });

  const answer = await post();

  expect(answer.status).toBe(503);
  expect(answer.headers.get('Retry-After')).toBe('5');
  expect(await answer.json()).toMatchObject({ code: 'sink_unavailable' });
});

describe('a request over the limit', () => {
  test('is told how long to wait, what the limit is and how to raise it', async () => {
    const { send, source } = limited({ quota: 5 });
    await send(350);

    const answer = await send();

    expect(answer.status).toBe(429);
    expect(answer.headers.get('Retry-After')).toBe('11');
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(limits(answer)).toMatchObject({
      'x-rate-limit-source_limit': '300',
      'x-rate-limit-source_remaining': '0',
    });
    expect(await answer.json()).toEqual({
      error:
        'Source rate is over the API quota. It is 5 events per second, and 300 at once. Send the ' +
        'events again after the seconds in Retry-After, or raise the source\'s "api_quota" with ' +
        `PUT /api/sources/${source.token}.`,
      code: 'rate_limited',
    });
  });

  test('is stored when it comes back as it was told', async () => {
    const { send, clock } = limited({ quota: 5 });
    await send(350);
    const refused = await send();

    clock.advance(Number(refused.headers.get('Retry-After')) * 1_000);

    expect((await send()).status).toBe(200);
  });

  test('is refused before its body is read', async () => {
    const { post, source, key } = limited({ quota: 0 });

    const answer = await post({
      path: `/logs?source=${source.token}`,
      headers: { 'X-API-KEY': key },
      body: '{"a":',
    });

    expect(answer.status).toBe(429);
  });

  test('is refused as well when only its body names the source', async () => {
    const { post, source, key, stored } = limited({ quota: 0 });

    const answer = await post({
      path: '/logs',
      headers: { 'X-API-KEY': key },
      body: { message: 'hi', source: source.token },
    });

    expect(answer.status).toBe(429);
    expect(limits(answer)).toMatchObject({ 'x-rate-limit-source_limit': '0' });
    expect(stored).toEqual([]);
  });
});

describe('what is not counted', () => {
  test('strangers, who learn no limits', async () => {
    const { send } = limited({ quota: 5 });

    const answer = await send(1, { 'X-API-KEY': 'unknown' });

    expect(answer.status).toBe(401);
    expect(limits(answer)).toEqual({});
  });

  test('events that were refused', async () => {
    const { client, clock } = database();
    const source = aSource({ api_quota: 5 });
    const { post } = ingestApp({
      sources: [source],
      clock,
      shared: new DynamoBuckets({ client, table: LOCAL_TABLES.cache, clock }),
      store: () => ({ stored: 1, rejected: [{ index: 0, reason: 'not a JSON object' }] }),
    });
    const path = `/logs?source=${source.token}`;

    const first = await post({ path, body: [1, {}] });
    const second = await post({ path, body: [1, {}] });

    expect([first.status, second.status]).toEqual([406, 406]);
    expect(second.headers.get('x-rate-limit-source_remaining')).toBe('299');
  });

  test('requests that the sink could not take', async () => {
    const { client, clock } = database();
    const source = aSource({ api_quota: 5 });
    const { post } = ingestApp({
      sources: [source],
      clock,
      shared: new DynamoBuckets({ client, table: LOCAL_TABLES.cache, clock }),
      pipeline: {
        store: async () => {
          throw new ServiceError('sink_unavailable', 503, 'No.', { retryAfterSeconds: 1 });
        },
      },
    });
    const path = `/logs?source=${source.token}`;
    await post({ path });

    const answer = await post({ path });

    expect(answer.headers.get('x-rate-limit-source_remaining')).toBe('300');
  });
});

test('a table that throttles lets events through', async () => {
  const { clock } = database();
  const { post, stored, lines } = ingestApp({
    clock,
    shared: {
      draw: async () => {
        throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
      },
    },
  });

  const answer = await post();

  expect(answer.status).toBe(200);
  expect(stored).toHaveLength(1);
  expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);
});

test('a bucket that a clock of the past left far in the future does not lock its source out', async () => {
  const { send, source, clock } = limited({ quota: 5 });
  await database().client.send(
    new UpdateCommand({
      TableName: LOCAL_TABLES.cache,
      Key: { pk: `QUOTA#source#${source.token}`, sk: 'rate#5' },
      UpdateExpression: 'SET fullAt = :far',
      ExpressionAttributeValues: { ':far': (clock.now() + 86_400_000) * 1_000 },
    }),
  );

  const refused = await send();
  clock.advance(601_000);

  expect(refused.headers.get('Retry-After')).toBe('601');
  expect((await send()).status).toBe(200);
});

test('pages may read the limits', async () => {
  const { post } = ingestApp();

  const exposed = (await post({ headers: { Origin: 'https://shop.example' } })).headers.get(
    'Access-Control-Expose-Headers',
  );

  for (const name of ['user_limit', 'user_remaining', 'source_limit', 'source_remaining']) {
    expect(exposed).toContain(`x-rate-limit-${name}`);
  }
  expect(exposed).toContain('Retry-After');
});

test('the defaults are those of a single-tenant Logflare', async () => {
  const { post } = ingestApp();

  const answer = await post({ headers: { 'X-API-KEY': KEY } });

  expect(limits(answer)).toEqual({
    'x-rate-limit-user_limit': '30000000',
    'x-rate-limit-user_remaining': '30000000',
    'x-rate-limit-source_limit': '6000000',
    'x-rate-limit-source_remaining': '6000000',
  });
});
