import { describe, expect, test } from 'vitest';
import { shared, startService } from '../../e2e/support/server.ts';
import { WEB } from '../../http/routes/ingest/support.ts';
import { NOW_MS, NOW_US } from '../../ingest/support.ts';
import { LOGGED, send, stored, storedEvents } from './support.ts';

/** What the table "Facts of ingest" of docs/compatibility.md says of Sluice. */
const HOUR_MS = 3_600_000;
const NO_TYPE = { 'Content-Type': undefined };

/** The answer when some events are refused and the others stored. */
const rejected = (...message: readonly string[]) => ({
  status: 406,
  answer: { code: 'events_rejected', message },
});

describe('/logs', () => {
  test('12 one event keeps the time and id that it brings', async () => {
    const body = { message: 'old', timestamp: '2021-03-04T05:06:07Z', id: 'order-78' };

    expect(await storedEvents({ body })).toEqual([
      { id: 'order-78', timestamp: 1614834367000000, event_message: 'old' },
    ]);
  });

  test('17 JSON needs no content type', async () => {
    expect(await stored({ headers: NO_TYPE, body: { message: 'bare', till: 4 } })).toEqual([
      { event_message: 'bare', till: 4 },
    ]);
  });

  test('19 a body has at most 5 MiB', async () => {
    const ofLength = (bytes: number) => '{"message":"x"}'.padEnd(bytes);

    expect(await stored({ body: ofLength(5 * 1024 * 1024) })).toHaveLength(1);
    expect(await send({ body: ofLength(5 * 1024 * 1024 + 1) })).toMatchObject({
      status: 413,
      answer: { code: 'body_too_large' },
      events: [],
    });
  });

  test('20 a field called source does not redirect its event', async () => {
    const body = { source: 'till', message: 'sold' };

    expect(await stored({ path: `/logs?source=${WEB.token}`, body })).toEqual([
      { source: 'till', event_message: 'sold' },
    ]);
  });

  test('21 an element that is no object is refused alone', async () => {
    for (const stray of [7, 'text', null]) {
      const outcome = await send({ body: [stray, { message: 'sold' }] });
      expect(outcome).toMatchObject(rejected('event 0: not a JSON object'));
      expect(outcome.events).toMatchObject([{ event_message: 'sold' }]);
    }
  });

  test('22 Accept changes nothing', async () => {
    const outcome = await send({ headers: { Accept: 'text/html' } });

    expect(outcome).toMatchObject(LOGGED);
    expect(outcome.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  });

  test('24 a preflight needs neither key nor source', async () => {
    const headers = {
      'Content-Type': undefined,
      'X-API-KEY': undefined,
      Origin: 'https://shop.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-api-key',
    };

    const { status, headers: allowed } = await send({ path: '/logs?', method: 'OPTIONS', headers });

    expect(status).toBe(204);
    expect(allowed.get('Access-Control-Allow-Origin')).toBe('https://shop.example');
    expect(allowed.get('Access-Control-Allow-Methods')).toMatch(/\bPOST\b.*\bOPTIONS\b/);
    expect(allowed.get('Access-Control-Allow-Headers')).toBe('x-api-key');
    expect(allowed.get('Access-Control-Max-Age')).toBe('1728000');
  });

  test('26 log_entry is the message where there is no other', async () => {
    expect(await stored({ body: { log_entry: 'from a worker' } })).toMatchObject([
      { event_message: 'from a worker' },
    ]);
  });
});

test('11 a coding that is not read is 415, and those that are read are named', async () => {
  expect(await send({ headers: { 'Content-Encoding': 'br' }, body: '{}' })).toMatchObject({
    status: 415,
    answer: { code: 'unsupported_content_encoding', error: expect.stringContaining('zstd') },
    events: [],
  });
});

describe('a text', () => {
  const headers = { 'Content-Type': 'text/plain;charset=UTF-8' };

  test('18 is a line, each of its lines an event', async () => {
    expect(await stored({ headers, body: 'went up\n\nwent down\n' })).toEqual([
      { event_message: 'went up' },
      { event_message: 'went down' },
    ]);
    expect(await send({ body: '{"event_message": ' })).toMatchObject({
      status: 400,
      answer: { code: 'invalid_json' },
      events: [],
    });
  });

  test('103 that is JSON is read as such on /logs, while on /logs/cloudflare it is of Logpush', async () => {
    const body = '{"RayID":"7f"}';

    expect(await stored({ path: '/logs/cloudflare', headers, body })).toEqual([
      { event_message: body, metadata: { RayID: '7f' } },
    ]);
    expect(await stored({ path: '/logs', headers, body })).toEqual([{ RayID: '7f' }]);
  });
});

describe('keys and sources', () => {
  const service = shared(startService);

  test('40 no source is closed to those who may ingest', async () => {
    const { sluice } = service();
    const source = { name: 'internal', system_source: true };

    const created = await sluice.post('/api/sources', source);

    expect(created).toMatchObject({ status: 201 });
    expect(created.body).not.toHaveProperty('system_source');
    await sluice.send('internal', { message: 'stored' });
  });
});

describe('a time', () => {
  const inMs = (ms: number) => NOW_MS + ms;

  test('59 without a zone is in UTC; digits and the name of a zone say no time', async () => {
    const said = ['2024-04-25T01:02:03', '1714003200', '2024-04-25 01:02:03.456 UTC'];

    expect(await storedEvents({ body: said.map((timestamp) => ({ timestamp })) })).toMatchObject(
      [1714006923000000, NOW_US, NOW_US].map((timestamp) => ({ timestamp })),
    );
  });

  test('60 in seconds keeps its fraction', async () => {
    expect(await storedEvents({ body: { timestamp: 1714003200.5 } })).toMatchObject([
      { timestamp: 1714003200500000 },
    ]);
  });

  test('61 more than an hour ahead is refused; less, and any time ago, is not', async () => {
    const times = [inMs(HOUR_MS - 60_000), inMs(-90 * 24 * HOUR_MS)];

    expect(await send({ body: [{ timestamp: inMs(3 * HOUR_MS) }] })).toMatchObject({
      ...rejected('event 0: timestamp is more than one hour in the future'),
      events: [],
    });
    expect(await storedEvents({ body: times.map((timestamp) => ({ timestamp })) })).toMatchObject(
      times.map((ms) => ({ timestamp: ms * 1000 })),
    );
  });

  test('62 too far ahead costs only its own event, and is logged', async () => {
    const batch = [{ timestamp: inMs(2 * HOUR_MS) }, { n: 1 }, { timestamp: inMs(5 * HOUR_MS) }];

    const outcome = await send({ body: { batch } });

    const tooFar = 'timestamp is more than one hour in the future';
    expect(outcome).toMatchObject({
      ...rejected(`event 0: ${tooFar}`, `event 2: ${tooFar}`),
      events: [{ n: 1, timestamp: NOW_US }],
    });
    expect(outcome.log).toContainEqual(
      expect.objectContaining({
        message: 'Events refused',
        fields: expect.objectContaining({ refused: 2, of: 3 }),
      }),
    );
  });

  test('93 is honoured on /logs/json, too', async () => {
    const event = { till: 4, timestamp: '2024-04-25T00:00:00Z' };

    expect(await storedEvents({ path: '/logs/json', body: event })).toEqual([
      {
        id: expect.any(String),
        timestamp: 1714003200000000,
        event_message: JSON.stringify(event),
        metadata: event,
      },
    ]);
  });
});

describe('formats', () => {
  test('98 a text that no cast can read is refused alone, and there has to be a batch', async () => {
    const path = '/logs/typecasts';
    const typecasts = [{ path: ['price'], from: 'string', to: 'float' }];
    const batch = [
      { body: { price: 'cheap' }, typecasts },
      { body: { price: '9.5' }, typecasts },
    ];

    const outcome = await send({ path, body: { batch } });

    expect(outcome).toMatchObject(rejected('event 0: the text at "price" cannot be cast to float'));
    expect(outcome.events).toMatchObject([{ price: 9.5 }]);
    expect(await send({ path, body: { price: '9.5' } })).toMatchObject({
      status: 400,
      answer: { code: 'batch_missing' },
    });
  });

  test('99 loggers of Elixir send JSON to a route of their own; no route takes terms of Erlang', async () => {
    const batch = [{ message: 'went up' }, { message: 'went down' }];
    const path = '/logs/elixir/logger';
    const headers = { 'Content-Type': 'application/bert' };

    for (const prefix of ['/logs', '/api/logs', '/api/events']) {
      expect(await stored({ path: `${prefix}/elixir/logger`, body: { batch } })).toEqual([
        { event_message: 'went up' },
        { event_message: 'went down' },
      ]);
    }
    expect(await stored({ path, body: { message: 'went up' } })).toHaveLength(1);
    expect(await send({ path, headers, body: new Uint8Array([131, 106]) })).toMatchObject({
      status: 415,
      answer: { code: 'unsupported_content_type' },
    });
    expect(await send({ path: '/logs/erlang/lager', body: { batch } })).toMatchObject({
      status: 404,
    });
  });

  test('102 a line of Logpush that is no JSON is refused, and not logged', async () => {
    const outcome = await send({
      path: '/logs/cloudflare',
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: '{secret matter}\n{"RayID":"7f"}\n',
    });

    expect(outcome).toMatchObject(rejected('event 0: not a JSON object'));
    expect(outcome.events).toMatchObject([{ metadata: { RayID: '7f' } }]);
    expect(JSON.stringify(outcome.log)).not.toContain('secret matter');
  });

  test("114 Heroku's messages need no length in front", async () => {
    const headers = { 'Content-Type': 'application/logplex-1' };
    const body = '<40>1 2024-04-25T00:00:00+00:00 host app web.7 - - up';

    for (const path of ['/logs/logplex', '/logs/syslogs']) {
      expect(await stored({ path, headers, body }), path).toMatchObject([{ event_message: 'up' }]);
    }
  });

  test('115 syslog is read under every prefix', async () => {
    const headers = { 'Content-Type': 'application/logplex-1' };
    const body = '<40>1 2024-04-25T00:00:00+00:00 host app web.7 - - up';

    for (const path of ['/api/logs/logplex', '/api/events/syslogs']) {
      expect(await stored({ path, headers, body }), path).toMatchObject([{ event_message: 'up' }]);
    }
  });

  test('119 lists of a GitHub webhook are kept, without links', async () => {
    const labels = [{ name: 'bug', avatar_url: 'https://example.com/bug' }];

    expect(await stored({ path: '/logs/github', body: { labels } })).toMatchObject([
      { metadata: { labels: [{ name: 'bug' }] } },
    ]);
  });

  test("131 Vector's events need no time", async () => {
    expect(await storedEvents({ path: '/logs/vector', body: { till: 4, open: true } })).toEqual([
      {
        id: expect.any(String),
        timestamp: NOW_US,
        event_message: '{"till":4,"open":true}',
        metadata: { till: 4, open: true },
      },
    ]);
  });
});
