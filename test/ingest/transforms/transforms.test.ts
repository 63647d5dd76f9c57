import { describe, expect, test } from 'vitest';
import type { Fields } from '../../../src/platform/json/fields.ts';
import { Harness, NOW_US } from '../support.ts';
import { sourceWith, storedWith } from './support.ts';

const copied = async (lines: string, event: unknown) =>
  (await storedWith({ transform_copy_fields: lines }, event)).event;

const dropped = async (lines: string, event: unknown) =>
  (await storedWith({ transform_drop_fields: lines }, event)).event;

describe('copying fields', () => {
  test('73 makes the objects on the way', async () => {
    expect(await copied('food:my.field', { food: 123 })).toEqual({
      food: 123,
      my: { field: 123 },
    });
  });

  test('74 goes line by line, so that a copy can be copied, and keeps the name it is given', async () => {
    expect(await copied('food:field\nfield:123', { food: 123 })).toEqual({
      food: 123,
      field: 123,
      '123': 123,
    });
  });

  test('75 knows fields by the names they are stored under', async () => {
    expect(await copied('_my_food:field', { 'my-food': 123 })).toEqual({
      _my_food: 123,
      field: 123,
    });
  });

  test.each(['food field', 'food-field', 'foodfield', 'missing:field', '', ':'])(
    'fact 76: by the line %j changes nothing',
    async (line) => {
      expect(await copied(line, { food: 123 })).toEqual({ food: 123 });
    },
  );

  test('77 copies false, too', async () => {
    expect(await copied('flag:dest', { flag: false })).toEqual({ flag: false, dest: false });
  });

  test('takes m. for metadata. on both sides', async () => {
    expect(await copied(' m.a:m.b.c ', { metadata: { a: 1, b: { d: 2 } } })).toEqual({
      metadata: { a: 1, b: { c: 1, d: 2 } },
    });
  });

  test('passes over what would go into something that is no object', async () => {
    const event = { a: 1, list: [{}, 1], word: 'x', metadata: { n: 5 } };

    expect(await copied('a:list.b\na:word.b\na:m.n.b\nlist.0:c', event)).toEqual({
      ...event,
      list: [1],
    });
  });

  test('replaces what is there', async () => {
    expect(await copied('a:b\na:metadata', { a: 1, b: { c: 2 }, metadata: { d: 3 } })).toEqual({
      a: 1,
      b: 1,
      metadata: 1,
    });
  });

  test('reads and sets the message and the id, and reads the time', async () => {
    const event = { id: 'i', message: 'm', text: 'other', n: 7 };

    const { row } = await storedWith(
      { transform_copy_fields: 'event_message:was\ntimestamp:at\ntext:event_message\nn:id' },
      event,
    );

    expect(JSON.parse(row ?? '')).toMatchObject({ id: '7', event_message: 'other' });
    expect(JSON.parse(JSON.parse(row ?? '').body)).toEqual({
      text: 'other',
      n: 7,
      was: 'm',
      at: NOW_US,
    });
  });

  test.each([
    ['text', { began: '2024-04-16T11:56:05.764Z' }, 1713268565764000],
    ['text without a zone', { began: '2024-04-16 11:56:05' }, 1713268565000000],
    ['seconds', { began: 1713268565.25 }, 1713268565250000],
    ['microseconds, whenever they were', { began: 12 }, 12],
    [
      'text, though the event says another time',
      { began: '2024-04-16T11:56:05Z', timestamp: 1 },
      1713268565000000,
    ],
    ['no time', { began: 'today' }, NOW_US],
    ['no time, where the event says one', { began: 'today', timestamp: 12 }, 12],
    ['missing', {}, NOW_US],
  ])(
    'gives the event the time of a field that is %s',
    async (_what, { timestamp, ...fields }: Fields, us) => {
      const event = { timestamp, metadata: fields };

      const { row } = await storedWith({ transform_copy_fields: 'm.began:timestamp' }, event);

      const { timestamp_us, metadata = '{}', body } = JSON.parse(row ?? '');
      expect({ timestamp_us, metadata: JSON.parse(metadata), body }).toEqual({
        timestamp_us: us,
        metadata: fields,
        body: undefined,
      });
    },
  );

  test('refuses an event whose time it makes lie ahead', async () => {
    const outcome = await storedWith(
      { transform_copy_fields: 'due:timestamp' },
      { due: '2030-01-01T00:00:00Z' },
    );

    expect(outcome).toMatchObject({
      stored: 0,
      rejected: [{ index: 0, reason: 'timestamp is more than one hour in the future' }],
    });
  });

  test('shows filters the time that it made', async () => {
    const settings = {
      transform_copy_fields: 'began:timestamp\ntimestamp:at',
      drop_lql_string: 'at:1713268565000000',
    };

    expect(await storedWith(settings, { began: 1713268565 })).toMatchObject({ dropped: 1 });
  });

  test('leaves the event that was sent alone', async () => {
    const event = Object.freeze({ metadata: Object.freeze({ a: Object.freeze({ b: 1 }) }) });

    expect(await copied('m.a:m.c\nm.a.b:m.c.d', event)).toEqual({
      metadata: { a: { b: 1 }, c: { b: 1, d: 1 } },
    });
    expect(event).toEqual({ metadata: { a: { b: 1 } } });
  });

  test('fills slots and the project', async () => {
    const { harness, row } = await storedWith(
      { transform_copy_fields: 'tenant:project\nverb:m.request.method' },
      { tenant: 'acme', verb: 'GET' },
    );

    expect(JSON.parse(row ?? '')).toMatchObject({ project: 'acme' });
    expect(await harness.slots()).toEqual([
      {
        tenant: 'acme',
        verb: 'GET',
        metadata: '{}',
        'metadata.request': '{}',
        'metadata.request.method': 'GET',
      },
    ]);
  });

  test.each([
    [
      'doubles too often',
      Array.from({ length: 30 }, (_, i) => `metadata:m.c${i}`),
      'bytes to store',
    ],
    [
      'nests too deep',
      Array.from({ length: 70 }, () => 'metadata:m.c'),
      'nested deeper than 64 levels',
    ],
  ])('refuses an event that it %s', async (_, lines, reason) => {
    const metadata = { text: 'x'.repeat(40) };

    const outcome = await storedWith({ transform_copy_fields: lines.join('\n') }, { metadata });

    expect(outcome).toMatchObject({
      stored: 0,
      rejected: [{ index: 0, reason: expect.stringContaining(reason) }],
    });
  });
});

