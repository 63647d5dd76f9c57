import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/platform/errors.ts';
import { Harness, NOW_MS, SOURCE } from './support.ts';

test('the events of a request are written at once, in order', async () => {
  const harness = new Harness();
  const outcome = await harness.store([{ message: 'a' }, { message: 'b' }, { message: 'c' }]);
  expect(outcome).toEqual({ stored: 3, rejected: [] });
  expect(harness.writes).toEqual([3]);
  expect(harness.events.map(({ event_message }) => event_message)).toEqual(['a', 'b', 'c']);
});

test('rows name their source', async () => {
  const harness = new Harness();
  await harness.store([{}]);
  expect(JSON.parse(harness.rows[0] ?? '').source_id).toBe(SOURCE.token);
});

test('nothing to store is no write', async () => {
  const harness = new Harness();
  expect(await harness.store([])).toEqual({ stored: 0, rejected: [] });
  expect(await harness.store([5])).toMatchObject({ stored: 0, rejected: [{ index: 0 }] });
  expect(harness.writes).toEqual([]);
});

test('events that are refused do not hold up the others, and are logged without their contents', async () => {
  const harness = new Harness();
  const future = { secret: 'hunter2', timestamp: NOW_MS + 7_200_000 };

  const outcome = await harness.store([future, { message: 'ok' }, 'hunter2', future]);

  expect(outcome.stored).toBe(1);
  expect(outcome.rejected).toEqual([
    { index: 0, reason: 'timestamp is more than one hour in the future' },
    { index: 2, reason: 'not a JSON object' },
    { index: 3, reason: 'timestamp is more than one hour in the future' },
  ]);
  expect(harness.logger.lines).toEqual([
    {
      level: 'warn',
      message: 'Events refused',
      fields: {
        source: SOURCE.token,
        refused: 3,
        of: 4,
        first: 'timestamp is more than one hour in the future',
      },
    },
  ]);
});

test('what the sink throws is passed on', async () => {
  const harness = new Harness();
  harness.sinkFailure = new ServiceError('sink_unavailable', 503, 'Try again.', {
    retryAfterSeconds: 3,
  });
  await expect(harness.store([{ message: 'a' }])).rejects.toBe(harness.sinkFailure);
});

describe('the schema', () => {
  test('is saved before the request is answered', async () => {
    const harness = new Harness();
    await harness.store([
      { message: 'a', id: 'x', timestamp: 1, project: 'p', 'user-id': 5, tags: ['t', 1.5] },
      { metadata: { a: { b: true, none: null } }, log_entry: 'l', event_message: 'm' },
    ]);
    expect(harness.registry.calls).toEqual([
      {
        ...{ project: 1, _user_id: 2, tags: 32, 'tags[]': 1 + 4 },
        ...{ metadata: 16, 'metadata.a': 16, 'metadata.a.b': 8, log_entry: 1 },
      },
    ]);
  });

  test('costs no call to the registry once it is known', async () => {
    const harness = new Harness();
    await harness.store([{ metadata: { a: 1 } }]);
    await harness.store([
      { metadata: { a: 2 }, message: 'b' },
      { metadata: {} },
      { metadata: null },
    ]);
    expect(harness.registry.loads).toBe(1);
    expect(harness.registry.calls).toHaveLength(1);
  });

  test('learns a new type of a path that it knows', async () => {
    const harness = new Harness();
    await harness.store([{ a: { b: 1 } }]);
    await harness.store([{ a: { b: 'x' } }]);
    await harness.store([{ a: ['x'] }]);
    expect(harness.registry.calls.slice(1)).toEqual([{ 'a.b': 3 }, { a: 48, 'a[]': 1 }]);
  });

  test('knows a project that is no string', async () => {
    const harness = new Harness();
    await harness.store([{ project: 5 }]);
    expect(harness.registry.calls).toEqual([{ project: 2 }]);
  });

  test('takes nothing from an event that is refused', async () => {
    const harness = new Harness();
    await harness.store([{ early: 1, deep: JSON.parse('['.repeat(70) + ']'.repeat(70)) }]);
    await harness.store([{ early: 1, timestamp: NOW_MS * 2 }]);
    expect(harness.registry.calls).toEqual([]);
  });

  test('is saved before any row of the request is written', async () => {
    const harness = new Harness();
    const { promise: registryAnswers, resolve: answer } = Promise.withResolvers<void>();
    const learn = harness.registry.learn.bind(harness.registry);
    harness.registry.learn = async (token, added) => {
      await registryAnswers;
      await learn(token, added);
    };

    const stored = harness.store([{ a: 1 }]);
    await new Promise((resolve) => setImmediate(resolve));
    const writtenBefore = [...harness.writes];
    answer();
    await stored;

    expect(writtenBefore).toEqual([]);
    expect(harness.writes).toEqual([1]);
  });

  test('that cannot be saved fails the request, which stores nothing', async () => {
    const harness = new Harness();
    await harness.store([{ known: 1 }]);
    harness.registry.failure = new Error('the registry is down');

    const failed = harness.store([{ known: 1 }, { a: 1 }]);
    await expect(failed).rejects.toMatchObject({ code: 'registry_unavailable', status: 503 });
    await expect(harness.store([{ a: 2 }])).rejects.toMatchObject({ status: 503 });
    const whileDown = await harness.store([{ known: 2 }]);
    harness.registry.failure = undefined;
    await harness.store([{ a: 3 }]);

    expect(whileDown).toEqual({ stored: 1, rejected: [] });
    expect(harness.events.map(({ known, a }) => known ?? a)).toEqual([1, 2, 3]);
    expect(await harness.slots()).toEqual([{ known: '1' }, { known: '2' }, { a: '3' }]);
  });

  test('holds up no request that shows nothing new', async () => {
    const harness = new Harness();
    await harness.store([{ known: 1 }]);
    const { promise: registryAnswers, resolve: answer } = Promise.withResolvers<void>();
    const learn = harness.registry.learn.bind(harness.registry);
    harness.registry.learn = async (token, added) => {
      await registryAnswers;
      await learn(token, added);
    };

    const waiting = harness.store([{ a: 1 }]);
    await harness.store([{ known: 2 }]);
    const alsoWaiting = harness.store([{ a: 2 }]);
    answer();
    await Promise.all([waiting, alsoWaiting]);

    expect(harness.events.map(({ known, a }) => known ?? a)).toEqual([1, 2, 1, 2]);
    expect(await harness.slots()).toEqual([{ known: '1' }, { known: '2' }, { a: '1' }, { a: '2' }]);
  });
});
