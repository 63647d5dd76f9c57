import { describe, expect, test } from 'vitest';
import { Harness, NOW_US, withoutIdAndTime } from '../support.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What is stored of an event, posted as JSON text or value. */
async function stored(event: unknown): Promise<unknown> {
  const harness = new Harness();
  await harness.post(event);
  return withoutIdAndTime(harness.events[0]);
}

describe('message', () => {
  test.each([
    ['message', { message: 'a' }, { event_message: 'a' }],
    ['event_message', { event_message: 'a' }, { event_message: 'a' }],
    ['log_entry, which is kept', { log_entry: 'a' }, { log_entry: 'a', event_message: 'a' }],
    ['message before event_message', { message: 'a', event_message: 'b' }, { event_message: 'a' }],
    [
      'event_message before log_entry',
      { event_message: 'a', log_entry: 'b' },
      { event_message: 'a', log_entry: 'b' },
    ],
    ['an empty message', { message: '', event_message: 'b' }, { event_message: '' }],
    [
      'event_message past a null message',
      { message: null, event_message: 'b' },
      { event_message: 'b' },
    ],
    [
      'event_message past a false message, which is kept',
      { message: false, event_message: 'b' },
      { message: false, event_message: 'b' },
    ],
    ['nothing', { some: 'x' }, { some: 'x' }],
  ])('is %s', async (_case, event, expected) => {
    expect(await stored(event)).toEqual(expected);
  });

  test.each([
    ['a number', '42', '42'],
    ['an unsafe integer', '12345678901234567890', '12345678901234567890'],
    ['true', 'true', 'true'],
    ['a list', '[1,"a"]', '[1,"a"]'],
    ['an object', '{"a":1}', '{"a":1}'],
  ])('that is %s becomes JSON text and is not repeated', async (_case, json, text) => {
    expect(await stored(`{"message":${json}}`)).toEqual({ event_message: text });
  });

  test('an object that cleaning changes is kept beside its text', async () => {
    expect(await stored({ message: { 'user-id': 1 } })).toEqual({
      event_message: '{"user-id":1}',
      message: { _user_id: 1 },
    });
  });
});

describe('id', () => {
  test.each([
    ['text', '"abc"', 'abc'],
    ['a number', '7', '7'],
    ['an unsafe integer', '12345678901234567890', '12345678901234567890'],
    ['an object', '{"a":1}', '{"a":1}'],
  ])('is kept when it is %s', async (_case, json, id) => {
    const harness = new Harness();
    await harness.post(`{"id":${json}}`);
    expect(harness.events[0]?.id).toBe(id);
  });

  test.each(['null', 'false', '""', '[]', '{"a":null}'])('is a fresh UUID for %s', async (json) => {
    const harness = new Harness();
    await harness.post(`{"id":${json}}`);
    expect(harness.events[0]?.id).toMatch(UUID_V7);
  });

  test('is a fresh UUID for every event without one', async () => {
    const harness = new Harness();
    await harness.post([{}, {}]);
    const [first, second] = harness.events;
    expect(first?.id).toMatch(UUID_V7);
    expect(second?.id).not.toBe(first?.id);
  });

  test.each([
    ['its time', '2026-02-03T10:30:00.123456Z', '019c230d-4cbb-7'],
    ['the epoch when it is older', '1969-07-20T20:17:40Z', '00000000-0000-7'],
  ])('of an event without one begins with %s', async (_case, timestamp, start) => {
    const harness = new Harness();
    const event = { timestamp, message: 'no id' };
    // The second event takes the quick way of events that look like those before them.
    await harness.post([event, event]);
    for (const { id } of harness.events) expect(String(id).slice(0, 15)).toBe(start);
  });
});

describe('cleaning', () => {
  test('removes null and what is empty at every depth, and keeps zero, false and white space', async () => {
    const event = {
      ...{ a: null, b: '', c: [], d: {}, e: [''], f: { g: [[]] } },
      ...{ h: 0, i: false, j: ' ' },
    };
    expect(await stored(event)).toEqual({ h: 0, i: false, j: ' ' });
  });

  test('removes empty lists inside lists', async () => {
    expect(await stored({ lists: { nested: [[]] }, ok: ['1337'] })).toEqual({ ok: ['1337'] });
  });

  test('closes the gaps in lists', async () => {
    expect(await stored({ a: [1, null, '', 2, { b: null }, [3, null]] })).toEqual({
      a: [1, 2, [3]],
    });
  });

  test('leaves an event of nothing but empty fields without fields', async () => {
    expect(await stored({ metadata: { a: { b: [] } }, c: '' })).toEqual({});
  });

  test('does not change the event that it was given', async () => {
    const event = { 'a-b': { c: null, 'd-e': [null, 1] }, metadata: { x: '', y: 1 } };
    const before = structuredClone(event);
    await new Harness().store([event]);
    expect(event).toEqual(before);
  });
});

