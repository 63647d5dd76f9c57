import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invalid, type Management, NO_CONTENT, openManagement } from './support.ts';

let management: Management;

beforeAll(async () => {
  management = await openManagement();
});

afterAll(() => management.close());

const call: Management['call'] = (...request) => management.call(...request);

const SETTINGS = {
  transform_copy_fields: 'm.user.id:user_id\nfood:my.field',
  transform_drop_fields: 'm.secret\nm.id',
  custom_event_message_keys: 'id, message, m.lines[0].text',
  drop_lql_string: 'm.level:debug -error',
};

async function create(fields: object = {}) {
  const answer = await call('POST', '/api/sources', { name: `source-${randomUUID()}`, ...fields });
  expect(answer.status).toBe(201);
  return answer.body;
}

describe('the settings of a source', () => {
  test('are given at its creation, and shown', async () => {
    const source = await create(SETTINGS);

    expect(source).toMatchObject(SETTINGS);
    expect((await call('GET', `/api/sources/${source.token}`)).body).toEqual(source);
  });

  test('are changed one by one by PUT and PATCH', async () => {
    const { token } = await create(SETTINGS);
    const path = `/api/sources/${token}`;

    const put = await call('PUT', path, { drop_lql_string: 'm.level:info' });
    const patched = await call('PATCH', path, { transform_drop_fields: null });

    expect(put).toMatchObject({
      status: 200,
      body: { ...SETTINGS, drop_lql_string: 'm.level:info' },
    });
    expect(patched).toEqual(NO_CONTENT);
    expect((await call('GET', path)).body).toMatchObject({
      ...SETTINGS,
      drop_lql_string: 'm.level:info',
      transform_drop_fields: null,
    });
  });

  test.each(['', '  ', null])('are none when they are %j', async (nothing) => {
    const names = Object.keys(SETTINGS);
    const source = await create(Object.fromEntries(names.map((name) => [name, nothing])));

    expect(names.map((name) => source[name])).toEqual([null, null, null, null]);
  });

  test('may have lines that mean nothing', async () => {
    const lines = 'food field\nfood-field\n\nmissing:field';

    expect((await create({ transform_copy_fields: lines })).transform_copy_fields).toBe(lines);
  });
});

test('a source names the field that has the time of its events', async () => {
  const lines = 'm.request.began:timestamp';

  expect((await create({ transform_copy_fields: lines })).transform_copy_fields).toBe(lines);
});

describe('settings are refused, and what is wrong is said:', () => {
  const LENGTH = 'should be at most %{count} character(s)';
  const destination = (text: string): string =>
    `cannot copy to ${JSON.stringify(text)}: a destination has up to 20 names of letters, digits and _, joined by dots`;

  test.each([
    [
      'reserved fields are dropped',
      { transform_drop_fields: 'timestamp\nservice\n id ' },
      { transform_drop_fields: ['cannot drop reserved fields: id, timestamp'] },
    ],
    [
      'a copy gets a name that no query can say',
      { transform_copy_fields: 'a:b c\na:x.\na:ok' },
      { transform_copy_fields: [destination('b c'), destination('x.')] },
    ],
    [
      'there are too many lines',
      { transform_copy_fields: 'a:b\n'.repeat(101), transform_drop_fields: 'a\n'.repeat(101) },
      {
        transform_copy_fields: ['has more than 100 lines'],
        transform_drop_fields: ['has more than 100 lines'],
      },
    ],
    [
      'a key of the message is no path',
      { custom_event_message_keys: 'id, $.a, m.b[x]' },
      {
        custom_event_message_keys: ['$.a', 'm.b[x]'].map(
          (key) =>
            `cannot read "${key}": a key has names joined by dots, and [0] for an element of a list`,
        ),
      },
    ],
    [
      'the message has too many keys',
      { custom_event_message_keys: 'a,'.repeat(51) },
      { custom_event_message_keys: ['has more than 50 keys'] },
    ],
    [
      'a filter is no LQL',
      { drop_lql_string: 'level:info m.x:' },
      {
        drop_lql_string: [
          'Error while parsing `metadata.x` field metadata filter value: "" (line 1, column 16)',
        ],
      },
    ],
    [
      'a filter filters nothing',
      { drop_lql_string: 's:id' },
      {
        drop_lql_string: [
          'A filter is missing: clauses on the time, and f:, s: and c:, are none here (line 1, column 1)',
        ],
      },
    ],
    [
      'they are long',
      {
        transform_copy_fields: 'x'.repeat(10_001),
        drop_lql_string: `level:${'x'.repeat(1_000)}`,
      },
      { transform_copy_fields: [LENGTH], drop_lql_string: [LENGTH] },
    ],
    [
      'they are no text',
      { transform_copy_fields: 1, transform_drop_fields: [], drop_lql_string: {} },
      {
        transform_copy_fields: ['is invalid'],
        transform_drop_fields: ['is invalid'],
        drop_lql_string: ['is invalid'],
      },
    ],
  ])('%s', async (_, settings, errors) => {
    const body = { name: `source-${randomUUID()}`, ...settings };

    expect(await call('POST', '/api/sources', body)).toEqual(invalid(errors));
  });
});