describe('dropping fields', () => {
  test('81 takes away only the field that is named', async () => {
    const event = { service: 'text', metadata: { routing: { region: 'eu', zone: 'a' } } };

    expect(await dropped('m.routing.region\nservice.region\nmissing\nm.x.y', event)).toEqual({
      service: 'text',
      metadata: { routing: { zone: 'a' } },
    });
  });

  test('82 keeps what every event needs, but not below metadata', async () => {
    const event = { id: 'i', message: 'm', service: 's', metadata: { id: 1, x: 2 } };

    const { row } = await storedWith(
      { transform_drop_fields: 'id\nevent_message\ntimestamp\nservice\nmetadata.id' },
      event,
    );

    const { id, event_message, timestamp_us, metadata, body } = JSON.parse(row ?? '');
    expect({ id, event_message, timestamp_us, metadata, body }).toEqual({
      id: 'i',
      event_message: 'm',
      timestamp_us: NOW_US,
      metadata: '{"x":2}',
    });
  });

  test('83 knows fields by the names they are stored under', async () => {
    expect(await dropped('my-key', { 'my-key': 1, b: 2 })).toEqual({ _my_key: 1, b: 2 });
    expect(await dropped('_my_key', { 'my-key': 1, b: 2 })).toEqual({ b: 2 });
  });

  test('84 comes after copying', async () => {
    const settings = { transform_copy_fields: '_my_key:kept', transform_drop_fields: '_my_key' };

    expect((await storedWith(settings, { 'my-key': 1 })).event).toEqual({ kept: 1 });
  });

  test('does not look into lists', async () => {
    const event = { items: [{ secret: 1 }] };

    expect(await dropped('items.secret\nitems.0', event)).toEqual(event);
  });

  test('leaves no empty objects behind', async () => {
    expect(await dropped('m.a.b', { c: 1, metadata: { a: { b: 1 } } })).toEqual({ c: 1 });
  });

  test('can take all there is', async () => {
    const { row } = await storedWith(
      { transform_drop_fields: 'project\nmetadata\na' },
      { project: 'p', a: 1, metadata: { project: 'q', level: 'info' } },
    );

    const { id: _, ...columns } = JSON.parse(row ?? '');
    expect(Object.keys(columns)).toEqual(['source_id', 'timestamp', 'timestamp_us', 'ingested_at']);
  });
});

test('the schema learns what is stored', async () => {
  const harness = new Harness();
  const source = sourceWith({
    transform_copy_fields: 'm.user.id:user_id',
    transform_drop_fields: 'm.user',
  });

  await harness.pipeline.store(source, [{ metadata: { user: { id: 5 }, level: 'info' } }]);

  expect(harness.registry.calls).toEqual([{ metadata: 16, 'metadata.level': 1, user_id: 2 }]);
});
