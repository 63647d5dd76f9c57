/**
 * What a source was refused, through the functions as AWS calls them: an instance stands still once it has
 * answered, and may never be called again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type LocalDynamoDB, startDynamoDB } from '../../src/local/dynalite/dynamodb.ts';
import { TestTime } from '../query/support.ts';
import { watched } from '../support/registry.ts';
import { httpApiEvent } from './http-api-event.ts';
import { BOOTSTRAP, INGEST } from './variables.ts';

const stand = vi.hoisted(() => ({
  time: undefined as unknown as TestTime,
  dynamodb: undefined as unknown,
}));
vi.mock('../../lambdas/shared/dynamodb.ts', () => ({ documentClient: () => stand.dynamodb }));
vi.mock('../../lambdas/shared/admin-key.ts', async (original) => ({
  ...(await original<object>()),
  readAdminKey: async () => 'Z0y1X2w3V4u5T6s7R8q9P0o1N2m3L4k5',
}));
vi.mock('../../src/ingest/delivery/firehose/firehose-client.ts', () => ({
  firehoseClient: () => ({
    send: async ({ input }: { input: { Records: unknown[] } }) => ({
      FailedPutCount: 0,
      RequestResponses: input.Records.map(() => ({ RecordId: '1' })),
    }),
  }),
}));
vi.mock('../../src/platform/clock.ts', async (original) => ({
  ...(await original<object>()),
  systemClock: { now: () => stand.time.now() },
}));

const key = 'Xq3pT9sVbN2kLmR7wYzC4dFhJ8gAeU6i';
const headers = { 'x-api-key': key, 'content-type': 'application/json' };
let directory: string;
let database: LocalDynamoDB;
let table: ReturnType<typeof watched>;
let sources = 0;

beforeAll(async () => {
  for (const [name, value] of Object.entries({ ...BOOTSTRAP, ...INGEST })) vi.stubEnv(name, value);
  stand.time = new TestTime();
  directory = mkdtempSync(join(tmpdir(), 'sluice-refusals-'));
  database = await startDynamoDB(directory);
  stand.dynamodb = database.client;
  const { handler } = await import('../../lambdas/bootstrap.ts');
  await handler({ adminKey: key });
});

afterAll(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
  vi.unstubAllEnvs();
});

beforeEach(() => {
  vi.resetModules();
  vi.restoreAllMocks();
  table = watched(database.client);
  stand.dynamodb = table.client;
});

/** A function of its own that is called once. */
async function manage(method: string, path: string, body?: object) {
  vi.resetModules();
  const { handler } = await import('../../lambdas/management.ts');
  const answer = await handler(
    httpApiEvent({ method, path, headers, ...(body && { body: JSON.stringify(body) }) }),
  );
  return JSON.parse(answer.body);
}

async function newSource(): Promise<string> {
  return (await manage('POST', '/api/sources', { name: `source ${++sources}` })).token;
}

/** An instance of ingest. */
async function ingestInstance() {
  vi.resetModules();
  const { handler } = await import('../../lambdas/ingest.ts');
  return async (token: string, body: unknown) => {
    const answer = await handler(
      httpApiEvent({
        method: 'POST',
        path: '/logs/json',
        query: `source=${token}`,
        headers,
        body: JSON.stringify(body),
      }),
    );
    return answer.statusCode;
  };
}

const refusals = async (token: string): Promise<{ reason: string; count: number }[]> =>
  (await manage('GET', `/api/sources/${token}/rejected`)).result;

const sum = (listed: readonly { count: number }[]) =>
  listed.reduce((all, { count }) => all + count, 0);

/** Puts of refusals; ingest puts nothing else. */
const puts = () => table.calls.filter((operation) => operation === 'Put').length;

test('refusals within the same second are listed though their instance never runs again', async () => {
  const token = await newSource();
  const send = await ingestInstance();

  expect(await send(token, [7])).toBe(406);
  expect(await send(token, [{ message: 'fine' }, 'not an object'])).toBe(406);
  expect(await send(token, { timestamp: '2100-01-01T00:00:00Z' })).toBe(406);

  const listed = await refusals(token);
  expect(listed).toHaveLength(3);
  expect(sum(listed)).toBe(3);
});

test('a flood is ten writes and one in ten seconds, and the next request of any kind brings the rest', async () => {
  const [flooded, quiet] = [await newSource(), await newSource()];
  const send = await ingestInstance();
  const before = puts();

  for (let request = 0; request < 50; request++) await send(flooded, [7]);
  expect(puts() - before).toBe(10);
  stand.time.advance(10);
  expect(await send(quiet, [{ message: 'fine' }])).toBe(200);

  expect(puts() - before).toBe(11);
  const listed = await refusals(flooded);
  expect(listed[0]).toMatchObject({ count: 40 });
  expect(sum(listed)).toBe(50);
});

test('a table that takes no refusals is logged, and the sender hears of its events alone', async () => {
  const token = await newSource();
  const send = await ingestInstance();
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  table.intercept((operation, sent) => {
    if (operation === 'Put' && !sent) throw new Error('no answer');
  });

  expect(await send(token, [7])).toBe(406);

  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', message: 'Rejections could not be recorded', source: token, lost: 1 },
  ]);
});
