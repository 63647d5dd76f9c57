import { describe, expect, test } from 'vitest';
import { decode, Harness, SOURCE, withoutIdAndTime } from '../support.ts';

const path = '/typecasts';
const toFloat = (...keys: unknown[]) => ({ path: keys, from: 'string', to: 'float' });

/** The fields of one event with typecasts, as they are stored. */
async function cast(body: unknown, ...typecasts: unknown[]): Promise<unknown> {
  const harness = new Harness();
  await harness.post({ batch: [{ body, typecasts }] }, path);
  return withoutIdAndTime(harness.events[0]);
}

describe('a typecast', () => {
  test('makes a number of the text at its path, and of no other', async () => {
    const body = { metadata: { key1: '10000.00001', key2: '10000.00001' } };
    expect(await cast(body, toFloat('metadata', 'key1'))).toEqual({
      metadata: { key1: 10000.00001, key2: '10000.00001' },
    });
  });

  test('goes through lists of objects', async () => {
    const body = { metadata: { key2: [{ key3: '0.125' }, { 'key3.1': 'x' }] } };
    expect(await cast(body, toFloat('metadata', 'key2', 'key3'))).toEqual({
      metadata: { key2: [{ key3: 0.125 }, { _key3_1: 'x' }] },
    });
  });

  test.each([
    ['10', 10],
    ['-1.5', -1.5],
    ['+2.50', 2.5],
    ['1.5e3', 1500],
    ['007', 7],
  ])('reads %j', async (text, number) => {
    expect(await cast({ v: text }, toFloat('v'))).toEqual({ v: number });
  });

  test.each([
    ['its path is missing', { v: '1' }, toFloat('w')],
    ['its path leads through a text', { v: '1' }, toFloat('v', 'w')],
    ['its path is empty', { v: '1' }, toFloat()],
    ['its path is longer than events nest', { v: '1' }, toFloat(...Array(65).fill('v'))],
    ['its path has a key that is no text', { v: '1' }, toFloat(0)],
    ['its path is no list', { v: '1' }, { path: 'v', from: 'string', to: 'float' }],
    ['it is for integers', { v: '1' }, { path: ['v'], from: 'string', to: 'integer' }],
    ['it is for what is no text', { v: '1' }, { path: ['v'], from: 'integer', to: 'float' }],
    ['it is null', { v: '1' }, null],
    ['the value is no text', { v: [1, true, '1'] }, toFloat('v')],
    ['the path names a prototype', { v: '1' }, toFloat('__proto__', 'v')],
  ])('changes nothing when %s', async (_case, body, typecast) => {
    expect(await cast(body, typecast)).toEqual(body);
  });

  test('does not count for keys that it does not know', async () => {
    expect(await cast({ v: '1' }, { ...toFloat('v'), note: 'x' })).toEqual({ v: 1 });
  });

  test('of a text and of what lies below it may stand side by side', async () => {
    const body = { a: [{ b: '1' }, { b: { c: '2' } }] };
    expect(await cast(body, toFloat('a', 'b'), toFloat('a', 'b', 'c'))).toEqual({
      a: [{ b: 1 }, { b: { c: 2 } }],
    });
  });

  test('leaves the digits of long integers alone', async () => {
    const body = '{"batch":[{"body":{"n":12345678901234567890},"typecasts":[]}]}';
    const harness = new Harness();
    await harness.post(body.replace('[]', JSON.stringify([toFloat('n', 'rawJSON')])), path);
    expect(harness.rows[0]).toContain('12345678901234567890');
  });

  test.each(['not-a-number', '1.5 ', '', '.5', '5.', '1e999', 'NaN', 'Infinity', '0x10', '1_000'])(
    'to a number of %j refuses its event and no other',
    async (text) => {
      const batch = [
        { message: 'a' },
        { body: { v: text }, typecasts: [toFloat('v')] },
        { message: 'b' },
      ];
      expect(await new Harness().post({ batch }, path)).toEqual({
        stored: 2,
        rejected: [{ index: 1, reason: 'the text at "v" cannot be cast to float' }],
      });
    },
  );

  test('costs little, however many meet however many objects', async () => {
    const body = { list: Array.from({ length: 10_000 }, () => ({ v: '1' })) };
    const typecasts = Array.from({ length: 10_000 }, (_, index) => toFloat('list', `k${index}`));
    const { events } = await decode(
      { batch: [{ body, typecasts }] },
      { path, maxInflatedBytes: 2e6 },
    );
    expect(events).toEqual([body]);
  });
});

describe('an element', () => {
  const event = { message: 'a', '@logflareTransformDirectives': { numbersToFloats: true } };

  test.each([
    ['an event as it stands', event],
    ['an event with a body', { ...event, body: { v: '1' } }],
    ['an event with typecasts', { ...event, typecasts: [toFloat('v')] }],
  ])('may be %s', async (_case, element) => {
    expect((await decode({ batch: [element] }, { path })).events).toEqual([element]);
  });

  test('keeps id and timestamp of its body', async () => {
    const harness = new Harness();
    const body = { id: 'x', timestamp: '2024-01-01T00:00:00Z' };
    await harness.post({ batch: [{ body, typecasts: [] }] }, path);
    expect(harness.events).toEqual([{ id: 'x', timestamp: 1704067200000000 }]);
  });

  test('is refused when it or its body is no object', async () => {
    const batch = [5, { body: 'x', typecasts: [] }, { body: null, typecasts: [] }, {}];
    const { stored, rejected } = await new Harness().post({ batch }, path);
    expect({ stored, refused: rejected.map(({ index }) => index) }).toEqual({
      stored: 1,
      refused: [0, 1, 2],
    });
  });
});

test('a list is a batch too', async () => {
  expect((await decode([{ a: 1 }], { path })).events).toEqual([{ a: 1 }]);
});

test.each(['{}', '{"batch":{}}', '{"message":"a"}', 'null', '5', ''])(
  '%j has no batch and is refused',
  async (body) => {
    await expect(decode(body, { path })).rejects.toMatchObject({
      status: 400,
      code: 'batch_missing',
    });
  },
);

test('the source may stand beside the batch', async () => {
  const { source } = await decode({ source: SOURCE.token, batch: [] }, { path });
  expect(source).toEqual({ token: SOURCE.token });
});
