import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { WEB } from '../../http/routes/ingest/support.ts';
import { send, stored, storedEvents } from './support.ts';

const EVENT = { event_message: 'order placed', shop: 'north' };

test('1 an event is stored field by field, under every prefix', async () => {
  for (const path of ['/logs', '/api/logs', '/api/events']) {
    expect(await stored({ path, body: EVENT }), path).toEqual([EVENT]);
  }
});

describe('the source is named', () => {
  test('2 by its UUID, as source or as collection', async () => {
    for (const name of ['source', 'collection']) {
      const path = `/logs?${name}=${WEB.token}`;
      expect(await stored({ path, body: EVENT }), name).toEqual([EVENT]);
    }
  });

  test('3 by its name, as source_name or as collection_name', async () => {
    for (const name of ['source_name', 'collection_name']) {
      const path = `/logs?${name}=${WEB.name}`;
      expect(await stored({ path, body: EVENT }), name).toEqual([EVENT]);
    }
  });

  test('4 by its name, whether the key is for all that users do or for this source', async () => {
    for (const scopes of ['ingest query', `ingest:source:${WEB.token}`]) {
      const events = await stored({
        path: `/logs?source_name=${WEB.name}`,
        keys: { k: scopes.split(' ') },
        headers: { 'X-API-KEY': 'k' },
        body: EVENT,
      });
      expect(events, scopes).toEqual([EVENT]);
    }
  });

  test('5 by a header, without any query', async () => {
    for (const name of ['X-Source', 'X-Collection']) {
      const events = await stored({ path: '/logs?', headers: { [name]: WEB.token }, body: EVENT });
      expect(events, name).toEqual([EVENT]);
    }
  });

  test('6 by the UUID in the event, which keeps it', async () => {
    const body = { source: WEB.token, event_message: 'from a worker' };

    expect(await stored({ path: '/logs?', body })).toEqual([body]);
  });

  test('7 by the name in the event', async () => {
    const body = { source_name: WEB.name, event_message: 'from a worker' };

    expect(await stored({ path: '/logs?', body })).toEqual([body]);
  });
});

describe('several events', () => {
  const events = [{ event_message: 'one' }, { event_message: 'two' }];

  test('8 are a batch', async () => {
    expect(await stored({ body: { batch: events } })).toEqual(events);
  });

  test('9 or a list', async () => {
    expect(await stored({ body: events })).toEqual(events);
  });

  test('10 may come compressed', async () => {
    const batch = Array.from({ length: 100 }, (_, n) => ({ event_message: `call ${n}`, n }));

    const events = await stored({
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ batch })),
    });

    expect(events).toEqual(batch);
  });

  test('13 of a list have the times and ids that they bring', async () => {
    const body = [{ message: 'old', timestamp: '2021-03-04T05:06:07Z', id: 'order-77' }];

    expect(await storedEvents({ body })).toEqual([
      { event_message: 'old', timestamp: 1614834367000000, id: 'order-77' },
    ]);
  });

  test('14 may be none', async () => {
    for (const body of [{ batch: [] }, []]) expect(await stored({ body })).toEqual([]);
  });

  test('15 are no batch unless they are a list', async () => {
    const body = { batch: 'nightly', size: 3 };

    expect(await stored({ body })).toEqual([body]);
  });
});

describe('a body', () => {
  test('16 without a byte is an event without a message', async () => {
    expect(await stored({ body: '' })).toEqual([{}]);
  });

  test('23 may be a form, whose fields are texts', async () => {
    const events = await stored({
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'message=paid+in+full&attempt=2',
    });

    expect(events).toEqual([{ event_message: 'paid in full', attempt: '2' }]);
  });
});

test('25 nothing is read at GET /logs', async () => {
  expect(await send({ method: 'GET' })).toMatchObject({ status: 404, events: [] });
});
