import { describe, expect, test } from 'vitest';
import { Harness } from '../support.ts';
import { sourceWith, storedWith } from './support.ts';

/** The message of an event under `custom_event_message_keys`. */
async function message(keys: string, event: object): Promise<unknown> {
  const { row } = await storedWith({ custom_event_message_keys: keys }, event);
  return JSON.parse(row ?? '').event_message;
}

describe('a custom message', () => {
  test('85 is made of JSON texts, but for the id and the message', async () => {
    const event = { id: 'i1', message: 'some message', metadata: { a: 'value' } };

    expect(await message('id, event_message, m.a', event)).toBe('i1 | some message | "value"');
  });

  test('86 has null for what is missing', async () => {
    expect(await message('m.missing, metadata.k, m.k', { metadata: { k: 1 } })).toBe(
      'null | 1 | 1',
    );
  });

  test.each([
    ['message', { message: 'm' }, 'm'],
    ['message', {}, ''],
    ['n,b,text', { n: 1.5, b: false, text: 'é"' }, '1.5 | false | "é\\""'],
    ['m.o', { metadata: { o: { a: [1] } } }, '{"a":[1]}'],
    ['m.list[1].x, m.list[5]', { metadata: { list: [{ x: 1 }, { x: 2 }] } }, '2 | null'],
    ['m.list.x', { metadata: { list: [{ x: 1 }] } }, 'null'],
    ['timestamp', { timestamp: 1713268565764 }, '1713268565764000'],
    ['constructor, m.__proto__', { metadata: { a: 1 } }, 'null | null'],
    [' , n ,', { n: 1 }, '1'],
  ])('%s of %j', async (keys, event, expected) => {
    expect(await message(keys, event)).toBe(expected);
  });

  test('sees the fields as they were transformed', async () => {
    const { row } = await storedWith(
      {
        transform_copy_fields: 'a:b',
        transform_drop_fields: 'a',
        custom_event_message_keys: 'a, b',
      },
      { a: 1 },
    );

    expect(JSON.parse(row ?? '').event_message).toBe('null | 1');
  });

  test('that makes an event too large has it refused', async () => {
    const outcome = await storedWith(
      { custom_event_message_keys: 'text' },
      { text: 'x'.repeat(600_000) },
    );

    expect(outcome.rejected).toEqual([{ index: 0, reason: expect.stringContaining('to store') }]);
  });
});

describe('a drop filter', () => {
  test('87 keeps what it fits from being stored', async () => {
    const outcome = await storedWith({ drop_lql_string: 'testing' }, { message: 'testing 123' });

    expect(outcome).toMatchObject({ stored: 0, dropped: 1, rejected: [] });
    expect(outcome.row).toBeUndefined();
  });

  test('sees the transformed event, and the message that was sent', async () => {
    const settings = {
      transform_copy_fields: 'a:b',
      custom_event_message_keys: 'b',
    };
    const byField = await storedWith(
      { ...settings, drop_lql_string: 'b:1 original' },
      {
        a: 1,
        message: 'original',
      },
    );

    expect(byField).toMatchObject({ stored: 0, dropped: 1 });
  });

  test('leaves all other events of a request, and their count', async () => {
    const harness = new Harness();

    const outcome = await harness.pipeline.store(sourceWith({ drop_lql_string: '-level:error' }), [
      { level: 'info', message: 'a' },
      { level: 'error', message: 'b' },
      5,
      { message: 'no level' },
    ]);

    expect(outcome).toEqual({
      stored: 2,
      dropped: 1,
      rejected: [{ index: 2, reason: 'not a JSON object' }],
    });
    expect(harness.events.map(({ event_message }) => event_message)).toEqual(['b', 'no level']);
  });

  test('leaves no trace in the schema, and no write for nothing', async () => {
    const harness = new Harness();

    await harness.pipeline.store(sourceWith({ drop_lql_string: 'x:1' }), [{ x: 1 }]);

    expect(harness.registry.calls).toEqual([]);
    expect(harness.writes).toEqual([]);
  });

  test('that can no longer be read is logged and drops nothing', async () => {
    const harness = new Harness();
    const source = sourceWith({ drop_lql_string: 'a:' });

    await harness.pipeline.store(source, [{ a: 1 }]);
    const outcome = await harness.pipeline.store(source, [{ a: 1 }]);

    expect(outcome).toEqual({ stored: 1, rejected: [] });
    expect(harness.logger.lines).toEqual([
      {
        level: 'error',
        message: 'A filter in the settings of a source cannot be read',
        fields: { source: source.token, error: expect.stringContaining('(line 1, column 3)') },
      },
    ]);
  });
});

test('a change of the settings counts from the next request', async () => {
  const harness = new Harness();
  const before = sourceWith({ drop_lql_string: 'a:1' });
  const after = { ...before, drop_lql_string: null, custom_event_message_keys: 'a' };

  await harness.pipeline.store(before, [{ a: 1 }]);
  await harness.pipeline.store({ ...after, updatedAt: '2025-01-02T00:00:00.000Z' }, [{ a: 1 }]);

  expect(harness.events.map(({ event_message }) => event_message)).toEqual(['1']);
});
