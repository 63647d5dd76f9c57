import { describe, expect, test } from 'vitest';
import { MAX_EVENTS } from '../../../src/ingest/event/max-events.ts';
import { decode, Harness, withoutIdAndTime } from '../support.ts';

const NDJSON = { contentType: 'application/x-ndjson' };

const PROXY = {
  statusCode: 200,
  host: 'shop.example',
  path: '/cart?x=1',
  clientIp: '192.0.2.7',
  userAgent: ['Mozilla/5.0', ' (X11)'],
};

describe.each(['/vercel', '/zeit'])('%s', (path) => {
  async function stored(entry: object): Promise<Record<string, unknown> | undefined> {
    const harness = new Harness();
    await harness.post([entry], path);
    return harness.events[0];
  }

  test('a request is told by its proxy, its user agents in one text', async () => {
    const event = await stored({ source: 'static', proxy: PROXY });
    expect(withoutIdAndTime(event)).toEqual({
      event_message: 'static | 200 | shop.example | /cart?x=1 | 192.0.2.7 | Mozilla/5.0 (X11)',
      metadata: { source: 'static', proxy: { ...PROXY, userAgent: 'Mozilla/5.0, (X11)' } },
    });
  });

  test.each([
    ['no proxy', { source: 'edge' }, 'edge |  |  |  |  | '],
    ['an empty entry', {}, ' |  |  |  |  | '],
    ['a proxy that is none', { source: 'edge', proxy: [1] }, 'edge |  |  |  |  | '],
    ['some parts', { source: 'edge', proxy: { path: '/a' } }, 'edge |  |  | /a |  | '],
    ['one user agent', { source: 'x', proxy: { userAgent: 'a' } }, 'x |  |  |  |  | a'],
    [
      'parts that are no text',
      { source: {}, proxy: { host: [{}], path: null } },
      ' |  |  |  |  | ',
    ],
    ['a build with a message', { source: 'build', message: 'Compiling' }, 'build | '],
    ['a build without', { source: 'build', proxy: PROXY }, 'build'],
  ])('with %s the other parts stay empty', async (_case, entry, message) => {
    expect(await stored(entry)).toMatchObject({ event_message: message });
  });

  test('user agents that are no text stay as they are', async () => {
    const proxy = { userAgent: ['a', { b: 1 }] };
    expect(await stored({ source: 's', proxy })).toMatchObject({
      event_message: 's |  |  |  |  | a',
      metadata: { proxy },
    });
  });

  test('the status may be too long for a double', async () => {
    const harness = new Harness();
    await harness.post('[{"source":"s","proxy":{"statusCode":12345678901234567890}}]', path);
    expect(harness.events[0]?.event_message).toBe('s | 12345678901234567890 |  |  |  | ');
  });

  test('what a build says is in metadata', async () => {
    expect(await stored({ source: 'build', message: 'Compiling' })).toMatchObject({
      metadata: { source: 'build', message: 'Compiling' },
    });
  });

  test('id and timestamp, in milliseconds, are those of the entry, and in metadata too', async () => {
    const entry = { id: '15738171873303', timestamp: 1573817187330, source: 'edge' };
    expect(await stored(entry)).toMatchObject({
      id: entry.id,
      timestamp: 1573817187330000,
      metadata: entry,
    });
  });

  test('the message of a call is taken apart', async () => {
    const message = 'START RequestId: r-1 Version: 3\nEND RequestId: r-1\n';
    expect(await stored({ source: 'lambda', message })).toMatchObject({
      metadata: { message, parsedLambdaMessage: { request_id: 'r-1' } },
    });
  });

  test('a call that printed much is stored whole', async () => {
    const line = `2025-03-04T05:06:07.089Z\t${'a'.repeat(36)}\tINFO\t`;
    const short = `${line}x\n`.repeat(1000);
    const long = `${line}${'\u0001'.repeat(60_000)}`;
    for (const message of [
      short.slice(0, 65_536),
      long,
      '\u0001'.repeat(65_536),
      '語'.repeat(90_000),
    ]) {
      expect(await stored({ source: 'lambda', message })).toMatchObject({ metadata: { message } });
    }
  });

  test.each([
    ['another source', { source: 'edge', message: 'START RequestId: r-1' }],
    ['no message', { source: 'lambda' }],
    ['an empty message', { source: 'lambda', message: '' }],
    ['a message that is no text', { source: 'lambda', message: { a: 1 } }],
  ])('nothing is taken apart for %s', async (_case, entry) => {
    expect((await stored(entry))?.metadata).not.toHaveProperty('parsedLambdaMessage');
  });

  test('one event per entry, and what is no object is refused by index', async () => {
    const harness = new Harness();
    const outcome = await harness.post([{ source: 'a' }, 5, null, { source: 'b' }], path);
    expect(outcome.stored).toBe(2);
    expect(outcome.rejected.map(({ index }) => index)).toEqual([1, 2]);
  });

  test.each([{ source: 'static' }, { batch: [{ source: 'static' }] }, '"text"', '5', 'null'])(
    '%j is no list and refused',
    async (body) => {
      await expect(decode(body, { path })).rejects.toMatchObject({
        status: 400,
        code: 'list_expected',
      });
    },
  );

  test.each(['{}', '', '[]'])('%j has no events, and is fine', async (body) => {
    expect(await decode(body, { path })).toEqual({ events: [] });
  });

  test('the source of an entry names no source of ours', async () => {
    expect(await decode([{ source: 'static' }], { path })).not.toHaveProperty('source');
  });

  test('reads entries line by line', async () => {
    const body = '{"source":"a"}\n\r\n\n{"source":"b","n":12345678901234567890}\r\n{"source":"c"}';
    const { events } = await decode(body, { path, ...NDJSON });
    expect(JSON.stringify(events.map((event) => (event as { metadata: unknown }).metadata))).toBe(
      '[{"source":"a"},{"source":"b","n":12345678901234567890},{"source":"c"}]',
    );
  });

  test('a line that is no JSON is refused by its index, the others are stored', async () => {
    const harness = new Harness();
    const { events } = await decode('{"source":"a"}\n{not json\n{"source":"b"}\n', {
      path,
      ...NDJSON,
    });
    const outcome = await harness.store(events);
    expect(outcome).toEqual({
      stored: 2,
      rejected: [{ index: 1, reason: 'not a JSON object' }],
    });
  });

  test.each(['application/ndjson', 'application/x-ndjson; charset=utf-8', 'Application/X-NDJSON'])(
    '%s is read by lines too',
    async (contentType) => {
      expect((await decode('{}\n{}', { path, contentType })).events).toHaveLength(2);
    },
  );

  test('more lines than events of a request are refused', async () => {
    const lines = '1\n'.repeat(MAX_EVENTS);
    expect((await decode(lines, { path, ...NDJSON })).events).toHaveLength(MAX_EVENTS);
    await expect(decode(`${lines}1`, { path, ...NDJSON })).rejects.toMatchObject({ status: 413 });
  });

  test('entries nested without end are refused one by one', async () => {
    const deep = `${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`;
    const outcome = await new Harness().post(
      `[{"source":${deep}},{"source":"s","proxy":{"userAgent":${deep}}},{}]`,
      path,
    );
    expect(outcome.rejected.map(({ index }) => index)).toEqual([0, 1]);
  });
});
