import { describe, expect, test } from 'vitest';
import { SLOT_COUNT } from '../../../src/lake/layout/columns.ts';
import { MAX_PATHS } from '../../../src/lake/schema/inferred-schema.ts';
import { rawNumber } from '../../../src/platform/json/json.ts';
import { Harness, SOURCE } from '../support.ts';

/** Letters alone: a key with many digits is known as an id at once. */
const word = (n: number): string =>
  [...n.toString(26).padStart(4, '0')]
    .map((digit) => 'qrstuvwxyzabcdefghijklmnop'[Number.parseInt(digit, 26)] ?? 'p')
    .join('');

async function slotsOf(harness: Harness): Promise<readonly string[]> {
  return (await harness.registry.schema(SOURCE.token)).slots;
}

test('each scalar and object outside of lists is in its slot, in the first row as in the next', async () => {
  const harness = new Harness();
  const event = {
    level: 'info',
    project: 'p',
    metadata: {
      request: { path: '/"a"', ok: true },
      status: 200,
      trace: rawNumber('12345678901234567890'),
      tags: ['x', { y: 1 }],
      empty: '',
    },
  };

  await harness.store([event]);
  await harness.store([event, event]);

  const slots = {
    level: 'info',
    metadata: '{}',
    'metadata.request': '{}',
    'metadata.request.path': '/"a"',
    'metadata.request.ok': 'true',
    'metadata.status': '200',
    'metadata.trace': '12345678901234567890',
  };
  expect(await harness.slots()).toEqual([slots, slots, slots]);
  expect(harness.registry.assigned).toHaveLength(1);
});

test('all that the events of a request show is saved at once', async () => {
  const harness = new Harness();

  await harness.store([{ a: 1 }, { b: { c: 'x' } }, { a: 'text' }]);

  expect(harness.registry.assigned).toEqual([['a=string', 'a=number', 'b=object', 'b.c=string']]);
  expect(await harness.slots()).toEqual([{ a: '1' }, { b: '{}', 'b.c': 'x' }, { a: 'text' }]);
});

describe('keys without end leave slots to fields that come later', () => {
  const useful = { level: 'info', metadata: { request: { path: '/' } }, http: { status: 200 } };

  test.each<[string, (n: number) => object]>([
    ['numbers below one object', (n) => ({ by_id: { [`user_${10_000 + n}`]: n } })],
    ['numbers that hold objects', (n) => ({ by_id: { [`${10_000 + n}`]: { age: n } } })],
    ['numbers in the metadata', (n) => ({ metadata: { [`${10_000 + n}`]: n } })],
    ['words below one object', (n) => ({ by_name: { [word(n)]: n } })],
    ['words that hold objects', (n) => ({ by_name: { [word(n)]: { age: n, name: 'x' } } })],
  ])('10,000 of them, %s', async (_, event) => {
    const harness = new Harness();
    for (let first = 0; first < 10_000; first += 500) {
      await harness.store(Array.from({ length: 500 }, (_key, index) => event(first + index)));
    }
    const taken = (await slotsOf(harness)).length;
    const writes = harness.registry.calls.length;
    harness.rows.length = 0;

    await harness.store([useful, useful]);
    await harness.store([event(3), useful]);

    const slots = await harness.slots();
    expect(slots.at(-1)).toMatchObject({
      level: 'info',
      'metadata.request.path': '/',
      'http.status': '200',
    });
    expect(slots.at(-3)).toEqual(slots.at(-1));
    expect(taken).toBeLessThanOrEqual(SLOT_COUNT / 2);
    // One for each request until the schema is full, and none after that.
    expect(writes).toBeLessThanOrEqual(Math.ceil(MAX_PATHS / 500) + 1);
    expect(Object.keys((await harness.registry.schema(SOURCE.token)).types).length).toBeLessThan(
      MAX_PATHS + SLOT_COUNT,
    );
  });

  test('a full schema still learns fields that may have slots, and counts them', async () => {
    const harness = new Harness();
    const ids = Array.from({ length: MAX_PATHS + 1 }, (_, n) => [`id_${10_000 + n}`, 1]);
    await harness.store([Object.fromEntries(ids)]);

    await harness.store([
      { late: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [word(n), 'x'])) },
    ]);

    expect(await slotsOf(harness)).toHaveLength(49);
    const { types } = await harness.registry.schema(SOURCE.token);
    expect(Object.keys(types)).toHaveLength(MAX_PATHS + 49);
  });
});

describe('an event whose texts have no room in its row twice', () => {
  const long = 'é'.repeat(300_000);

  test('is stored, with its long texts in the JSON alone', async () => {
    const harness = new Harness();

    const outcome = await harness.store([
      { metadata: { text: 'a text', level: 'info' } },
      { metadata: { text: long, level: 'error' } },
      { metadata: { text: 'another', level: 'info' } },
    ]);

    expect(outcome).toEqual({ stored: 3, rejected: [] });
    expect(harness.events.map(({ metadata }) => metadata)).toMatchObject([
      { text: 'a text' },
      { text: long },
      { text: 'another' },
    ]);
    // The slot counts for nothing any more, and no row has a value in it.
    expect((await harness.slots()).map((slots) => slots['metadata.text'])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect((await harness.slots()).map((slots) => slots['metadata.level'])).toEqual([
      'info',
      'error',
      'info',
    ]);
  });

  test('is stored by an instance that has known the field for long', async () => {
    const harness = new Harness();
    await harness.store([{ text: 'a text', n: 1 }]);

    const outcome = await harness.store([{ text: long, n: 2 }]);

    expect(outcome).toEqual({ stored: 1, rejected: [] });
    expect(await harness.slots()).toEqual([{ text: 'a text', n: '1' }, { n: '2' }]);
    expect(harness.registry.calls).toHaveLength(2);
  });

  test('is refused where it has none even once', async () => {
    const harness = new Harness();

    const { rejected } = await harness.store([{ text: 'x'.repeat(1_000_000) }, { n: 1 }]);

    expect(rejected).toEqual([
      { index: 0, reason: expect.stringMatching(/^takes 1000\d{3} bytes/) },
    ]);
    expect(harness.rows).toHaveLength(1);
  });
});
