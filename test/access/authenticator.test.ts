import { describe, expect, test } from 'vitest';
import type { AccessKey } from '../../src/access/access-key.ts';
import { Authenticator } from '../../src/access/authenticator.ts';
import { generateKey, hashKey } from '../../src/access/keys.ts';
import { mayIngest, mayManage, mayQuery } from '../../src/access/scopes.ts';
import { ServiceError } from '../../src/platform/errors.ts';
import { ManualClock } from '../support/registry.ts';

const SOURCE = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';

function request(headers: Record<string, string>, query: Record<string, string> = {}) {
  const all = new Headers(headers);
  return {
    header: (name: string) => all.get(name) ?? undefined,
    query: (name: string) => query[name],
  };
}

function bearer(secret: string) {
  return request({ Authorization: `Bearer ${secret}` });
}

function setUp(...secrets: string[]) {
  const clock = new ManualClock();
  const keys = new Map<string, AccessKey>();
  const lookups: string[] = [];
  const registry = {
    accessKeyByHash: async (hash: string) => {
      lookups.push(hash);
      return keys.get(hash);
    },
  };
  const add = (secret: string, scopes = ['ingest']) => {
    const hash = hashKey(secret);
    const id = `id of ${secret}`;
    keys.set(hash, { id, hash, scopes, description: null, rate_limit: null, insertedAt: '' });
  };
  for (const secret of secrets) add(secret);
  const authenticator = new Authenticator({ registry, clock });
  return { clock, keys, lookups, add, authenticator, registry };
}

describe('a credential', () => {
  const K = { keyId: 'id of K', scopes: ['ingest'], rateLimit: null };

  test.each([
    ['the header Authorization', request({ Authorization: 'Bearer K' })],
    ['the header X-API-KEY', request({ 'X-API-KEY': 'K' })],
    ['the query', request({}, { api_key: 'K' })],
    ['X-API-KEY beside another scheme', request({ Authorization: 'Basic eDp5', 'x-api-key': 'K' })],
    ['Authorization before X-API-KEY', request({ Authorization: 'Bearer K', 'X-API-KEY': 'bad' })],
    ['Splunk', request({ Authorization: 'Splunk K' })],
    ['ApiKey', request({ Authorization: 'ApiKey K' })],
    ['ApiKey as base64 of id:key', request({ Authorization: 'ApiKey aWQ6Sw==' })],
    ['X-API-KEY before the query', request({ 'X-API-KEY': 'K' }, { api_key: 'bad' })],
  ])('is taken from %s', async (_, given) => {
    expect(await setUp('K').authenticator.principal(given)).toEqual(K);
  });

  test('of the scheme ApiKey is read as it is, however it looks', async () => {
    // As base64 it would be bytes with a colon among them.
    const secret = 'sluice_OjoxOjoy';
    const given = request({ Authorization: `ApiKey ${secret}` });
    expect(await setUp(secret).authenticator.principal(given)).toBeDefined();
  });

  test.each([
    ['is missing', request({})],
    ['is unknown', bearer('unknown')],
    ['is empty', request({ 'X-API-KEY': '' })],
    ['has its scheme in lower case', request({ Authorization: 'bearer K' })],
    ['has no scheme', request({ Authorization: 'K' })],
    ['differs in case', bearer('k')],
    ['is hidden by a wrong one', request({ Authorization: 'Bearer bad', 'X-API-KEY': 'K' })],
  ])('that %s speaks for no principal', async (_, given) => {
    expect(await setUp('K').authenticator.principal(given)).toBeUndefined();
  });

  test('is never looked up in the clear', async () => {
    const { authenticator, lookups } = setUp('K');

    await authenticator.principal(bearer('K'));

    expect(lookups).toEqual(['86be9a55762d316a3026c2836d044f5fc76e34da10e1b45feee5f18be7edb177']);
  });
});

