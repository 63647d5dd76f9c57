import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateKey, hashKey } from '../../../../src/access/keys.ts';
import { anAccessKey } from '../../../support/registry.ts';
import { type Management, NOT_FOUND, openManagement } from './support.ts';

let management: Management;

beforeAll(async () => {
  management = await openManagement();
});

afterAll(() => management.close());

const ID = '11111111-1111-4111-8111-111111111111';
const ROUTES = ['sources', 'endpoints', 'access-tokens'].flatMap((resource) => [
  ['GET', `/api/${resource}`],
  ['POST', `/api/${resource}`],
  ...['GET', 'PUT', 'PATCH', 'DELETE'].map((verb) => [verb, `/api/${resource}/${ID}`]),
]) as [string, string][];
ROUTES.push(['GET', `/api/sources/${ID}/schema`]);

describe.each(ROUTES)('%s %s', (method, path) => {
  const UNAUTHORIZED = { status: 401, body: { error: 'Unauthorized' } };

  test('is closed to strangers, before their body is looked at', async () => {
    const body = method === 'GET' ? null : 'not json';

    expect(await management.request(path, { method, body })).toEqual(UNAUTHORIZED);
  });

  test('is closed to keys that may only ingest and query', async () => {
    const secret = generateKey();
    const scopes = ['ingest', 'query'];
    await management.registry.createAccessKey(anAccessKey({ hash: hashKey(secret), scopes }));

    expect(await management.call(method, path, undefined, secret)).toEqual(UNAUTHORIZED);
  });
});

test.each(ROUTES.filter(([, path]) => path.includes(ID)))(
  '%s %s answers 404 for what does not exist',
  async (method, path) => {
    const body = method === 'PUT' || method === 'PATCH' ? {} : undefined;

    expect(await management.call(method, path, body)).toEqual(NOT_FOUND);
  },
);

test.each(['x', 'x'.repeat(3_000), '%20', '__proto__'])(
  'an id like %s is not found',
  async (id) => {
    expect(await management.call('GET', `/api/sources/${id}`)).toEqual(NOT_FOUND);
  },
);

describe('a body', () => {
  const post = async (body: string | Uint8Array | URLSearchParams) => {
    const secret = generateKey();
    await management.registry.createAccessKey(
      anAccessKey({ hash: hashKey(secret), scopes: ['private'] }),
    );
    const headers = { 'X-API-KEY': secret };
    return management.request('/api/sources', { method: 'POST', headers, body });
  };

  test.each([
    ['that is not JSON', '{"name":'],
    ['that is not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['that is a list', '[]'],
    ['that is a text', '"name"'],
    ['that is null', 'null'],
    ['of a form', new URLSearchParams({ name: 'x' })],
    ['that is nested without end', '['.repeat(900_000)],
  ])('%s is refused', async (_, body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
  });

  test('of more than a megabyte is refused', async () => {
    const body = JSON.stringify({ name: 'x', description: 'x'.repeat(1_000_000) });

    expect(await post(body)).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  });

  test('that is empty has no fields', async () => {
    expect(await post('')).toMatchObject({
      status: 422,
      body: { errors: { name: expect.any(Array) } },
    });
  });
});

test('no body, however odd, is answered otherwise than by success or the fields at fault', async () => {
  const known = [
    'token',
    'name',
    'query',
    'description',
    'parameters',
    'max_limit',
    'labels',
    'scopes',
  ];
  const bodies = fc.dictionary(fc.constantFrom(...known, '__proto__'), fc.jsonValue(), {
    maxKeys: 6,
  });
  const paths = fc.constantFrom('/api/sources', '/api/endpoints', '/api/access-tokens');

  await fc.assert(
    fc.asyncProperty(paths, bodies, async (path, body) => {
      const { status } = await management.call('POST', path, body);

      expect([201, 422]).toContain(status);
    }),
    { numRuns: 200 },
  );
});

test('the routes that run endpoints stay out of the key check of the management', async () => {
  const answer = await management.request('/api/endpoints/query/logs.all', { method: 'GET' });

  expect(answer).toEqual(NOT_FOUND);
});