describe('keys', () => {
  test('are renamed at the top', async () => {
    expect(await stored({ 'test-field': 123 })).toEqual({ _test_field: 123 });
  });

  test('are renamed at every depth', async () => {
    const event = { metadata: { level1: { level2: { 'status-code': 200 } } } };
    const expected = { metadata: { level1: { level2: { _status_code: 200 } } } };
    expect(await stored(event)).toEqual(expected);
  });

  test('are renamed inside lists', async () => {
    expect(await stored({ a: [{ 'b.c': 1 }, { ok: 2 }] })).toEqual({ a: [{ _b_c: 1 }, { ok: 2 }] });
  });

  test('keep their order', async () => {
    const event = (await stored('{"metadata":{"z":1,"a-b":2,"y":3}}')) as { metadata: object };
    expect(Object.keys(event.metadata)).toEqual(['z', '_a_b', 'y']);
  });

  test.each([
    ['{"a-b":1,"a.b":2}', 2],
    ['{"a.b":2,"a-b":1}', 2],
    ['{"_a_b":1,"a b":2}', 2],
    ['{"a b":2,"_a_b":1}', 2],
    ['{"_a_b":3,"A":1,"a-b":null}', 3],
    ['{"a b":1,"a.b":3,"a-b":2}', 3],
  ])('of %s that share a name, the last in order of their bytes wins', async (fields, winner) => {
    expect(await stored(`{"metadata":${fields}}`)).toMatchObject({ metadata: { _a_b: winner } });
    expect(await stored(fields)).toMatchObject({ _a_b: winner });
  });

  test('of three that share a name, the last wins over both', async () => {
    expect(await stored('{"A-b":1,"_A_b":2,"A.b":3}')).toEqual({ _A_b: 2 });
  });

  test('__proto__ and constructor are names like any other', async () => {
    const fields =
      '{"__proto__":{"a-b":1},"constructor":{"prototype":{"a-b":1}},"toString":1,"hasOwnProperty":"x"}';
    const harness = new Harness();

    await harness.post(`{"metadata":${fields},"__proto__":{"a-b":2},"x-y":1}`);

    const row = JSON.parse(harness.rows[0] ?? '');
    expect(row.metadata).toBe(fields.replaceAll('a-b', '_a_b'));
    expect(row.body).toBe('{"__proto__":{"_a_b":2},"_x_y":1}');
    expect(({} as { _a_b?: unknown })._a_b).toBeUndefined();
  });

  test('an empty key stays', async () => {
    expect(await stored({ metadata: { '': 1 } })).toEqual({ metadata: { '': 1 } });
  });
});

describe('fields', () => {
  test.each([['"some string"'], ['5'], ['true'], ['[1,{"a":2}]'], ['{"a":1}']])(
    'metadata may be %s',
    async (json) => {
      expect(await stored(`{"metadata":${json}}`)).toEqual({ metadata: JSON.parse(json) });
    },
  );

  test('valid and pipeline_error are fields like any other', async () => {
    const event = { valid: false, pipeline_error: 'x' };
    expect(await stored(event)).toEqual(event);
  });

  test('names of columns are fields like any other', async () => {
    const event = { source_id: 'a', body: 'b', timestamp_us: 1, ingested_at: 'c', level: 'd' };
    expect(await stored(event)).toEqual(event);
  });

  test('a project that is no string stays among the other fields, and its text is the project', async () => {
    const harness = new Harness();
    await harness.post({ project: 7 });
    const row = { project: '7', body: '{"project":7}' };
    expect(JSON.parse(harness.rows[0] ?? '')).toMatchObject(row);
  });

  test('integers beyond 2^53 keep their digits everywhere', async () => {
    const harness = new Harness();
    const fields = '"a":[9223372036854775807],"b":{"c-d":-12345678901234567890}';
    await harness.post(`{"metadata":{${fields}},${fields}}`);
    const { metadata, body } = JSON.parse(harness.rows[0] ?? '');
    expect([metadata, body]).toEqual(Array(2).fill(`{${fields.replace('c-d', '_c_d')}}`));
  });

  test('lone surrogates become U+FFFD, because no engine reads them', async () => {
    const bad = '\ud800';
    const event = {
      id: bad,
      project: bad,
      message: bad,
      metadata: { level: `a${bad}`, l: [bad] },
      o: bad,
    };
    const harness = new Harness();

    await harness.post(JSON.stringify(event));

    expect(harness.rows[0]).not.toContain('\\ud800');
    expect(harness.events[0]).toEqual({
      ...{
        id: '\ufffd',
        project: '\ufffd',
        event_message: '\ufffd',
        o: '\ufffd',
        timestamp: NOW_US,
      },
      metadata: { level: 'a\ufffd', l: ['\ufffd'] },
    });
    expect(await harness.slots()).toMatchObject([{ 'metadata.level': 'a\ufffd', o: '\ufffd' }]);
  });

  test('text that spells the escape of a surrogate is left alone', async () => {
    const event = { metadata: { a: '\\ud800', n: 1 } };
    expect(await stored(event)).toEqual(event);
  });

  test('unsafe integers survive beside a lone surrogate', async () => {
    const harness = new Harness();
    await harness.post('{"metadata":{"a":"\\ud800","n":[12345678901234567890,true]}}');
    expect(JSON.parse(harness.rows[0] ?? '').metadata).toBe(
      '{"a":"\ufffd","n":[12345678901234567890,true]}',
    );
  });

  test('NUL is kept', async () => {
    const event = { event_message: 'a\u0000b', metadata: { c: '\u0000' } };
    expect(await stored(event)).toEqual(event);
  });
});

