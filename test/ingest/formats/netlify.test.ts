import { describe, expect, test } from 'vitest';
import { decode, Harness, NOW_US, SOURCE, withoutIdAndTime } from '../support.ts';

const path = '/netlify';

async function stored(entry: object): Promise<Record<string, unknown> | undefined> {
  const harness = new Harness();
  await harness.post(entry, path);
  return harness.events[0];
}

const VISIT = {
  log_type: 'traffic',
  method: 'GET',
  status_code: 304,
  client_ip: '192.0.2.7',
  request_id: '01J8',
  url: 'https://shop.example/cart',
  user_agent: 'curl/8',
  country: 'NO',
};

const CALL = {
  log_type: 'functions',
  method: 'POST',
  status_code: 201,
  request_id: '01J9',
  path: '/.netlify/functions/pay',
};

describe('the message', () => {
  test.each([
    [
      'of a visit',
      VISIT,
      'traffic | GET | 304 | 192.0.2.7 | 01J8 | https://shop.example/cart | curl/8',
    ],
    ['of a call', CALL, 'functions | POST | 201 | 01J9 | /.netlify/functions/pay'],
    [
      'prefers the path to the URL',
      { ...VISIT, path: '/cart' },
      'traffic | GET | 304 | 01J8 | /cart',
    ],
    [
      'of another type of log has the same form',
      { ...CALL, log_type: 'edge_functions' },
      'edge_functions | POST | 201 | 01J9 | /.netlify/functions/pay',
    ],
    [
      'is JSON when a part is missing',
      { log_type: 'traffic', method: 'GET', strange: [1] },
      '{"log_type":"traffic","method":"GET","strange":[1]}',
    ],
    [
      'is JSON when the status is no whole number',
      { ...CALL, status_code: '201' },
      JSON.stringify({ ...CALL, status_code: '201' }),
    ],
    [
      'of a deploy is what it says',
      { log_type: 'deploy', level: 'info', message: 'Build ready' },
      'Build ready',
    ],
    [
      'of a function that printed is what it printed',
      { log_type: 'functions', request_id: '01J9', message: 'paid' },
      'paid',
    ],
    ['of any other type is JSON', { log_type: 'waf', rule: 7 }, '{"log_type":"waf","rule":7}'],
  ])('%s', async (_case, entry, message) => {
    expect(await stored({ timestamp: 1713268565764, ...entry })).toMatchObject({
      event_message: message,
      timestamp: 1713268565764000,
    });
  });
});

test('the timestamp is kept, and left out of metadata', async () => {
  const event = await stored({ timestamp: 1713268565764, ...VISIT });
  expect(event?.timestamp).toBe(1713268565764000);
  expect(event?.metadata).toEqual(VISIT);
});

test('an id is kept, in metadata too', async () => {
  const event = await stored({ id: 'n-1', timestamp: 1713268565764, ...VISIT });
  expect(event).toMatchObject({ id: 'n-1', metadata: { id: 'n-1' } });
});

test('what Netlify sends when a drain is set up is stored as that', async () => {
  expect(withoutIdAndTime(await stored({ message: 'drain set up' }))).toEqual({
    event_message: 'drain set up',
    metadata: { log_type: 'validate' },
  });
});

test.each([
  ['other fields', { message: 'x', site_id: 's' }, { log_type: 'validate', site_id: 's' }],
  ['a type of log and no timestamp', { message: 'x', log_type: 'deploy' }, { log_type: 'deploy' }],
])('a bare message with %s keeps them', async (_case, entry, metadata) => {
  expect(await stored(entry)).toMatchObject({ event_message: 'x', metadata });
});

test.each([
  ['neither log type nor message', { site_id: 's' }, '{"site_id":"s"}'],
  ['a log type without timestamp', { log_type: 'waf' }, '{"log_type":"waf"}'],
])('an entry with %s is stored as it arrived', async (_case, entry, message) => {
  expect(await stored(entry)).toMatchObject({
    event_message: message,
    metadata: entry,
    timestamp: NOW_US,
  });
});

test('a list is one event per entry, and what is no object is refused by index', async () => {
  const harness = new Harness();
  const outcome = await harness.post([VISIT, 'x', CALL], path);
  expect(outcome.stored).toBe(2);
  expect(outcome.rejected.map(({ index }) => index)).toEqual([1]);
});

test('reads entries line by line', async () => {
  const body = `${JSON.stringify(VISIT)}\n{broken\n${JSON.stringify(CALL)}\n`;
  const harness = new Harness();
  const { events } = await decode(body, { path, contentType: 'application/x-ndjson' });
  const outcome = await harness.store(events);
  expect(outcome.rejected).toEqual([{ index: 1, reason: 'not a JSON object' }]);
  expect(harness.events.map(({ metadata }) => metadata)).toEqual([VISIT, CALL]);
});

test('a single entry may name its source', async () => {
  expect((await decode({ source: SOURCE.token, message: 'x' }, { path })).source).toEqual({
    token: SOURCE.token,
  });
});
