import { describe, expect, test } from 'vitest';
import { stored } from './support.ts';

/** What one event is stored as. */
async function storedAs(event: object): Promise<unknown> {
  const events = await stored({ body: event });
  expect(events).toHaveLength(1);
  return events[0];
}

describe('the message', () => {
  test('63 is the field message, which is not kept twice', async () => {
    expect(await storedAs({ message: 'paid' })).toEqual({ event_message: 'paid' });
  });

  test('64 is message rather than event_message', async () => {
    expect(await storedAs({ message: 'paid', event_message: 'other' })).toEqual({
      event_message: 'paid',
    });
  });
});

test('65 metadata may be a text', async () => {
  expect(await storedAs({ metadata: 'free text' })).toEqual({ metadata: 'free text' });
});

test('66 fields that sound like a verdict are fields', async () => {
  const event = { valid: false, pipeline_error: 'none of yours' };

  expect(await storedAs(event)).toEqual(event);
});

describe('a key becomes a name that SQL can say', () => {
  const NAMES: Readonly<Record<string, string>> = {
    'user-agent': '_user_agent',
    'x-y-z': '_x_y_z',
    '---': '____',
    'wow!': '_wow_',
    'p.q': '_p_q',
    'p q': '_p_q',
    '2nd': '_2nd',
    '2-nd': '_2_nd',
    '2nd!': '__2nd_',
    'p-q!': '__p_q_',
    '2-nd!': '__2_nd_',
    '@version': '__version',
    'host.name': '_host_name',
    ü: '__',
    '2ü': '__2_',
    _TABLE_: '__TABLE_',
    _TABLE_z: '__TABLE_z',
    _PARTITION7: '__PARTITION7',
    __ROOT__z: '___ROOT__z',
    '_TABLE_-z': '___TABLE__z',
    '_TABLE_z!': '___TABLE_z_',
    _TABLE_7z: '__TABLE_7z',
    z_TABLE_z: 'z_TABLE_z',
    ['b'.repeat(128)]: 'b'.repeat(128),
    ['b'.repeat(129)]: `_${'b'.repeat(128)}`,
  };

  test('67 at the top', async () => {
    expect(await storedAs({ 'order-no': 71 })).toEqual({ _order_no: 71 });
  });

  test('68 at every depth', async () => {
    expect(await storedAs({ metadata: { a: { b: { 'http-status': 204 } } } })).toEqual({
      metadata: { a: { b: { _http_status: 204 } } },
    });
  });

  test('69 by what is special in it', async () => {
    const keys = Object.keys(NAMES);

    const events = await stored({ body: keys.map((key) => ({ [key]: 1 })) });

    expect(events).toEqual(keys.map((key) => ({ [String(NAMES[key])]: 1 })));
  });

  test('72 and stays it when it is sent again', async () => {
    // A name that was cut is longer than a name may be.
    const names = Object.values(NAMES).filter((name) => name.length <= 128);

    const events = await stored({ body: names.map((name) => ({ [name]: 1 })) });

    expect(events).toEqual(names.map((name) => ({ [name]: 1 })));
  });
});

describe('what is empty is left out', () => {
  test('70 but zero and false are something', async () => {
    const event = {
      nothing: null,
      text: '',
      list: [],
      object: {},
      texts: ['', ''],
      nested: { deeper: [[]] },
      count: 0,
      is_paid: false,
    };

    expect(await storedAs(event)).toEqual({ count: 0, is_paid: false });
  });

  test('71 at every depth, and what is beside it stays', async () => {
    expect(await storedAs({ a: { b: [[]] }, codes: ['0042'] })).toEqual({ codes: ['0042'] });
  });
});
