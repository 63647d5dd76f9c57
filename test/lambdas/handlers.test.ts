import { afterEach, describe, expect, test, vi } from 'vitest';
import { httpApiEvent } from './http-api-event.ts';
import { BOOTSTRAP, INGEST, QUERYING } from './variables.ts';

function stubEnvironment(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

describe.each([
  ['ingest', INGEST, () => import('../../lambdas/ingest.ts')],
  ['query', QUERYING, () => import('../../lambdas/query.ts')],
  ['management', QUERYING, () => import('../../lambdas/management.ts')],
] as const)('the %s function', (_name, environment, load) => {
  test('is healthy', async () => {
    stubEnvironment(environment);
    const { handler } = await load();

    const answer = await handler(httpApiEvent({ path: '/health' }));

    expect(answer).toMatchObject({ statusCode: 200, body: '{"status":"ok"}' });
  });

  test('does not start without its environment', async () => {
    await expect(load()).rejects.toThrow('environment of the');
  });
});

test.each([
  ['ingest', INGEST, 'POST', '/logs', () => import('../../lambdas/ingest.ts')],
  [
    'query',
    QUERYING,
    'GET',
    '/api/endpoints/query/logs.all',
    () => import('../../lambdas/query.ts'),
  ],
  ['management', QUERYING, 'GET', '/api/sources', () => import('../../lambdas/management.ts')],
] as const)(
  '%s serves its routes, to those who have a key',
  async (_name, environment, method, path, load) => {
    stubEnvironment(environment);
    const { handler } = await load();

    const answer = await handler(httpApiEvent({ method, path }));

    expect(answer).toMatchObject({
      statusCode: 401,
      body: '{"error":"Unauthorized"}',
    });
  },
);

test('the warmer and the bootstrap start with their environment', async () => {
  stubEnvironment(BOOTSTRAP);
  await expect(import('../../lambdas/warmer.ts')).resolves.toHaveProperty('handler');
  await expect(import('../../lambdas/bootstrap.ts')).resolves.toHaveProperty('handler');
});

test.each([
  ['short', 'at least 20 characters'],
  ['contains spaces and is long', 'without spaces'],
])('bootstrap does not take %j for an admin key', async (adminKey, reason) => {
  stubEnvironment(BOOTSTRAP);
  const { handler } = await import('../../lambdas/bootstrap.ts');
  await expect(handler({ adminKey })).rejects.toThrow(reason);
});
