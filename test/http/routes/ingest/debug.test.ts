import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../../../src/ingest/formats/index.ts';
import { IngestPipeline } from '../../../../src/ingest/pipeline.ts';
import { SchemaInference } from '../../../../src/lake/schema/schema-inference.ts';
import { MemorySchemas } from '../../../support/memory-schemas.ts';
import { fixedClock, recordingLogger } from '../../support.ts';
import { DATABASE, ingestApp, KEY, WEB } from './support.ts';

const MANAGER = 'a-manager';
const ALLOWED = { 'X-API-KEY': MANAGER };

/** An answer to `?debug=1`. */
interface Debug {
  readonly message: string;
  readonly source: object;
  readonly stored: number;
  readonly dropped: number;
  readonly rejected: number;
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly not_shown: number;
}

function debugging(options: Parameters<typeof ingestApp>[0] = {}) {
  const app = ingestApp({ ...options, keys: { [MANAGER]: ['private'] } });
  const debug = async (body: unknown, route = '/logs', headers: Record<string, string> = {}) => {
    const path = `${route}?source=${WEB.token}&debug=1`;
    const answer = await app.post({ path, headers: { ...ALLOWED, ...headers }, body });
    return { answer, body: (await answer.json()) as Debug };
  };
  return { ...app, debug };
}

test('shows what an event would become', async () => {
  const { debug, stored } = debugging();

  const { answer, body } = await debug({
    id: 'e-1',
    message: 'paid',
    timestamp: '2026-01-01T00:00:00.123456Z',
    project: 'shop',
    metadata: { level: 'info', 'user-agent': 'curl', empty: null },
    price: 12,
  });

  expect(answer.status).toBe(200);
  expect(body).toEqual({
    message: 'Debug: nothing was stored.',
    source: { token: WEB.token, name: WEB.name },
    stored: 1,
    dropped: 0,
    rejected: 0,
    events: [
      {
        index: 0,
        id: 'e-1',
        timestamp: '2026-01-01T00:00:00.123Z',
        timestamp_us: 1_767_225_600_123_456,
        event_message: 'paid',
        project: 'shop',
        metadata: { level: 'info', _user_agent: 'curl' },
        fields: { price: 12 },
        slots: {
          metadata: '{}',
          'metadata.level': 'info',
          'metadata._user_agent': 'curl',
          price: '12',
        },
      },
    ],
    not_shown: 0,
  });
  expect(stored).toEqual([]);
});

test('shows what the settings and rules of the source make of events', async () => {
  const rule = { token: 'r', lql_string: 'm.level:error', sink: DATABASE.token };
  const source = { ...WEB, drop_lql_string: 'm.level:debug', rules: [rule] };
  const { debug, stored } = debugging({ sources: [source, DATABASE] });

  const { body } = await debug([
    { id: 'a', metadata: { level: 'debug' } },
    { id: 'b', metadata: { level: 'error' } },
  ]);

  expect(body).toMatchObject({ stored: 1, dropped: 1, rejected: 0 });
  expect(body.events).toEqual([
    { index: 0, dropped: true },
    expect.objectContaining({ index: 1, id: 'b' }),
    expect.objectContaining({ index: 1, id: 'b', copied_to: DATABASE.token }),
  ]);
  expect(body.events[1]).not.toHaveProperty('copied_to');
  expect(stored).toEqual([]);
});

test('shows why an event would be refused, at its place', async () => {
  const { debug } = debugging();

  const { answer, body } = await debug([
    { id: 'a' },
    7,
    { id: 'c', timestamp: '2026-01-02T09:00:00Z' },
    { id: 'd' },
  ]);

  expect(answer.status).toBe(200);
  expect(body).toMatchObject({ stored: 2, rejected: 2 });
  expect(body.events).toEqual([
    expect.objectContaining({ index: 0, id: 'a' }),
    { index: 1, rejected: 'not a JSON object' },
    { index: 2, rejected: 'timestamp is more than one hour in the future' },
    expect.objectContaining({ index: 3, id: 'd' }),
  ]);
});

test('keeps the digits of large integers', async () => {
  const { post } = debugging();

  const answer = await post({
    path: `/logs?source=${WEB.token}&debug=1`,
    headers: ALLOWED,
    body: '{"metadata":{"n":12345678901234567890}}',
  });

  expect(await answer.text()).toContain('"n":12345678901234567890');
});

