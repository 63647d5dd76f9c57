/**
 * Queries that outlive their callers, through the functions as AWS calls them: the real code over a real
 * DynamoDB interface, with stand-ins for Athena and Firehose, and time that moves when it is told to.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PutRecordBatchCommandInput } from '@aws-sdk/client-firehose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type LocalDynamoDB, startDynamoDB } from '../../src/local/dynalite/dynamodb.ts';
import { eventually, TestTime } from '../query/support.ts';
import { FakeAthena, type Plan } from '../support/aws/fake-athena.ts';
import { httpApiEvent } from './http-api-event.ts';
import { BOOTSTRAP } from './variables.ts';

const stand = vi.hoisted(() => ({
  time: undefined as unknown as TestTime,
  dynamodb: undefined as unknown,
  athena: undefined as unknown as FakeAthena,
  firehose: { send: vi.fn() },
  /** What sleeps when its instance is frozen does not wake up. */
  instance: 0,
}));
vi.mock('../../lambdas/shared/dynamodb.ts', () => ({ documentClient: () => stand.dynamodb }));
vi.mock('../../lambdas/shared/admin-key.ts', async (original) => ({
  ...(await original<object>()),
  readAdminKey: async () => 'Z0y1X2w3V4u5T6s7R8q9P0o1N2m3L4k5',
}));
vi.mock('../../src/ingest/delivery/firehose/firehose-client.ts', () => ({
  firehoseClient: () => stand.firehose,
}));
vi.mock('../../src/platform/athena/athena-client.ts', async (original) => ({
  ...(await original<object>()),
  athenaClient: () => stand.athena.client,
}));
vi.mock('../../src/platform/clock.ts', async (original) => ({
  ...(await original<object>()),
  systemClock: { now: () => stand.time.now() },
}));
vi.mock('../../src/platform/concurrency/sleep.ts', () => ({
  systemSleep: async (ms: number, signal?: AbortSignal) => {
    const { instance } = stand;
    await stand.time.sleep(ms, signal);
    if (instance !== stand.instance) await new Promise(() => {});
  },
}));
const RUNNING: Plan = { before: ['RUNNING'], endless: true };
const EVENT_ROWS: Plan = {
  rows: [['e1', '1767225600000000', 'hello', '{"level":"info"}']],
  statistics: { DataScannedInBytes: 12_345_678, EngineExecutionTimeInMillis: 58_000 },
};

let directory: string;
let dynamodb: LocalDynamoDB;
const key = 'Xq3pT9sVbN2kLmR7wYzC4dFhJ8gAeU6i';
let plan: Plan;
let printed: string[];

beforeAll(async () => {
  for (const [name, value] of Object.entries(BOOTSTRAP)) vi.stubEnv(name, value);
  stand.time = new TestTime();
  stand.athena = new FakeAthena(stand.time);
  directory = mkdtempSync(join(tmpdir(), 'sluice-query-left-'));
  dynamodb = await startDynamoDB(directory);
  stand.dynamodb = dynamodb.client;
  const { handler } = await import('../../lambdas/bootstrap.ts');
  await handler({ adminKey: key });
});

afterAll(async () => {
  await dynamodb.close();
  rmSync(directory, { recursive: true });
  vi.unstubAllEnvs();
});

beforeEach(() => {
  coldStart();
  plan = RUNNING;
  const live = new Proxy({} as Plan, { get: (_target, name) => plan[name as keyof Plan] });
  stand.athena = new FakeAthena(stand.time, () => live, randomUUID());
  stand.firehose.send.mockReset().mockImplementation(async (command) => ({
    FailedPutCount: 0,
    RequestResponses: command.input.Records.map(() => ({ RecordId: '1' })),
  }));
  printed = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => printed.push(String(line)) > 0);
  // Errors are what these tests provoke.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});

afterEach(() => vi.restoreAllMocks());

/** Freezes the instances there are; the next call of a function starts another. */
function coldStart(): void {
  stand.instance += 1;
  vi.resetModules();
}

async function query(name: string, search: string) {
  const { handler } = await import('../../lambdas/query.ts');
  const headers = { authorization: `Bearer ${key}` };
  const {
    statusCode,
    body,
    headers: answered,
  } = await handler(httpApiEvent({ path: `/api/endpoints/query/${name}`, query: search, headers }));
  return { statusCode, body: JSON.parse(body), cache: answered['sluice-cache'] };
}

/** Calls until the caller is sent away; Lambda freezes the instance with its answer. */
async function leave(name: string, search: string) {
  const { calls } = stand.athena;
  const answer = query(name, search);
  await eventually(() => expect(calls).toContain('GetQueryExecution'));
  stand.time.advance(25);
  const { statusCode, body } = await answer;
  coldStart();
  return { statusCode, body, id: stand.athena.latest };
}

/** Records of calls that were put on the landing stream. */
function records() {
  return stand.firehose.send.mock.calls.flatMap(([{ input }]) =>
    ((input as PutRecordBatchCommandInput).Records ?? []).flatMap(({ Data }) =>
      new TextDecoder()
        .decode(Data)
        .split('\n')
        .map((row) => JSON.parse(JSON.parse(row).metadata)),
    ),
  );
}

test('rows of an endpoint without a cache answer the next call, which starts nothing', async () => {
  const { statusCode, body } = await leave('logs.all', 'project=a');
  expect({ statusCode, body }).toMatchObject({ statusCode: 504, body: { code: 'query_timeout' } });
  plan = EVENT_ROWS;
  stand.time.advance(35);

  const { statusCode: status, body: answer, cache } = await query('logs.all', 'project=a');

  expect({ status, answer, cache }).toMatchObject({ status: 200, cache: 'off' });
  expect(answer.result).toHaveLength(1);
  expect(stand.athena.executions).toBe(1);
});

test('what an execution read is recorded and measured by the call that collects it', async () => {
  await leave('logs.all', 'project=c');
  plan = EVENT_ROWS;
  stand.time.advance(35);
  printed = [];

  await query('logs.all', 'project=c');

  expect(records()).toEqual([
    expect.objectContaining({ origin: 'call', status_code: 504, error_code: 'query_timeout' }),
    expect.objectContaining({
      endpoint: 'logs.all',
      key_id: expect.any(String),
      origin: 'call',
      status_code: 200,
      rows: 1,
      bytes_scanned: 12_345_678,
      cost_usd: 0.000065,
      engine_ms: 58_000,
    }),
  ]);
  const lines = printed.map((line) => JSON.parse(line)).filter((line) => '_aws' in line);
  expect(lines).toEqual([
    expect.objectContaining({ service: 'sluice', QueryBytesScanned: 12_345_678, QueryErrors: 0 }),
  ]);
});

test('calls of the same second are recorded before each is answered', async () => {
  plan = EVENT_ROWS;
  for (const project of ['d', 'e', 'f']) {
    expect(await query('logs.all', `project=${project}`)).toMatchObject({ statusCode: 200 });
  }

  expect(records()).toMatchObject(Array(3).fill({ origin: 'call', bytes_scanned: 12_345_678 }));
});
