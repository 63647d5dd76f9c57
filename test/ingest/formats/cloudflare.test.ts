import { describe, expect, test } from 'vitest';
import { MAX_EVENTS } from '../../../src/ingest/event/max-events.ts';
import { decode, Harness, SOURCE, withoutIdAndTime } from '../support.ts';

const path = '/cloudflare';
const TEXT = 'text/plain; charset=utf-8';

/** Posts as a Worker does. @returns what is stored. */
async function store(body: string, contentType: string | undefined) {
  const harness = new Harness();
  await harness.post(body, path, { contentType });
  return harness.events;
}

describe('a Worker', () => {
  const worker = { log_entry: 'GET | 200', metadata: { response: { status_code: 200 } } };
  const stored = { ...worker, event_message: 'GET | 200' };

  test.each([
    ['an object', worker],
    ['a batch', { batch: [worker] }],
    ['a list', [worker]],
  ])('sends %s of JSON', async (_case, body) => {
    const events = await store(JSON.stringify(body), 'application/json');
    expect(events.map(withoutIdAndTime)).toEqual([stored]);
  });

  test.each([TEXT, 'application/octet-stream', undefined])(
    'sends a batch, a list or indented JSON as %s',
    async (contentType) => {
      const bodies = [
        JSON.stringify({ batch: [worker] }),
        JSON.stringify([worker]),
        JSON.stringify(worker, null, 2),
      ];
      for (const body of bodies) {
        const events = await store(body, contentType);
        expect(events.map(withoutIdAndTime)).toEqual([stored]);
      }
    },
  );

  test('sends as text a list of more lines than a request may have events', async () => {
    const body = `[${'\n'.repeat(MAX_EVENTS)}{"a":\n1}]`;
    expect((await decode(body, { path, contentType: TEXT })).events).toEqual([{ a: 1 }]);
  });

  test('keeps the id, timestamp and source of a single event', async () => {
    const event = { id: 'x', timestamp: '2024-01-01T00:00:00Z', source: SOURCE.token };
    const events = await store(JSON.stringify(event), 'application/json');
    expect(events).toEqual([{ ...event, timestamp: 1704067200000000 }]);
  });

  test('names its source beside the batch', async () => {
    const { source } = await decode({ source: SOURCE.token, batch: [worker] }, { path });
    expect(source).toEqual({ token: SOURCE.token });
  });
});
