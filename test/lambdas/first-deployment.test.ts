/**
 * The functions together, as they are after a first deployment: real code and a real DynamoDB
 * interface, with stand-ins for Firehose and Athena that record what they are sent.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PutRecordBatchCommandInput } from '@aws-sdk/client-firehose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type LocalDynamoDB, startDynamoDB } from '../../src/local/dynalite/dynamodb.ts';
import { type EventOptions, httpApiEvent } from './http-api-event.ts';
import { BOOTSTRAP, INGEST } from './variables.ts';

const backends = vi.hoisted(() => ({
  dynamodb: undefined as unknown,
  firehose: { send: vi.fn() },
  athena: { send: vi.fn() },
}));
vi.mock('../../lambdas/shared/dynamodb.ts', () => ({ documentClient: () => backends.dynamodb }));
vi.mock('../../lambdas/shared/admin-key.ts', async (original) => ({
  ...(await original<object>()),
  readAdminKey: async () => adminKey,
}));
vi.mock('../../src/ingest/delivery/firehose/firehose-client.ts', () => ({
  firehoseClient: () => backends.firehose,
}));
vi.mock('../../src/platform/athena/athena-client.ts', async (original) => ({
  ...(await original<object>()),
  athenaClient: () => backends.athena,
}));

let directory: string;
let dynamodb: LocalDynamoDB;
/** What Secrets Manager made up. */
const adminKey = 'Xq3pT9sVbN2kLmR7wYzC4dFhJ8gAeU6i';

beforeAll(async () => {
  for (const [name, value] of Object.entries({ ...INGEST, ...BOOTSTRAP })) vi.stubEnv(name, value);
  directory = mkdtempSync(join(tmpdir(), 'sluice-lambdas-'));
  dynamodb = await startDynamoDB(directory);
  backends.dynamodb = dynamodb.client;
  const { handler } = await import('../../lambdas/bootstrap.ts');
  await handler(undefined);
});

afterAll(async () => {
  await dynamodb.close();
  rmSync(directory, { recursive: true });
  vi.unstubAllEnvs();
});

async function call(name: 'ingest' | 'query' | 'management', options: EventOptions) {
  const functions = {
    ingest: () => import('../../lambdas/ingest.ts'),
    query: () => import('../../lambdas/query.ts'),
    management: () => import('../../lambdas/management.ts'),
  };
  const { handler } = await functions[name]();
  const headers = { authorization: `Bearer ${adminKey}`, ...options.headers };
  const { statusCode, body } = await handler(httpApiEvent({ ...options, headers }));
  return { statusCode, body: JSON.parse(body) };
}

test('a call of bootstrap shows no key, the first or a later one', async () => {
  const { handler } = await import('../../lambdas/bootstrap.ts');
  expect(await handler({})).toEqual({ message: expect.stringContaining('in Secrets Manager') });
});

test('bootstrap adds a key of the operator, who has lost all others', async () => {
  const { handler } = await import('../../lambdas/bootstrap.ts');
  const own = 'a-key-of-the-operators-own';

  await handler({ adminKey: own });

  const headers = { authorization: `Bearer ${own}` };
  const { statusCode } = await call('management', { path: '/api/sources', headers });
  expect(statusCode).toBe(200);
});

test('management lists what is shipped', async () => {
  const sources = await call('management', { path: '/api/sources' });
  expect(sources.body).toHaveLength(11);
  const endpoints = await call('management', { path: '/api/endpoints' });
  expect(endpoints.body.map(({ name }: { name: string }) => name).sort()).toEqual([
    'logs.all',
    'usage.api-counts',
    'usage.queries',
  ]);
});

test('ingest puts an event on the landing stream', async () => {
  backends.firehose.send.mockImplementation(async () => ({
    FailedPutCount: 0,
    RequestResponses: [{ RecordId: '1' }],
  }));

  const { statusCode, body } = await call('ingest', {
    method: 'POST',
    path: '/logs',
    query: 'source_name=postgres.logs',
    headers: { 'content-type': 'application/json' },
    body: '{"message":"checkpoint complete","metadata":{"level":"info"}}',
  });

  expect({ statusCode, body }).toEqual({ statusCode: 200, body: { message: 'Logged!' } });
  const [[command]] = backends.firehose.send.mock.calls as [
    [{ input: PutRecordBatchCommandInput }],
  ];
  expect(command.input.DeliveryStreamName).toBe('landing');
  const row = JSON.parse(new TextDecoder().decode(command.input.Records?.[0]?.Data));
  expect(row).toMatchObject({ event_message: 'checkpoint complete', metadata: '{"level":"info"}' });
  expect(Object.entries(row)).toContainEqual([expect.stringMatching(/^s\d{3}$/), 'info']);
});

test('query runs an endpoint in the workgroup and database of the API', async () => {
  const started: unknown[] = [];
  backends.athena.send.mockImplementation(async (command) => {
    switch (command.constructor.name) {
      case 'StartQueryExecutionCommand':
        started.push(command.input);
        return { QueryExecutionId: 'q1' };
      case 'GetQueryExecutionCommand':
        return {
          QueryExecution: {
            QueryExecutionId: 'q1',
            Status: { State: 'SUCCEEDED' },
            Statistics: { DataScannedInBytes: 0 },
          },
        };
      default:
        return { ResultSet: { Rows: [{ Data: [] }] } };
    }
  });

  const { statusCode, body } = await call('query', {
    path: '/api/endpoints/query/logs.all',
    query: 'project=default',
  });

  expect({ statusCode, body }).toEqual({ statusCode: 200, body: { result: [] } });
  expect(started).toEqual([
    expect.objectContaining({
      WorkGroup: 'sluice-test-api',
      QueryExecutionContext: expect.objectContaining({ Database: 'sluice_test' }),
      QueryString: expect.stringContaining('"log_events"'),
    }),
  ]);
});

test('the warmer finds nothing to do', async () => {
  const { handler } = await import('../../lambdas/warmer.ts');
  expect(await handler()).toEqual({ due: 0, refreshed: 0, failed: 0, postponed: 0 });
});
