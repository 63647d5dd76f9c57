import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { shared, startService, temporaryDirectory } from './support/server.ts';

const service = shared(startService);

/** A new source, and what its managers do. */
async function aSource(fields: object = {}) {
  const { sluice } = service();
  const { name, token } = await sluice.createSource(`shop.${randomUUID()}`);
  const path = `/api/sources/${token}`;
  const change = (changes: object) => sluice.call(path, { method: 'PUT', body: changes });
  await change(fields);
  return {
    name,
    token,
    change,
    send: (body: unknown, query = '') => sluice.post(`/logs?source=${token}${query}`, body),
    rejected: async () => (await sluice.call(`${path}/rejected`)).rows,
    schema: async () => (await sluice.call(`${path}/schema?variant=dot`)).body,
  };
}

describe('an event that was answered with an error', () => {
  test('is found under the rejected ones of its source, without its contents', async () => {
    const source = await aSource();

    const answer = await source.send([{ message: 'fine' }, 'password=secret', { message: 'fine' }]);

    expect(answer.status).toBe(406);
    const rejected = await source.rejected();
    expect(rejected).toEqual([
      {
        rejected_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        reason: 'not a JSON object',
        code: 'events_rejected',
        index: 1,
        count: 1,
        request_id: answer.headers.get('X-Request-Id'),
        route: '/logs',
      },
    ]);
  });

  test('is shown whole, if its source keeps refused events', async () => {
    const source = await aSource({ keep_rejected_events: true });
    const event = { message: 'from tomorrow', timestamp: new Date(Date.now() + 86_400_000) };

    await source.send(event);

    expect(await source.rejected()).toMatchObject([
      {
        reason: 'timestamp is more than one hour in the future',
        event: { message: 'from tomorrow' },
      },
    ]);
  });

  test('is there although others came within the same second', async () => {
    const source = await aSource();

    await source.send('{"a":');
    await source.send([1]);

    await expect.poll(source.rejected, { timeout: 20_000 }).toMatchObject([
      { code: 'events_rejected', index: 0 },
      { code: 'invalid_json', index: null },
    ]);
  });
});

describe('debug=1', () => {
  test('shows what would be stored; nothing is stored, learned or recorded', async () => {
    const { sluice } = service();
    const source = await aSource();
    await sluice.createEndpoint({
      name: source.name,
      query: `select count(*) as n from \`${source.name}\``,
    });

    const answer = await source.send([{ message: 'hi', user: { id: 7 } }, 5], '&debug=1');

    expect(answer).toMatchObject({
      status: 200,
      body: {
        message: 'Debug: nothing was stored.',
        events: [
          { index: 0, event_message: 'hi', fields: { user: { id: 7 } } },
          { index: 1, rejected: 'not a JSON object' },
        ],
      },
    });
    expect(await sluice.rows(source.name)).toEqual([{ n: 0 }]);
    expect(await source.schema()).not.toHaveProperty(['user.id']);
    expect(await source.rejected()).toEqual([]);
  });

  test('shows exactly what a query finds when the event is sent without it', async () => {
    const { sluice } = service();
    const source = await aSource();
    await sluice.createEndpoint({
      name: source.name,
      query: `select id, timestamp, event_message, metadata from \`${source.name}\``,
    });
    const event = {
      id: 'e-1',
      message: 'paid',
      timestamp: '2026-01-01T00:00:00.123456Z',
      metadata: { 'order-id': 12, note: null },
    };

    const { body } = await source.send(event, '&debug=1');
    await source.send(event);

    const { events } = body as { events: { [field: string]: unknown }[] };
    const [{ id, timestamp_us, event_message, metadata } = {}] = events;
    expect(await sluice.rows(source.name)).toEqual([
      { id, timestamp: timestamp_us, event_message, metadata },
    ]);
  });

  test('is for managers', async () => {
    const { sluice } = service();
    const source = await aSource();
    const agent = sluice.as(await sluice.createKey('ingest'));

    const answer = await agent.post(`/logs?source=${source.token}&debug=1`, { message: 'hi' });

    expect(answer).toMatchObject({ status: 401, body: { error: 'Unauthorized' } });
  });
});

test('a quota refuses what is too much, is found among the rejected, and can be raised', async () => {
  const source = await aSource({ api_quota: 1 });
  await source.send(Array.from({ length: 100 }, () => ({ message: 'hi' })));

  const refused = await source.send({ message: 'one more' });
  await source.change({ api_quota: 1_000 });
  const afterwards = await source.send({ message: 'one more' });

  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(30);
  expect(await source.rejected()).toMatchObject([{ code: 'rate_limited', index: null }]);
  expect(afterwards.status).toBe(200);
  expect(afterwards.headers.get('x-rate-limit-source_limit')).toBe('60000');
});

test('limits of the deployment hold for sources and keys without their own', async () => {
  const directory = await temporaryDirectory();
  const small = await startService(directory.path, { perSource: 2, perKey: 3 });
  const { token } = await small.sluice.createSource('small');

  const answer = await small.sluice.post(`/logs?source=${token}`, { message: 'hi' });

  expect(answer.headers.get('x-rate-limit-source_limit')).toBe('120');
  expect(answer.headers.get('x-rate-limit-user_limit')).toBe('180');
  await small.close();
  await directory.remove();
});
