import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/platform/errors.ts';
import { decode, Harness, withoutIdAndTime } from '../support.ts';

const path = '/_bulk';
const NDJSON = 'application/x-ndjson';
const DOCUMENT = {
  '@timestamp': '2025-06-01T10:00:00.123Z',
  message: 'GET /orders',
  host: { name: 'web-1' },
};

const bulk = (...lines: unknown[]) =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

describe('bulk', () => {
  test('a document is the metadata, with its message, time, id and index', async () => {
    const harness = new Harness();

    await harness.post(bulk({ create: { _index: 'web-2025.06.01', _id: 'd1' } }, DOCUMENT), path, {
      contentType: NDJSON,
    });

    expect(harness.events).toEqual([
      {
        id: 'd1',
        timestamp: Date.parse(DOCUMENT['@timestamp']) * 1000,
        event_message: 'GET /orders',
        index: 'web-2025.06.01',
        metadata: {
          __timestamp: '2025-06-01T10:00:00.123Z',
          message: 'GET /orders',
          host: { name: 'web-1' },
        },
      },
    ]);
  });

  test.each([
    NDJSON,
    'application/json',
    'application/vnd.elasticsearch+x-ndjson; compatible-with=8',
    'application/vnd.elasticsearch+json;compatible-with=9',
    undefined,
  ])('is read as %s', async (contentType) => {
    const outcome = await new Harness().post(bulk({ index: {} }, { a: 1 }), path, { contentType });
    expect(outcome).toEqual({ stored: 1, rejected: [] });
  });

  test.each([
    ['update', bulk({ update: { _id: '1' } }, { doc: { a: 1 } })],
    ['delete', bulk({ delete: { _id: '1' } })],
  ])('%s is refused, and the document after it is stored', async (action, lines) => {
    const { stored, rejected } = await new Harness().post(
      lines + bulk({ index: {} }, { a: 1 }),
      path,
    );

    expect(stored).toBe(1);
    expect(rejected).toEqual([{ index: 0, reason: expect.stringContaining(action) }]);
  });

  test('a document that is no JSON object is refused, and the one after it stored', async () => {
    const { stored, rejected } = await new Harness().post(
      bulk({ index: {} }, '{"a":', { index: {} }, [1], { index: {} }, { a: 1 }),
      path,
    );
    expect(stored).toBe(1);
    expect(rejected.map(({ index }) => index)).toEqual([0, 1]);
  });

  test.each([
    ['an action that is unknown', bulk({ move: {} }, {})],
    ['a document without an action', bulk({ message: 'x' })],
    ['an action without a document', bulk({ index: {} })],
    ['text', 'hello\n'],
  ])('%s is no bulk request', async (_case, body) => {
    await expect(decode(body, { path })).rejects.toMatchObject({
      code: 'malformed_bulk',
      status: 400,
    });
  });

  test.each([
    [['web', 'web'], { name: 'web' }],
    [['web-2025.06.01', 'web-2025.06.02'], { name: 'web' }],
    [['web', 'db'], { isOneOfSeveral: true }],
    [['web', undefined], { isOneOfSeveral: true }],
    [[undefined], undefined],
  ])('documents of the indices %j are for the source %j', async (indices, source) => {
    const lines = indices.flatMap((_index) => [{ index: { _index } }, {}]);
    expect((await decode(bulk(...lines), { path })).source).toEqual(source);
  });

  test('any lines are events or a ServiceError', async () => {
    const line = fc.oneof(
      fc.constantFrom('{"index":{}}', '{"create":{"_index":"a"}}', '{"delete":{"_id":"1"}}', ''),
      fc.json(),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line), async (lines) => {
        const harness = new Harness();
        await harness
          .post(lines.join('\n'), path, { contentType: NDJSON })
          .catch((error: unknown) => expect(error).toBeInstanceOf(ServiceError));
      }),
    );
  });
});

test('a document by itself is an event', async () => {
  const harness = new Harness();
  await harness.post({ message: 'up', n: 1 }, '/:index/_doc');
  expect(harness.events.map(withoutIdAndTime)).toEqual([
    { event_message: 'up', index: ':index', metadata: { message: 'up', n: 1 } },
  ]);
});
