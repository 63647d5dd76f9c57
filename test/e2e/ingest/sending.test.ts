import { deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../support/client.ts';
import { shared, startService } from '../support/server.ts';

const service = shared(startService);

const NAME = 'my.app-logs';
let source: Source;
beforeAll(async () => {
  const { sluice } = service();
  source = await sluice.createSource(NAME);
  await sluice.createEndpoint({
    name: 'app.run',
    query: `select event_message, metadata from \`${NAME}\` as t
            where t.metadata.run = @run order by event_message`,
  });
});

/** An event that is told apart from those of other tests. */
const event = (run: string, message = 'hello') => ({ message, metadata: { run } });

/** Messages of the events of a run. */
async function messages(run: string): Promise<unknown[]> {
  const rows = await service().sluice.rows('app.run', { run });
  return rows.map(({ event_message }) => event_message);
}

const LOGGED = { status: 200, body: { message: 'Logged!' } };

describe.each(['/logs', '/api/logs', '/api/events'])('events posted to %s', (path) => {
  test.each([
    { by: '?source=', search: () => `?source=${source.token}` },
    { by: '?collection=', search: () => `?collection=${source.token}` },
    { by: '?source_name=', search: () => `?source_name=${NAME}` },
    { by: '?collection_name=', search: () => `?collection_name=${NAME}` },
  ])('reach the source that $by names', async ({ by, search }) => {
    const run = `${path} ${by}`;

    const answer = await service().sluice.post(path + search(), event(run));

    expect(answer).toMatchObject(LOGGED);
    expect(await messages(run)).toEqual(['hello']);
  });

  test.each(['X-Source', 'X-Collection'])('reach the source that %s names', async (header) => {
    const run = `${path} ${header}`;

    const answer = await service().sluice.post(path, event(run), { [header]: source.token });

    expect(answer).toMatchObject(LOGGED);
    expect(await messages(run)).toEqual(['hello']);
  });

  test('reach the source that a worker names in the body, with its log entry', async () => {
    const run = `${path} worker`;
    const body = { source: source.token, log_entry: 'GET / 200', metadata: { run } };

    const answer = await service().sluice.post(path, body);

    expect(answer).toMatchObject(LOGGED);
    expect(await messages(run)).toEqual(['GET / 200']);
  });
});

describe('a body may be', () => {
  const path = () => `/logs?source=${source.token}`;

  test('a list of events', async () => {
    const answer = await service().sluice.post(path(), [event('list', 'a'), event('list', 'b')]);

    expect(answer).toMatchObject(LOGGED);
    expect(await messages('list')).toEqual(['a', 'b']);
  });

  test('a batch of events', async () => {
    const batch = [event('batch', 'a'), event('batch', 'b')];

    const answer = await service().sluice.post(path(), { batch });

    expect(answer).toMatchObject(LOGGED);
    expect(await messages('batch')).toEqual(['a', 'b']);
  });

  test.each([
    { encoding: 'gzip', compress: gzipSync },
    { encoding: 'deflate', compress: deflateSync },
  ])('compressed with $encoding', async ({ encoding, compress }) => {
    const body = compress(JSON.stringify([event(encoding, 'a'), event(encoding, 'b')]));

    const answer = await service().sluice.post(path(), body, { 'Content-Encoding': encoding });

    expect(answer).toMatchObject(LOGGED);
    expect(await messages(encoding)).toEqual(['a', 'b']);
  });

  test('any JSON on /logs/json, which is stored whole', async () => {
    const { sluice } = service();
    const body = { run: 'json', level: 'warn', took: { ms: 12 } };

    const answer = await sluice.post(`/logs/json?source=${source.token}`, body);

    expect(answer).toMatchObject(LOGGED);
    expect(await sluice.rows('app.run', { run: 'json' })).toEqual([
      { event_message: JSON.stringify(body), metadata: body },
    ]);
  });
});

test('an event keeps its own id and time', async () => {
  const { sluice } = service();
  await sluice.createEndpoint({
    name: 'app.own-id',
    query: `select id, timestamp from \`${NAME}\` where event_message = 'mine'`,
  });

  await sluice.send(NAME, { id: 'evt-1', timestamp: 1_770_091_506_789_012, message: 'mine' });

  expect(await sluice.rows('app.own-id')).toEqual([
    { id: 'evt-1', timestamp: 1_770_091_506_789_012 },
  ]);
});

test('what is no event is refused by its index, and the rest is stored', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();

  const answer = await service().sluice.post(`/logs?source=${source.token}`, [
    event('mixed', 'kept'),
    'only text',
    { ...event('mixed', 'too early'), timestamp: tomorrow },
  ]);

  expect(answer).toMatchObject({
    status: 406,
    body: {
      code: 'events_rejected',
      error: expect.stringContaining('2 were rejected and 1 stored'),
      message: [expect.stringMatching(/^event 1: /), expect.stringMatching(/^event 2: .*future/)],
    },
  });
  expect(await messages('mixed')).toEqual(['kept']);
});

test.each([
  { what: 'is no JSON', body: '{"message": ', status: 400, code: 'invalid_json' },
  {
    what: 'is larger than 5 MiB',
    body: 'x'.repeat(5_242_881),
    status: 413,
    code: 'body_too_large',
  },
])('a body that $what is refused', async ({ body, status, code }) => {
  const answer = await service().sluice.post(`/logs?source=${source.token}`, body);

  expect(answer).toMatchObject({ status, body: { error: expect.any(String), code } });
});