describe('what is refused', () => {
  const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const keys = (count: number): Record<string, number> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

  test.each(['1', '"x"', 'null', 'true', '[]', '12345678901234567890'])(
    'what is no object: %s',
    async (json) => {
      const harness = new Harness();
      const outcome = await harness.post(`[{"a":1},${json}]`);
      expect(outcome).toEqual({ stored: 1, rejected: [{ index: 1, reason: 'not a JSON object' }] });
    },
  );

  test('an event nested deeper than 64 levels', async () => {
    const harness = new Harness();
    const outcome = await harness.post(`[${nested(64)},${nested(65)}]`);
    expect(outcome).toEqual({
      stored: 1,
      rejected: [{ index: 1, reason: 'nested deeper than 64 levels' }],
    });
  });

  test.each(['message', 'event_message', 'id', 'log_entry'])(
    'an event whose %s nests a hundred thousand levels',
    async (field) => {
      const deep = '['.repeat(100_000) + ']'.repeat(100_000);
      const { rejected } = await new Harness().post(`[{"${field}":${deep}}]`);
      expect(rejected).toEqual([{ index: 0, reason: 'nested deeper than 64 levels' }]);
    },
  );

  test('a generic JSON event that nests a hundred thousand levels', async () => {
    const { rejected } = await new Harness().post(`[${nested(100_000)}]`, '/json');
    expect(rejected).toEqual([{ index: 0, reason: 'nested deeper than 64 levels' }]);
  });

  test('an event of more than 10,000 keys', async () => {
    const harness = new Harness();
    const outcome = await harness.post([keys(10_000), { a: keys(10_000) }]);
    expect(outcome).toEqual({
      stored: 1,
      rejected: [{ index: 1, reason: 'more than 10000 keys' }],
    });
  });

  test('no event for the keys of the one before', async () => {
    const harness = new Harness();
    expect(await harness.post([keys(9000), keys(9000)])).toEqual({ stored: 2, rejected: [] });
  });

  test('an event with a key of more than 1,000 characters', async () => {
    const harness = new Harness();
    const outcome = await harness.post([
      { ['k'.repeat(1000)]: 1 },
      { a: { ['k'.repeat(1001)]: 1 } },
    ]);
    expect(outcome).toEqual({
      stored: 1,
      rejected: [{ index: 1, reason: 'a key is longer than 1000 characters' }],
    });
  });

  test.each(['1e400', '-1e400', '9'.repeat(400)])(
    'an event with a number that no engine can read: %.12s',
    async (number) => {
      const { rejected } = await new Harness().post(`[{"a":[${number}]}]`);
      expect(rejected).toEqual([
        { index: 0, reason: 'a number is beyond the range of a 64-bit float' },
      ]);
    },
  );

  test('an event whose row takes more than a million bytes', async () => {
    const harness = new Harness();
    const outcome = await harness.store([{ a: 'x' }, { a: 'é'.repeat(500_000) }, { a: 'y' }]);
    expect(outcome.stored).toBe(2);
    expect(outcome.rejected).toEqual([
      {
        index: 1,
        reason: expect.stringMatching(/^takes 1000\d{3} bytes to store, and 1000000 is the most$/),
      },
    ]);
  });
});
