import {
  InternalServerError,
  ProvisionedThroughputExceededException,
  ThrottlingException,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  anEndpoint,
  aSource,
  openDatabase,
  type TestDatabase,
  watched,
} from '../support/registry.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openDatabase();
});

afterAll(() => database.close());

const $metadata = { httpStatusCode: 400 };
const THROTTLED = new ThrottlingException({ message: 'slow down', $metadata });

/** An instance that knows a source and an endpoint, and whose reads of DynamoDB then fail as a test says. */
async function anInstance() {
  const { client, calls, intercept } = watched(database.client);
  const logged: unknown[] = [];
  const warn = (message: string, fields?: object) => logged.push({ message, ...fields });
  const logger = { info: () => {}, warn, error: () => {} };
  const registry = database.registry({ client, logger });
  const source = aSource();
  const endpoint = anEndpoint();
  await registry.createSource(source);
  await registry.createEndpoint(endpoint);
  await registry.sourceByToken(source.token);
  await registry.sourceByName(source.name);
  await registry.endpointByToken(endpoint.token);
  const fail = (error: Error | undefined) =>
    intercept(() => {
      if (error !== undefined) throw error;
    });
  return { registry, source, endpoint, calls, logged, fail };
}

const UNAVAILABLE = { code: 'registry_unavailable', status: 503 };

describe('while DynamoDB refuses reads', () => {
  test.each([
    ['throttling', THROTTLED],
    ['a busy partition', new ProvisionedThroughputExceededException({ message: '', $metadata })],
    ['a fault of its own', new InternalServerError({ message: '', $metadata })],
    ['no answer', Object.assign(new Error('timeout'), { name: 'TimeoutError', $metadata: {} })],
  ])('with %s, a source that was read before is served for a minute', async (_, error) => {
    const { registry, source, fail } = await anInstance();
    fail(error);

    for (let seconds = 0; seconds < 55; seconds += 5) {
      database.clock.advance(5_000);
      expect(await registry.sourceByToken(source.token)).toEqual(source);
      expect(await registry.sourceByName(source.name)).toEqual(source);
    }
    database.clock.advance(5_000);

    await expect(registry.sourceByToken(source.token)).rejects.toMatchObject(UNAVAILABLE);
    await expect(registry.sourceByName(source.name)).rejects.toMatchObject(UNAVAILABLE);
  });

  test('it is asked no more often than else, and the log has a line each time', async () => {
    const { registry, source, calls, logged, fail } = await anInstance();
    fail(THROTTLED);
    database.clock.advance(10_000);
    calls.length = 0;

    await registry.sourceByToken(source.token);
    database.clock.advance(7_999);
    await registry.sourceByToken(source.token);

    expect(calls).toEqual(['Get']);
    expect(logged).toEqual([
      {
        message: 'The registry does not answer, so what was read before is used',
        source: `token ${source.token}`,
        ageMs: 10_000,
        error: expect.objectContaining(UNAVAILABLE),
      },
    ]);
  });

  test('what another instance changed shows when it answers again', async () => {
    const { registry, source, fail } = await anInstance();
    await database.registry().updateSource({ ...source, description: 'new' });
    fail(THROTTLED);
    database.clock.advance(10_000);

    const meanwhile = await registry.sourceByToken(source.token);
    fail(undefined);
    database.clock.advance(10_000);
    const afterwards = await registry.sourceByToken(source.token);

    expect([meanwhile?.description, afterwards?.description]).toEqual([source.description, 'new']);
  });

  test('a source that nobody asked for before is a 503', async () => {
    const { registry, fail } = await anInstance();
    fail(THROTTLED);

    await expect(registry.sourceByToken(aSource().token)).rejects.toMatchObject(UNAVAILABLE);
  });

  test('one that was not there is a 503 too: it may have been created', async () => {
    const { registry, fail } = await anInstance();
    const { token } = aSource();
    expect(await registry.sourceByToken(token)).toBeUndefined();
    fail(THROTTLED);
    database.clock.advance(10_000);

    await expect(registry.sourceByToken(token)).rejects.toMatchObject(UNAVAILABLE);
  });

  test('a fresh read is a 503, since a change is based on it', async () => {
    const { registry, source, fail } = await anInstance();
    fail(THROTTLED);

    const fresh = registry.sourceByToken(source.token, { fresh: true });

    await expect(fresh).rejects.toMatchObject(UNAVAILABLE);
  });

  test('an endpoint is a 503 after ten seconds: it says who may call it', async () => {
    const { registry, endpoint, fail } = await anInstance();
    fail(THROTTLED);
    database.clock.advance(10_000);

    await expect(registry.endpointByToken(endpoint.token)).rejects.toMatchObject(UNAVAILABLE);
  });
});

test('a failure that does not pass is not covered up by an older record', async () => {
  const { registry, source, fail } = await anInstance();
  fail(Object.assign(new Error('no'), { name: 'AccessDeniedException', $metadata }));
  database.clock.advance(10_000);

  await expect(registry.sourceByToken(source.token)).rejects.toThrow('no');
});
