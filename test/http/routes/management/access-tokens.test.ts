import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashKey } from '../../../../src/access/keys.ts';
import { mayIngest, mayManage, mayQuery } from '../../../../src/access/scopes.ts';
import { anEndpoint, aSource } from '../../../support/registry.ts';
import {
  invalid,
  type Management,
  NO_CONTENT,
  NOT_FOUND,
  openManagement,
  type Shown,
  UUID,
} from './support.ts';

const UNAUTHORIZED = 401;
const LAST_PRIVATE = invalid({
  scopes: ['belongs to the last key that may manage; create another one first'],
});

let management: Management;

beforeAll(async () => {
  management = await openManagement();
});

afterAll(() => management.close());

const call: Management['call'] = (...request) => management.call(...request);

async function create(scopes = 'ingest') {
  const answer = await call('POST', '/api/access-tokens', { scopes });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

describe('creating a key', () => {
  test('shows its secret, this once', async () => {
    const answer = await call('POST', '/api/access-tokens', {
      scopes: 'query ingest',
      description: 'the dashboard',
    });

    expect(answer).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(UUID),
        token: expect.stringMatching(/^sluice_[0-9a-f]{64}$/),
        scopes: 'query ingest',
        description: 'the dashboard',
        rate_limit: null,
        inserted_at: '2026-01-02T03:04:05.678Z',
      },
    });
    const everythingElse = [
      await call('GET', '/api/access-tokens'),
      await call('GET', `/api/access-tokens/${answer.body.id}`),
      await management.registry.listAccessKeys(),
    ];
    expect(JSON.stringify(everythingElse)).not.toContain(answer.body.token);
  });

  test('makes a key that works at once', async () => {
    const { token } = await create('private');

    expect(await call('GET', '/api/sources', undefined, token)).toMatchObject({ status: 200 });
  });

  test('may limit what it stores, and a change takes that back', async () => {
    const { body: limited } = await call('POST', '/api/access-tokens', {
      scopes: 'ingest',
      rate_limit: 150,
    });

    const { body: freed } = await call('PUT', `/api/access-tokens/${limited.id}`, {
      rate_limit: null,
    });

    expect([limited.rate_limit, freed.rate_limit]).toEqual([150, null]);
    expect(await call('GET', `/api/access-tokens/${limited.id}`)).toMatchObject({
      body: { scopes: 'ingest', rate_limit: null },
    });
  });

  test.each([-1, 1.5, '10', 10_000_001])('refuses a rate limit of %j', async (rate_limit) => {
    const answer = await call('POST', '/api/access-tokens', { scopes: 'ingest', rate_limit });

    expect(answer).toMatchObject({
      status: 422,
      body: { errors: { rate_limit: [expect.anything()] } },
    });
  });

  test('takes no secret from the client', async () => {
    const body = { scopes: 'ingest', token: 'my own' };

    const answer = await call('POST', '/api/access-tokens', body);

    expect(answer.status).toBe(201);
    expect(await management.registry.accessKeyByHash(hashKey('my own'))).toBeUndefined();
  });

  test('allows scopes for one source and one endpoint, in any case', async () => {
    const [source, endpoint] = [aSource(), anEndpoint()];
    await management.registry.createSource(source);
    await management.registry.createEndpoint(endpoint);

    const { scopes } = await create(
      `ingest:source:${source.token.toUpperCase()} query:endpoint:${endpoint.token} `,
    );

    expect(scopes).toBe(`ingest:source:${source.token} query:endpoint:${endpoint.token}`);
  });

  test('keeps a scope that is given twice once', async () => {
    expect((await create('ingest  ingest\tquery')).scopes).toBe('ingest query');
  });

  test.each([{}, { scopes: null }, { scopes: '  ' }, { scopes: 'public' }])(
    'from %j makes one that sends events, and whose secret no list shows',
    async (fields) => {
      const { status, body } = await call('POST', '/api/access-tokens', fields);

      expect({ status, scopes: body.scopes }).toEqual({ status: 201, scopes: 'public' });
      const principal = await management.authenticator.principal({
        header: () => undefined,
        query: () => body.token,
      });
      expect(mayIngest(principal, randomUUID())).toBe(true);
      expect(mayQuery(principal, randomUUID()) || mayManage(principal)).toBe(false);
      const list = await call<Shown[]>('GET', '/api/access-tokens');
      expect(list.body.find(({ id }) => id === body.id)?.token).toBeNull();
    },
  );

  const nowhere = '11111111-1111-4111-8111-111111111111';

  test.each([
    [{ scopes: ['ingest'] }, ['is invalid']],
    [{ scopes: 'ingest admin' }, ['contains unrecognized scope']],
    [{ scopes: 'ingest:source:abc' }, ['contains unrecognized scope']],
    [{ scopes: 'ingest:source:7' }, ['contains unrecognized scope']],
    [{ scopes: `ingest:collection:${nowhere}` }, ['contains unrecognized scope']],
    [{ scopes: `ingest:endpoint:${nowhere}` }, ['contains unrecognized scope']],
    [{ scopes: nowhere }, ['contains unrecognized scope']],
    [{ scopes: 'ingest partner' }, ['cannot be assigned by users']],
    [{ scopes: `ingest:source:${nowhere}` }, [`names a source that does not exist: ${nowhere}`]],
    [
      { scopes: `query:endpoint:${nowhere}` },
      [`names an endpoint that does not exist: ${nowhere}`],
    ],
  ])('from %j is refused', async (body, scopes) => {
    expect(await call('POST', '/api/access-tokens', body)).toEqual(invalid({ scopes }));
  });

  test('with more scopes than a key may have is refused', async () => {
    const scopes = Array.from({ length: 101 }, () => `ingest:source:${randomUUID()}`).join(' ');

    expect(await call('POST', '/api/access-tokens', { scopes })).toEqual(
      invalid({ scopes: ['should have at most %{count} item(s)'] }),
    );
  });

  test('with a description that is not a text is refused', async () => {
    expect(await call('POST', '/api/access-tokens', { scopes: 'ingest', description: 5 })).toEqual(
      invalid({ description: ['is invalid'] }),
    );
  });
});

