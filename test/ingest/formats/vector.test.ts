import { describe, expect, test } from 'vitest';
import { decode, Harness, NOW_US, SOURCE, withoutIdAndTime } from '../support.ts';

const path = '/vector';
const timestamp = '2025-06-01T12:00:00.123456789Z';
const TIMESTAMP_US = 1748779200123456;

async function stored(event: unknown): Promise<Record<string, unknown> | undefined> {
  const harness = new Harness();
  await harness.post(event, path);
  return harness.events[0];
}

describe('an event of Vector', () => {
  test('has its message, time and project, and all the rest as metadata', async () => {
    const event = { project: 'p', timestamp, message: 'm', a: 1 };
    expect(await stored(event)).toEqual({
      id: expect.any(String),
      timestamp: TIMESTAMP_US,
      event_message: 'm',
      project: 'p',
      metadata: { project: 'p', a: 1 },
    });
  });

  test('without a message, as metrics are, has its other fields as message', async () => {
    const event = { timestamp, name: 'cpu', gauge: { value: 0.42 }, unit: '' };
    expect(withoutIdAndTime(await stored(event))).toEqual({
      event_message: '{"name":"cpu","gauge":{"value":0.42},"unit":""}',
      metadata: { name: 'cpu', gauge: { value: 0.42 } },
    });
  });

  test('without a message has its project all the same', async () => {
    expect(await stored({ timestamp, project: 'p' })).toMatchObject({
      event_message: '{"project":"p"}',
      project: 'p',
    });
  });

  test.each([
    ['null', null, '{"a":1}'],
    ['empty', '', ''],
    ['a number', 42, '42'],
    ['an object', { b: 2 }, '{"b":2}'],
  ])('whose message is %s', async (_case, message, text) => {
    expect(withoutIdAndTime(await stored({ timestamp, message, a: 1 }))).toEqual({
      event_message: text,
      metadata: { a: 1 },
    });
  });

  test.each([
    ['without a timestamp', undefined],
    ['with a timestamp that is none', 'yesterday'],
  ])('%s has the time of its arrival', async (_case, wrong) => {
    expect(await stored({ message: 'm', timestamp: wrong })).toMatchObject({ timestamp: NOW_US });
  });

  test('keeps its id, in metadata too', async () => {
    expect(await stored({ timestamp, message: 'm', id: 'x' })).toMatchObject({
      id: 'x',
      metadata: { id: 'x' },
    });
  });

  test('has its labels renamed', async () => {
    const event = { timestamp, message: 'm', label: { 'com.docker.compose.project': 'shop' } };
    expect(await stored(event)).toMatchObject({
      metadata: { label: { _com_docker_compose_project: 'shop' } },
    });
  });
});

describe('Vector sends', () => {
  const events = [
    { timestamp, message: 'a' },
    { timestamp, message: 'b' },
  ];

  test.each([
    ['a list', 'application/json', JSON.stringify(events)],
    ['lines', 'application/x-ndjson', events.map((event) => JSON.stringify(event)).join('\n')],
  ])('%s', async (_case, contentType, body) => {
    const harness = new Harness();
    await harness.post(body, path, { contentType });
    expect(harness.events).toMatchObject([
      { event_message: 'a', timestamp: TIMESTAMP_US },
      { event_message: 'b', timestamp: TIMESTAMP_US },
    ]);
  });

  test('what is refused by index', async () => {
    const outcome = await new Harness().post([{ timestamp }, 5, null, 'x', [{}]], path);
    expect(outcome.stored).toBe(1);
    expect(outcome.rejected.map(({ index }) => index)).toEqual([1, 2, 3, 4]);
  });

  test('a source in the event', async () => {
    const { source } = await decode({ source: SOURCE.token, message: 'a' }, { path });
    expect(source).toEqual({ token: SOURCE.token });
  });
});
