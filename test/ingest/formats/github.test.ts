import { describe, expect, test } from 'vitest';
import { Harness, NOW_US, withoutIdAndTime } from '../support.ts';

const REPOSITORY = { full_name: 'o/r', html_url: 'h' };
const SENDER = { login: 'u', avatar_url: 'a' };

async function stored(payload: unknown) {
  const harness = new Harness();
  await harness.post(payload, '/github');
  return withoutIdAndTime(harness.events[0]);
}

test('stores the payload without its links as metadata', async () => {
  expect(await stored({ action: 'opened', repository: REPOSITORY, sender: SENDER })).toEqual({
    event_message: 'o/r | u | opened',
    metadata: { action: 'opened', repository: { full_name: 'o/r' }, sender: { login: 'u' } },
  });
});

describe('the message', () => {
  test.each([
    ['a push, which has no action', { repository: REPOSITORY, sender: SENDER }, 'o/r | u | '],
    ['no sender', { repository: REPOSITORY, action: 'x' }, 'o/r |  | x'],
    ['no repository', { sender: SENDER, action: 'x' }, ' | u | x'],
    ['nothing', {}, ' |  | '],
    ['parts of other types', { repository: 'o/r', sender: [SENDER], action: 5 }, ' |  | '],
    ['a message of its own', { message: 'm', sender: SENDER }, ' | u | '],
  ])('of a payload with %s', async (_case, payload, message) => {
    expect(await stored(payload)).toMatchObject({ event_message: message });
  });
});

describe('the links', () => {
  test.each([
    ['a key that is just url', { url: 'x' }, { url: 'x' }],
    ['a key that only contains _url', { a_url_b: 'x' }, { a_url_b: 'x' }],
    ['an object under a link key goes whole', { a: 1, foo_url: { b: 1 } }, { a: 1 }],
    ['a list keeps its elements', { labels: [{ name: 'bug' }] }, { labels: [{ name: 'bug' }] }],
    ['scalars in a list', { topics: ['a', 1, true] }, { topics: ['a', 1, true] }],
    [
      'links inside lists go',
      {
        commits: [{ id: 'c', author: { name: 'n', avatar_url: 'a' } }],
        pulls: [[{ url: 'u', html_url: 'h' }]],
      },
      { commits: [{ id: 'c', author: { name: 'n' } }], pulls: [[{ url: 'u' }]] },
    ],
    ['what has nothing but links goes', { a: 1, links: { x_url: 'x' } }, { a: 1 }],
  ])('%s', async (_case, payload, metadata) => {
    expect(await stored(payload)).toMatchObject({ metadata });
  });

  test.each([
    [
      'numbers keep their digits',
      '{"n":12345678901234567890,"a_url":1}',
      '{"n":12345678901234567890}',
    ],
    ['__proto__ is a key', '{"__proto__":{"b":2,"c_url":3}}', '{"__proto__":{"b":2}}'],
  ])('%s', async (_case, payload, metadata) => {
    const harness = new Harness();
    await harness.post(payload, '/github');
    expect(JSON.parse(harness.rows[0] ?? '').metadata).toBe(metadata);
  });
});

test('a payload keeps its own id and timestamp', async () => {
  const harness = new Harness();
  await harness.post({ id: 'abc', timestamp: '2020-01-01T00:00:00Z' }, '/github');
  expect(harness.events[0]).toMatchObject({ id: 'abc', timestamp: 1577836800000000 });
});

test('the time of arrival stands in for a missing timestamp', async () => {
  const harness = new Harness();
  await harness.post({ action: 'x' }, '/github');
  expect(harness.events[0]).toMatchObject({ timestamp: NOW_US });
});

test('a batch is a field like any other', async () => {
  expect(await stored({ batch: [{ a: 1 }] })).toMatchObject({ metadata: { batch: [{ a: 1 }] } });
});

test.each(['[{"action":"x"}]', '5', 'null', '"x"'])('%s is refused', async (body) => {
  expect(await new Harness().post(body, '/github')).toEqual({
    stored: 0,
    rejected: [{ index: 0, reason: 'not a JSON object' }],
  });
});

test.each([
  ['lists', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['objects', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
])('a payload of nested %s is refused', async (_case, nested) => {
  const { rejected } = await new Harness().post(`{"a":${nested}}`, '/github');
  expect(rejected).toEqual([{ index: 0, reason: 'nested deeper than 64 levels' }]);
});
