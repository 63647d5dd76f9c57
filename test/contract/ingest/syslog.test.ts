import { describe, expect, test } from 'vitest';
import { send, stored, storedEvents } from './support.ts';

type Event = Readonly<Record<string, unknown>> & { metadata: Readonly<Record<string, unknown>> };

/** What the only message of a body is stored as. */
async function storedAs(body: string, path = '/logs/syslogs'): Promise<Event | undefined> {
  const headers = { 'Content-Type': 'application/logplex-1' };
  const events = await storedEvents({ path, headers, body });
  expect(events).toHaveLength(1);
  return events[0] as Event | undefined;
}

describe('a message of RFC 5424', () => {
  test('106 has its priority in words, and its time', async () => {
    const line = '<34>1 2024-04-25T00:00:00.003Z till.example.com login - MSG9 - refused, twice';

    expect(await storedAs(line)).toEqual({
      id: expect.any(String),
      timestamp: 1714003200003000,
      event_message: 'refused, twice',
      metadata: {
        priority: 34,
        facility: 'auth',
        severity: 'critical',
        level: 'critical',
        hostname: 'till.example.com',
        appname: 'login',
        message_id: 'MSG9',
        message_text: 'refused, twice',
        message_raw: line,
      },
    });
  });

  test('107 may have a process and a time with microseconds of another zone', async () => {
    const line = '<165>1 2024-04-25T00:00:00.000003-07:00 192.0.2.9 till 4711 - - %% sold out';

    expect(await storedAs(line)).toMatchObject({
      timestamp: 1714028400000003,
      event_message: '%% sold out',
      metadata: { facility: 'local4', severity: 'notice', process_id: '4711' },
    });
  });

  test('108 may have structured data, and then need no text', async () => {
    const header = '<165>1 2024-04-25T00:00:00Z till shop - MSG7';
    const sale = { id: 'sale@32473', item: '3', by: 'card' };

    const one = await storedAs(`${header} [sale@32473 item="3" by="card"]`);
    const two = await storedAs(`${header} [sale@32473 item="3" by="card"][refund@32473 all="no"]`);

    expect(one?.metadata.sd).toEqual([sale]);
    expect(one).not.toHaveProperty('event_message');
    expect(two?.metadata.sd).toEqual([sale, { id: 'refund@32473', all: 'no' }]);
  });

  test('109 may have quotes in its structured data', async () => {
    const event = await storedAs(String.raw`<165>1 - till shop - - [sale@1 size="\"large\""] x`);

    expect(event?.metadata.sd).toEqual([{ id: 'sale@1', size: '"large"' }]);
  });

  test('111 loses its colours, but for one copy', async () => {
    const text = '\u001b[32mready\u001b[0m to sell';

    const event = await storedAs(`<165>1 - till shop - - - ${text}`);

    expect(event).toMatchObject({
      event_message: 'ready to sell',
      metadata: { message_text: text },
    });
  });

  test('112 may hold an object of JSON, but nothing that only looks like one', async () => {
    const header = '<165>1 - till shop - - [sale@1 n="2"]';

    const json = await storedAs(`${header} sold {"till": {"no": 4}, "total": 1250} today`);
    const elixir = await storedAs(`${header} sold %{"total" => 1250}`);

    expect(json?.metadata.sd).toEqual([
      { id: 'json', till: { no: 4 }, total: 1250 },
      { id: 'sale@1', n: '2' },
    ]);
    expect(elixir?.metadata.sd).toEqual([{ id: 'sale@1', n: '2' }]);
  });

  test('113 may end in spaces', async () => {
    const event = await storedAs('<165>1 - till shop - - [sale@1 n="2"]   ');

    expect(event?.metadata.sd).toEqual([{ id: 'sale@1', n: '2' }]);
  });
});

test("110 a message of Heroku's has its length in front and no structured data", async () => {
  const message = '<40>1 2024-04-25T00:00:00+00:00 host app web.7 - State changed to up';

  expect(await storedAs(`${message.length} ${message}`, '/logs/logplex')).toMatchObject({
    timestamp: 1714003200000000,
    event_message: 'State changed to up',
    metadata: {
      facility: 'syslogd',
      severity: 'emergency',
      hostname: 'host',
      appname: 'app',
      process_id: 'web.7',
    },
  });
});

test('116 a batch may come as JSON, one event may not', async () => {
  const event = { event_message: 'sold', till: 4 };

  expect(await stored({ path: '/logs/syslogs', body: { batch: [event] } })).toEqual([event]);
  expect(await send({ path: '/logs/syslogs', body: event })).toMatchObject({
    status: 400,
    answer: { code: 'batch_missing' },
    events: [],
  });
});