test('keys are listed and shown without their secrets', async () => {
  const key = await create('query');
  const shown = { ...key, token: null };

  const list = await call<Shown[]>('GET', '/api/access-tokens');

  expect(list.status).toBe(200);
  expect(list.body.find(({ id }) => id === key.id)).toEqual(shown);
  expect(await call('GET', `/api/access-tokens/${key.id}`)).toEqual({ status: 200, body: shown });
});

describe('changing a key', () => {
  test('by PUT answers with the key', async () => {
    const key = await create();

    const answer = await call('PUT', `/api/access-tokens/${key.id}`, {
      scopes: 'query',
      description: 'new',
    });

    const changed = { ...key, token: null, scopes: 'query', description: 'new' };
    expect(answer).toEqual({ status: 200, body: changed });
    expect((await call('GET', `/api/access-tokens/${key.id}`)).body).toEqual(changed);
  });

  test('by PATCH answers without a body, and leaves alone what was not sent', async () => {
    const key = await create('query ingest');

    const answer = await call('PATCH', `/api/access-tokens/${key.id}`, { description: 'new' });

    expect(answer).toEqual(NO_CONTENT);
    expect((await call('GET', `/api/access-tokens/${key.id}`)).body).toMatchObject({
      scopes: 'query ingest',
      description: 'new',
    });
  });

  test('shows at once, although the key was just used', async () => {
    const key = await create('private');
    await call('GET', '/api/sources', undefined, key.token);

    await call('PATCH', `/api/access-tokens/${key.id}`, { scopes: 'ingest' });

    const { status } = await call('GET', '/api/sources', undefined, key.token);
    expect(status).toBe(UNAUTHORIZED);
  });

  test('keeps scopes whose source was deleted, as long as they are not sent again', async () => {
    const source = aSource();
    await management.registry.createSource(source);
    const key = await create(`ingest:source:${source.token}`);
    await management.registry.deleteSource(source.token);

    const answer = await call('PUT', `/api/access-tokens/${key.id}`, { description: 'new' });

    expect(answer).toMatchObject({ status: 200, body: { scopes: key.scopes } });
  });

  test.each([
    [{ scopes: 5 }, { scopes: ['is invalid'] }],
    [{ scopes: 'everything' }, { scopes: ['contains unrecognized scope'] }],
    [{ description: [] }, { description: ['is invalid'] }],
  ])('to %j is refused', async (body, errors) => {
    const key = await create();

    expect(await call('PATCH', `/api/access-tokens/${key.id}`, body)).toEqual(invalid(errors));
  });
});

describe('deleting a key', () => {
  test('makes it stop working at once', async () => {
    const key = await create('private');
    await call('GET', '/api/sources', undefined, key.token);

    expect(await call('DELETE', `/api/access-tokens/${key.id}`)).toEqual(NO_CONTENT);

    const { status } = await call('GET', '/api/sources', undefined, key.token);
    expect(status).toBe(UNAUTHORIZED);
    expect(await call('GET', `/api/access-tokens/${key.id}`)).toEqual(NOT_FOUND);
    const { body } = await call<Shown[]>('GET', '/api/access-tokens');
    expect(body.map(({ id }) => id)).not.toContain(key.id);
  });

  test('may be repeated', async () => {
    const key = await create();
    await call('DELETE', `/api/access-tokens/${key.id}`);

    expect(await call('DELETE', `/api/access-tokens/${key.id}`)).toEqual(NO_CONTENT);
  });
});

describe('the last key that may manage', () => {
  let alone: Management;
  let id: string;

  beforeEach(async () => {
    alone = await openManagement();
    id = String((await alone.registry.listAccessKeys())[0]?.id);
    return () => alone.close();
  });

  test('cannot be deleted', async () => {
    await alone.call('POST', '/api/access-tokens', { scopes: 'ingest query' });

    expect(await alone.call('DELETE', `/api/access-tokens/${id}`)).toEqual(LAST_PRIVATE);
    expect(await alone.call('GET', '/api/sources')).toMatchObject({ status: 200 });
  });

  test('cannot lose that scope', async () => {
    const path = `/api/access-tokens/${id}`;

    expect(await alone.call('PATCH', path, { scopes: 'ingest' })).toEqual(LAST_PRIVATE);
    expect(await alone.call('PATCH', path, { scopes: 'ingest private' })).toEqual(NO_CONTENT);
  });

  test('may go when there is another one', async () => {
    await alone.call('POST', '/api/access-tokens', { scopes: 'private' });

    expect(await alone.call('DELETE', `/api/access-tokens/${id}`)).toEqual(NO_CONTENT);
  });
});
