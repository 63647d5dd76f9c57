import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  invalid,
  type Management,
  NO_CONTENT,
  NOT_FOUND,
  openManagement,
  type Shown,
  UUID,
} from './support.ts';

let management: Management;

beforeAll(async () => {
  management = await openManagement();
});

afterAll(() => management.close());

const call: Management['call'] = (...request) => management.call(...request);

async function create(fields: object = {}) {
  const answer = await call('POST', '/api/sources', { name: `source-${randomUUID()}`, ...fields });
  expect(answer.status).toBe(201);
  return answer.body;
}

describe('creating a source', () => {
  test('answers with all of its fields', async () => {
    const answer = await call('POST', '/api/sources', {
      name: 'Cloudflare.logs-prod',
      description: '  the edge ',
      favorite: true,
    });

    expect(answer).toEqual({
      status: 201,
      body: {
        id: answer.body.token,
        token: expect.stringMatching(UUID),
        name: 'Cloudflare.logs-prod',
        description: 'the edge',
        transform_copy_fields: null,
        transform_drop_fields: null,
        custom_event_message_keys: null,
        drop_lql_string: null,
        api_quota: null,
        retention_days: null,
        keep_rejected_events: false,
        inserted_at: '2026-01-02T03:04:05.678Z',
        updated_at: '2026-01-02T03:04:05.678Z',
      },
    });
  });

  test('takes the token that the client brings along', async () => {
    const token = randomUUID();

    const source = await create({ token: token.toUpperCase() });

    expect(source.token).toBe(token);
    expect(await call('POST', '/api/sources', { name: 'another', token })).toEqual(
      invalid({ token: ['has already been taken'] }),
    );
  });

  test.each([
    ['nothing', {}, { name: ["can't be blank"] }],
    ['null', { name: null }, { name: ["can't be blank"] }],
    ['an empty name', { name: '' }, { name: ["can't be blank"] }],
    ['a blank name', { name: '  ' }, { name: ["can't be blank"] }],
    ['a number', { name: 123 }, { name: ['is invalid'] }],
    ['control characters', { name: 'a\nb' }, { name: ['is invalid'] }],
    ['a backtick', { name: 'a`b' }, { name: ['is invalid'] }],
    ['a space at the end', { name: 'a ' }, { name: ['is invalid'] }],
    ['half a character', { name: 'a\ud800' }, { name: ['is invalid'] }],
    [
      '256 characters',
      { name: 'x'.repeat(256) },
      { name: ['should be at most %{count} character(s)'] },
    ],
    [
      'a quota below zero',
      { name: 'x', api_quota: -1 },
      { api_quota: ['must be greater than or equal to %{number}'] },
    ],
    [
      'a quota that is no whole number',
      { name: 'x', api_quota: 2.5 },
      { api_quota: ['is invalid'] },
    ],
    [
      'a retention of no day',
      { name: 'x', retention_days: 0 },
      { retention_days: ['must be greater than or equal to %{number}'] },
    ],
    [
      'a flag that is text',
      { name: 'x', keep_rejected_events: 'yes' },
      { keep_rejected_events: ['is invalid'] },
    ],
    ['a token of another kind', { name: 'x', token: 'abc' }, { token: ['is invalid'] }],
    [
      'a UUID of another version',
      { name: 'x', token: '11111111-1111-1111-8111-111111111111' },
      { token: ['is invalid'] },
    ],
    [
      'several faults',
      { description: 7, token: 8 },
      { name: ["can't be blank"], description: ['is invalid'], token: ['is invalid'] },
    ],
  ])('from %s is refused', async (_, body, errors) => {
    expect(await call('POST', '/api/sources', body)).toEqual(invalid(errors));
  });

  test.each(['a.b.c', 'A-b_C', 'x'.repeat(255), 'två ord', '日志'])(
    'allows the name %s',
    async (name) => {
      expect((await create({ name })).name).toBe(name);
    },
  );

  test('refuses a name that is taken', async () => {
    const { name } = await create();

    expect(await call('POST', '/api/sources', { name })).toEqual(
      invalid({ name: ['has already been taken'] }),
    );
  });
});

test('the quota of a source and whether it keeps refused events can be set and taken back', async () => {
  const { token } = await create({
    api_quota: 25,
    retention_days: 7,
    keep_rejected_events: true,
  });

  const set = await call('GET', `/api/sources/${token}`);
  const back = await call('PUT', `/api/sources/${token}`, {
    api_quota: null,
    retention_days: null,
    keep_rejected_events: null,
  });

  expect(set.body).toMatchObject({ api_quota: 25, retention_days: 7, keep_rejected_events: true });
  expect(back.body).toMatchObject({
    api_quota: null,
    retention_days: null,
    keep_rejected_events: false,
  });
});