describe('the answer stays short:', () => {
  test('a hundred events, and how many more there are', async () => {
    const { debug } = debugging();
    const many = Array.from({ length: 250 }, (_, index) =>
      index === 200 ? 7 : { id: `${index}` },
    );

    const { body } = await debug(many);

    expect(body).toMatchObject({ stored: 249, rejected: 1, not_shown: 150 });
    expect(body.events).toHaveLength(100);
  });

  test('fewer when they are large', async () => {
    const { debug } = debugging();
    const large = Array.from({ length: 10 }, () => ({ text: 'x'.repeat(400_000) }));

    const { answer, body } = await debug(large);

    expect(body).toMatchObject({ stored: 10, not_shown: 8 });
    expect(Number(answer.headers.get('Content-Length'))).toBeLessThan(6_000_000);
  });
});

describe('who may not manage', () => {
  test.each([
    ['a key that may only send', { 'X-API-KEY': KEY }],
    ['no valid key', { 'X-API-KEY': 'unknown' }],
  ])('%s gets 401, and nothing is stored', async (_who, headers) => {
    const { debug, stored } = debugging();

    const { answer, body } = await debug({ message: 'hi' }, '/logs', headers);

    expect(answer.status).toBe(401);
    expect(body).toEqual({ error: 'Unauthorized' });
    expect(stored).toEqual([]);
  });
});

test('without a source that exists the answer says so', async () => {
  const { post } = debugging();

  const answer = await post({ path: '/logs?source_name=none&debug=1', headers: ALLOWED });

  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ code: 'not_found' });
});

test('a body that cannot be read gets the error that it would get', async () => {
  const { debug } = debugging();

  const { answer, body } = await debug('{"a":');

  expect(answer.status).toBe(400);
  expect(body).toMatchObject({ code: 'invalid_json' });
});

test('a source that is over its limit may still be looked into, at no cost', async () => {
  const drawn: string[] = [];
  const { debug } = debugging({
    sources: [{ ...WEB, api_quota: 0 }],
    shared: {
      draw: async ({ key }, { tokens }) => {
        drawn.push(key);
        return { granted: tokens, theoreticalArrivalTime: 0 };
      },
    },
  });

  const { answer } = await debug({ message: 'hi' });

  expect(answer.status).toBe(200);
  expect(drawn).toEqual([]);
});

test.each(['0', 'true', ''])('debug=%s stores as always', async (value) => {
  const { post, stored } = debugging();

  const answer = await post({ path: `/logs?source=${WEB.token}&debug=${value}`, headers: ALLOWED });

  expect(await answer.json()).toEqual({ message: 'Logged!' });
  expect(stored).toHaveLength(1);
});

test.each(FORMATS.map(({ path, atRoot }) => (atRoot ? path : `/logs${path}`)))(
  'the route %s answers debug in JSON',
  async (route) => {
    const { post, stored } = debugging();

    const answer = await post({
      path: `${route}?source=${WEB.token}&debug=1`,
      headers: ALLOWED,
      body: [],
    });

    expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toMatchObject(
      answer.status === 200
        ? { message: 'Debug: nothing was stored.' }
        : { error: expect.any(String), code: expect.any(String) },
    );
    expect(stored).toEqual([]);
  },
);

/** What a pipeline with a sink stores. */
async function reallyStored(events: readonly unknown[]) {
  const rows: string[] = [];
  const { logger } = recordingLogger();
  const pipeline = new IngestPipeline({
    sink: { write: async (written) => void rows.push(...written) },
    inference: new SchemaInference({ registry: new MemorySchemas(), logger }),
    registry: { sourceByToken: async () => undefined },
    clock: fixedClock,
    logger,
  });
  const { rejected } = await pipeline.store(WEB, events);
  return { rows: rows.map((row) => JSON.parse(row)), rejected };
}

test('what is shown is what is stored, whatever is sent', async () => {
  const { debug } = debugging();
  const event = fc
    .dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }))
    .map((fields) => ({ ...fields, id: 'fixed' }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 4, arbitrary: event }, fc.jsonValue()), { maxLength: 20 }),
      async (events) => {
        const { rows, rejected } = await reallyStored(JSON.parse(JSON.stringify(events)));

        const { body } = await debug(events);

        const shown = body.events.filter((one) => !('rejected' in one));
        expect(shown.map(({ metadata, fields }) => [metadata, fields])).toEqual(
          rows.map((row) => [parsed(row.metadata), parsed(row.body)]),
        );
        expect(
          shown.map(({ timestamp_us, event_message }) => [timestamp_us, event_message]),
        ).toEqual(rows.map((row) => [row.timestamp_us, row.event_message]));
        expect(body.events.filter((one) => 'rejected' in one)).toEqual(
          rejected.map(({ index, reason }) => ({ index, rejected: reason })),
        );
      },
    ),
    { numRuns: 100 },
  );
});

function parsed(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}