describe('a key', () => {
  test('is looked up once in eight to ten seconds, however often it is used', async () => {
    const { authenticator, lookups, clock } = setUp('K');

    await Promise.all([1, 2, 3].map(() => authenticator.principal(bearer('K'))));
    clock.advance(7_999);
    await authenticator.principal(bearer('K'));

    expect(lookups).toHaveLength(1);
  });

  test('revoked elsewhere stops working after ten seconds', async () => {
    const { authenticator, keys, clock } = setUp('K');
    await authenticator.principal(bearer('K'));
    keys.clear();

    clock.advance(10_000);

    expect(await authenticator.principal(bearer('K'))).toBeUndefined();
  });

  test('is not taken for good after ten seconds while the registry does not answer', async () => {
    const { authenticator, registry, clock } = setUp('K');
    await authenticator.principal(bearer('K'));
    registry.accessKeyByHash = () =>
      Promise.reject(new ServiceError('registry_unavailable', 503, 'Try again.'));

    clock.advance(10_000);

    await expect(authenticator.principal(bearer('K'))).rejects.toMatchObject({ status: 503 });
  });

  test('revoked in this process stops working at once', async () => {
    const { authenticator, keys } = setUp('K');
    await authenticator.principal(bearer('K'));
    keys.clear();

    authenticator.forget(hashKey('K'));

    expect(await authenticator.principal(bearer('K'))).toBeUndefined();
  });

  test('that does not exist costs one lookup too', async () => {
    const { authenticator, lookups } = setUp();

    await authenticator.principal(bearer('K'));
    await authenticator.principal(bearer('K'));

    expect(lookups).toHaveLength(1);
  });

  test('in use stays known while a stranger tries ten thousand others', async () => {
    const { authenticator, lookups } = setUp('K');
    await authenticator.principal(bearer('K'));
    for (let attempt = 0; attempt < 12_000; attempt++) {
      if (attempt % 5_000 === 0) await authenticator.principal(bearer('K'));
      await authenticator.principal(bearer(`guess ${attempt}`));
    }
    lookups.length = 0;

    await authenticator.principal(bearer('K'));

    expect(lookups).toEqual([]);
  });

  test('that the registry returns for another hash is refused', async () => {
    const { authenticator, keys, add } = setUp('K');
    add('other');
    const other = keys.get(hashKey('other'));
    if (other) keys.set(hashKey('K'), other);

    expect(await authenticator.principal(bearer('K'))).toBeUndefined();
  });
});

test('a generated key is long, random and recognisable', () => {
  const keys = new Set(Array.from({ length: 100 }, generateKey));

  expect(keys.size).toBe(100);
  for (const key of keys) expect(key).toMatch(/^sluice_[0-9a-f]{64}$/);
});

/** Scopes as Logflare 1.50 reads them. */
describe.each([
  { scope: 'private', ingest: true, query: true, manage: true },
  { scope: 'ingest', ingest: true, query: false, manage: false },
  { scope: `ingest:source:${SOURCE}`, ingest: true, query: false, manage: false },
  { scope: `ingest:source:${OTHER}`, ingest: false, query: false, manage: false },
  { scope: 'query', ingest: false, query: true, manage: false },
  { scope: `query:endpoint:${SOURCE}`, ingest: false, query: true, manage: false },
  { scope: `query:endpoint:${OTHER}`, ingest: false, query: false, manage: false },
  { scope: 'public', ingest: true, query: false, manage: false },
  { scope: 'ingest:source:', ingest: false, query: false, manage: false },
  { scope: '', ingest: false, query: false, manage: false },
])('the scope "$scope"', ({ scope, ingest, query, manage }) => {
  const principal = { keyId: 'id', scopes: scope === '' ? [] : [scope], rateLimit: null };

  test(`${ingest ? 'allows' : 'does not allow'} ingest`, () => {
    expect(mayIngest(principal, SOURCE)).toBe(ingest);
  });

  test(`${query ? 'allows' : 'does not allow'} queries`, () => {
    expect(mayQuery(principal, SOURCE)).toBe(query);
  });

  test(`${manage ? 'allows' : 'does not allow'} management`, () => {
    expect(mayManage(principal)).toBe(manage);
  });
});

test('any one of several scopes is enough, and a caller without a key has none', () => {
  const scopes = ['query', `ingest:source:${SOURCE}`];
  const principal = { keyId: 'id', scopes, rateLimit: null };

  expect(mayIngest(principal, SOURCE)).toBe(true);
  expect(mayQuery(principal, SOURCE)).toBe(true);
  expect([mayIngest(undefined, SOURCE), mayQuery(undefined, SOURCE), mayManage(undefined)]).toEqual(
    [false, false, false],
  );
});