test('all sources are listed by name', async () => {
  const second = await create({ name: 'zz-2' });
  const first = await create({ name: 'zz-1' });

  const { status, body } = await call<Shown[]>('GET', '/api/sources');

  expect(status).toBe(200);
  expect(body.filter(({ name }) => name.startsWith('zz-'))).toEqual([first, second]);
});

test('one source is shown, whatever the case of its token', async () => {
  const source = await create();

  expect(await call('GET', `/api/sources/${source.token}`)).toEqual({ status: 200, body: source });
  expect((await call('GET', `/api/sources/${source.token.toUpperCase()}`)).body).toEqual(source);
});

describe('changing a source', () => {
  test('by PUT answers with the source, and leaves alone what was not sent', async () => {
    const source = await create({ description: 'kept' });
    const name = `${source.name}-renamed`;

    const answer = await call('PUT', `/api/sources/${source.token}`, { name });

    expect(answer).toEqual({
      status: 200,
      body: { ...source, name, updated_at: '2026-01-02T03:04:05.679Z' },
    });
  });

  test('by PATCH answers without a body', async () => {
    const source = await create({ description: 'gone' });

    const answer = await call('PATCH', `/api/sources/${source.token}`, { description: null });

    expect(answer).toEqual(NO_CONTENT);
    expect((await call('GET', `/api/sources/${source.token}`)).body.description).toBeNull();
  });

  test('never changes its token', async () => {
    const source = await create();

    const { body } = await call('PUT', `/api/sources/${source.token}`, { token: randomUUID() });

    expect(body.token).toBe(source.token);
  });

  test.each([
    [{ name: '' }, { name: ["can't be blank"] }],
    [{ name: null }, { name: ["can't be blank"] }],
    [{ name: [] }, { name: ['is invalid'] }],
  ])('to %j is refused', async (body, errors) => {
    const source = await create();

    expect(await call('PATCH', `/api/sources/${source.token}`, body)).toEqual(invalid(errors));
  });

  test('to a name that is taken is refused', async () => {
    const [one, other] = [await create(), await create()];

    expect(await call('PUT', `/api/sources/${one.token}`, { name: other.name })).toEqual(
      invalid({ name: ['has already been taken'] }),
    );
  });

  test('shows what another instance wrote, however recently this one has read', async () => {
    const source = await create();
    const elsewhere = management.database.registry();
    const stored = await elsewhere.sourceByToken(source.token);
    if (stored) await elsewhere.updateSource({ ...stored, description: 'from elsewhere' });

    const { body } = await call('PUT', `/api/sources/${source.token}`, {
      name: `${source.name}-2`,
    });

    expect(body.description).toBe('from elsewhere');
  });
});

test('a deleted source is gone', async () => {
  const source = await create();

  expect(await call('DELETE', `/api/sources/${source.token}`)).toEqual(NO_CONTENT);

  expect(await call('GET', `/api/sources/${source.token}`)).toEqual(NOT_FOUND);
  expect(await call('DELETE', `/api/sources/${source.token}`)).toEqual(NOT_FOUND);
});

describe('the schema of a source', () => {
  test('is a JSON Schema document', async () => {
    const source = await create();
    await management.registry.learn(source.token, { metadata: 16, 'metadata.status': 2 });

    const answer = await call('GET', `/api/sources/${source.token}/schema`);

    expect(answer).toEqual({
      status: 200,
      body: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: `/api/sources/${source.token}/schema`,
        title: source.name,
        type: 'object',
        properties: {
          id: { type: 'string' },
          timestamp: { type: 'number' },
          event_message: { type: 'string' },
          metadata: { type: 'object', properties: { status: { type: 'number' } } },
        },
      },
    });
  });

  test('is a flat map as the variant "dot"', async () => {
    const source = await create();
    await management.registry.learn(source.token, {
      metadata: 16,
      'metadata.status': 2,
      'metadata.tags': 32,
      'metadata.tags[]': 1,
    });

    const answer = await call('GET', `/api/sources/${source.token}/schema?variant=dot`);

    expect(answer.body).toEqual({
      id: 'string',
      timestamp: 'datetime',
      event_message: 'string',
      'metadata.status': 'integer',
      'metadata.tags': 'string[]',
    });
  });
});
