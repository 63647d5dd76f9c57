import { describe, expect, test } from 'vitest';
import { Harness } from '../support.ts';

async function messageOf(event: unknown, path: string): Promise<unknown> {
  const harness = new Harness();
  // Twice, since the second event takes the fast way.
  await harness.post([event], path);
  await harness.post([event], path);
  const [first, second] = harness.events;
  expect(second?.event_message).toBe(first?.event_message);
  return first?.event_message;
}

describe.each(['', '/json', '/vector'])('on /logs%s the message is', (path) => {
  test.each([
    ['msg, of slog, zap and logrus', { level: 'INFO', msg: 'up' }, 'up'],
    ['short_message, of GELF', { version: '1.1', short_message: 'up', full_message: 'up 2' }, 'up'],
    ['log, of Docker', { log: 'up\n', stream: 'stderr' }, 'up\n'],
    ['text', { text: 'up' }, 'up'],
    ['message before all of them', { text: 'd', log: 'c', msg: 'b', message: 'a' }, 'a'],
    ['log_entry before all of them', { msg: 'b', log_entry: 'a' }, 'a'],
    ['msg before the others', { text: 'd', log: 'c', short_message: 'b', msg: 'a' }, 'a'],
    ['the first that is a text', { msg: { a: 1 }, short_message: 5, log: '', text: 'a' }, 'a'],
    ['an empty message, where there is one', { message: '', msg: 'b' }, ''],
  ])('%s', async (_case, event, message) => {
    expect(await messageOf(event, path)).toBe(message);
  });
});

test('the field stays in the event', async () => {
  const harness = new Harness();

  await harness.post({ msg: 'up', log: { level: 'info' } });

  expect(harness.events).toMatchObject([
    { event_message: 'up', msg: 'up', log: { level: 'info' } },
  ]);
});

test('a text that is very long is not kept twice, so that its event still fits', async () => {
  expect(await messageOf({ log: 'x'.repeat(100_000) }, '')).toHaveLength(100_000);
  expect(await messageOf({ log: 'x'.repeat(900_000) }, '')).toBeUndefined();
});

test('data under these names is no message', async () => {
  expect(await messageOf({ log: { level: 'info' }, text: 5 }, '')).toBeUndefined();
});
