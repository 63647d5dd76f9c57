/**
 * The functions as they are deployed: bundles alone, each in a new Node process with the environment
 * that Lambda gives it and no `node_modules` in sight. DynamoDB is dynalite; Firehose, SQS, Athena and
 * Secrets Manager are a stand-in on loopback.
 */

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FirehoseTransformationResult } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  FUNCTION_NAMES as FUNCTIONS,
  type FunctionName,
} from '../../lambdas/shared/environment.ts';
import type { HttpApiResponse } from '../../lambdas/shared/response-limit.ts';
import { bundle, writeBundle } from '../../lib/shared/bundle.ts';
import { BUILT_IN_SOURCES } from '../../src/bootstrap/built-in-endpoints.ts';
import { encodeRecord } from '../../src/ingest/delivery/record/record-encoding.ts';
import { type LocalDynamoDB, startDynamoDB } from '../../src/local/dynalite/dynamodb.ts';
import { serveDynamoDB } from '../support/dynamodb-endpoint.ts';
import { type EventOptions, httpApiEvent } from './http-api-event.ts';
import { type AwsStandIn, startAws } from './support/aws-stand-in.ts';
import { type Invocation, invokeBundle } from './support/lambda-process.ts';
import { BOOTSTRAP, COMPACTION, INGEST, VIEWS } from './variables.ts';

const ADMIN_KEY = 'Xq3pT9sVbN2kLmR7wYzC4dFhJ8gAeU6i';

/** Stands in every event, result and message: contents that no log may have. */
const SECRET = 'pineapple-4711';

let root: string;
let dynamodb: LocalDynamoDB;
let tables: Awaited<ReturnType<typeof serveDynamoDB>>;
let aws: AwsStandIn;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'sluice-deployed-'));
  for (const name of FUNCTIONS) writeBundle(bundle(name), join(root, name), ...folderOf(name));
  dynamodb = await startDynamoDB(join(root, 'dynamodb'));
  aws = await startAws(ADMIN_KEY);
  tables = await serveDynamoDB(dynamodb);
  environment = {
    ...INGEST,
    ...VIEWS,
    ...COMPACTION,
    ...BOOTSTRAP,
    ...aws.environment,
    SPILL_QUEUE: `${aws.environment.AWS_ENDPOINT_URL}/123456789012/parked`,
    AWS_ENDPOINT_URL_DYNAMODB: tables.endpoint,
    LOG_LEVEL: 'debug',
  };
  await invoke('bootstrap', [{}]);
}, 120_000);

afterAll(async () => {
  await aws.close();
  await tables.close();
  await dynamodb.close();
  rmSync(root, { recursive: true });
});

beforeEach(() => {
  aws.refusesRecords = false;
  aws.rows = [];
  aws.stored.length = 0;
  aws.parked.length = 0;
  aws.statements.length = 0;
});

function folderOf(name: FunctionName): [folder?: string] {
  return name === 'bootstrap' ? ['src/bootstrap/built-in'] : [];
}

function invoke<Answer>(
  name: FunctionName,
  events: readonly unknown[],
  options?: { readonly waits?: boolean },
): Promise<Invocation<Answer>> {
  return invokeBundle(join(root, name), environment, events, options);
}

/** Requests to one new instance of a function, with the admin key. */
async function call(name: 'ingest' | 'query' | 'management', ...requests: EventOptions[]) {
  const { answers, log } = await invoke<HttpApiResponse>(
    name,
    requests.map((options) => {
      const headers = {
        authorization: `Bearer ${ADMIN_KEY}`,
        'content-type': 'application/json',
        ...options.headers,
      };
      return httpApiEvent({ ...options, headers });
    }),
  );
  return {
    statuses: answers.map(({ statusCode }) => statusCode),
    bodies: answers.map(({ body, isBase64Encoded }) => (isBase64Encoded ? body : parsed(body))),
    headers: answers.map((answer) => answer.headers),
    log,
  };
}

function parsed(body: string) {
  return body === '' ? undefined : JSON.parse(body);
}

function posting(path: string, body: unknown, query = 'source_name=postgres.logs'): EventOptions {
  return { method: 'POST', path, query, body: JSON.stringify(body) };
}

test.each(FUNCTIONS)('%s has all modules that any of its modules imports', async (name) => {
  const modules = readdirSync(join(root, name)).filter((file) => file.endsWith('.mjs'));
  const script = `for (const file of ${JSON.stringify(modules)}) await import('./' + file);`;
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', `${script} process.exit();`],
    { cwd: join(root, name), env: { ...environment } },
  );
  expect(stderr).toBe('');
});

test.each(['ingest', 'query', 'management'] as const)('%s turns strangers away', async (name) => {
  const path = {
    ingest: '/logs',
    query: '/api/endpoints/query/logs.all',
    management: '/api/sources',
  };
  const method = name === 'ingest' ? 'POST' : 'GET';
  const headers = { authorization: 'Bearer guessed' };
  const { statuses } = await call(name, { method, path: path[name], headers });
  expect(statuses).toEqual([401]);
});

describe('ingest', () => {
  const otlp = {
    '/v1/logs': {
      resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: SECRET } }] }] }],
    },
    '/v1/traces': { resourceSpans: [{ scopeSpans: [{ spans: [{ name: SECRET }] }] }] },
    '/v1/metrics': {
      resourceMetrics: [
        {
          scopeMetrics: [{ metrics: [{ name: SECRET, gauge: { dataPoints: [{ asInt: '1' }] } }] }],
        },
      ],
    },
  };

  test('stores events', async () => {
    const { statuses } = await call('ingest', posting('/logs', { message: SECRET }));
    expect(statuses).toEqual([200]);
    expect(aws.stored.join()).toContain(SECRET);
  });

  test.each(Object.entries(otlp))('loads what it needs for %s', async (path, body) => {
    const { statuses } = await call('ingest', posting(path, body));
    expect(statuses).toEqual([200]);
    expect(aws.stored.join()).toContain(SECRET);
  });

  test('loads what it needs for a source with a filter', async () => {
    const filtered = { name: 'filtered', drop_lql_string: 'm.level:~"^deb"' };
    await call('management', posting('/api/sources', filtered, ''));

    const { statuses } = await call(
      'ingest',
      posting('/logs', { message: 'kept', level: 'info' }, 'source_name=filtered'),
      posting('/logs', { message: 'gone', metadata: { level: 'debug' } }, 'source_name=filtered'),
    );

    expect(statuses).toEqual([200, 200]);
    expect(aws.stored.join()).toContain('kept');
    expect(aws.stored.join()).not.toContain('gone');
  });

  test('loads what it needs to park, and the redrive takes it from there', async () => {
    aws.refusesRecords = true;
    const { statuses } = await call('ingest', posting('/logs', { message: SECRET }));
    expect(statuses).toEqual([200]);
    expect([aws.stored.length, aws.parked.length]).toEqual([0, 1]);

    aws.refusesRecords = false;
    const Records = aws.parked.map((body, index) => ({
      messageId: String(index),
      body,
      attributes: { SentTimestamp: String(Date.now()) },
    }));
    const { answers } = await invoke('redrive', [{ Records }]);

    expect(answers).toEqual([{ batchItemFailures: [] }]);
    expect(aws.stored.join()).toContain(SECRET);
  });
});

describe('the transformation', () => {
  const event = (...records: Uint8Array[]) => ({
    invocationId: '1',
    deliveryStreamArn: 'arn:aws:firehose:eu-west-1:123456789012:deliverystream/landing',
    region: 'eu-west-1',
    records: records.map((record, index) => ({
      recordId: String(index),
      approximateArrivalTimestamp: 0,
      data: Buffer.from(record).toString('base64'),
    })),
  });

  test('gives rows for records, compressed or not', async () => {
    const records = [10, 500_000].map((bytes) =>
      Buffer.from(`{"id":"a","m":"${'0'.repeat(bytes)}"}`),
    );

    const { answers } = await invoke<FirehoseTransformationResult>('transformation', [
      event(...records.map(encodeRecord)),
    ]);

    expect(answers).toEqual([
      {
        records: records.map((record, index) => ({
          recordId: String(index),
          result: 'Ok',
          data: record.toString('base64'),
        })),
      },
    ]);
  });

  test('logs the code of what it cannot read, and nothing of it', async () => {
    const { answers, log } = await invoke<FirehoseTransformationResult>('transformation', [
      event(Buffer.from(SECRET)),
    ]);

    expect(answers).toEqual([{ records: [{ recordId: '0', result: 'ProcessingFailed' }] }]);
    expect(log).toContain('"damaged_record":1');
    expect(log).not.toContain(SECRET);
  });
});

describe('query', () => {
  const counts = {
    path: '/api/endpoints/query/usage.api-counts',
    query: 'project=default&interval=daily',
  };

  test('compiles and runs what the cache has not, and answers the rest from it', async () => {
    const first = await call('query', counts);
    const second = await call('query', counts);

    expect([first.statuses, second.statuses]).toEqual([[200], [200]]);
    expect(first.headers).toMatchObject([{ 'sluice-cache': 'miss' }]);
    expect(second.headers).toMatchObject([{ 'sluice-cache': 'hit' }]);
    expect(aws.statements).toEqual([expect.stringContaining('"log_events"')]);
  });

  test('loads LQL and the rest of the compiler for what consumers ask', async () => {
    const path = '/api/endpoints/query/logs.all';
    const { statuses } = await call(
      'query',
      { path, query: 'project=default&lql=f%3Aedge_logs%20s%3Aid' },
      { path, query: `project=default&sql=${encodeURIComponent('select id from edge_logs')}` },
    );
    expect(statuses).toEqual([200, 200]);
  });
});

test('management lists what bootstrap created', async () => {
  const { bodies } = await call('management', { path: '/api/sources' });
  const names = bodies[0].map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(BUILT_IN_SOURCES.map(({ name }) => name)));
});

test('the warmer looks for what is due', async () => {
  const { answers } = await invoke('warmer', [{}]);
  expect(answers).toEqual([expect.objectContaining({ failed: 0 })]);
});

describe('at the most talkative level, no log line has the contents', () => {
  const lines = (log: string) =>
    log
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  test('of events that are stored, refused, parked or no events at all', async () => {
    const broken = `{"message":"${SECRET}"`;
    const json: EventOptions = { ...posting('/logs', {}), body: broken };
    const { statuses, log } = await call(
      'ingest',
      posting('/logs', { message: SECRET, metadata: { [SECRET]: SECRET } }),
      posting('/logs', [{ message: 'kept' }, SECRET, { timestamp: '2999-01-01', m: SECRET }]),
      posting('/v1/logs', { resourceLogs: SECRET }),
      json,
      { ...json, headers: { 'content-type': `text/${SECRET}` } },
    );
    aws.refusesRecords = true;
    const parked = await call('ingest', posting('/logs', { message: SECRET }));

    expect([...statuses, ...parked.statuses]).toEqual([200, 406, 400, 400, 415, 200]);
    expect(lines(log + parked.log).length).toBeGreaterThan(0);
    expect(log + parked.log).not.toContain(SECRET);
  });

  test('of parked messages, whole or damaged', async () => {
    const attributes = { SentTimestamp: '0' };
    const { answers, log } = await invoke('redrive', [
      { Records: [{ messageId: '1', body: `{"v":1,"gzip":"${SECRET}"}`, attributes }] },
      { Records: [{ messageId: '2', body: SECRET, attributes }] },
    ]);

    expect(answers).toEqual([
      { batchItemFailures: [{ itemIdentifier: '1' }] },
      { batchItemFailures: [{ itemIdentifier: '2' }] },
    ]);
    expect(lines(log).length).toBeGreaterThan(0);
    expect(log).not.toContain(SECRET);
  });

  test('of queries and their rows', async () => {
    aws.rows = [[SECRET]];
    const path = '/api/endpoints/query/logs.all';
    const sql = encodeURIComponent(`select event_message from edge_logs where id = '${SECRET}'`);
    const { statuses, bodies, log } = await call(
      'query',
      { path, query: `project=default&sql=${sql}` },
      { path, query: `project=default&sql=select+${SECRET}` },
      { path, query: `project=${SECRET}` },
    );

    expect(statuses).toEqual([200, 400, 200]);
    expect(JSON.stringify(bodies)).toContain(SECRET);
    expect(lines(log).length).toBeGreaterThan(0);
    expect(log).not.toContain(SECRET);
  });

  test('of management, or the keys that it shows once', async () => {
    const body = { scopes: 'private', description: SECRET };
    const { statuses, bodies, log } = await call(
      'management',
      posting('/api/access-tokens', body, ''),
    );

    expect(statuses).toEqual([201]);
    expect(log).not.toContain(SECRET);
    expect(log).not.toContain(bodies[0].token);
    expect(log).not.toContain(ADMIN_KEY);
  });

  test('of the admin key, or where CloudFormation wants its answer', async () => {
    const RequestType = 'Create';
    const ResponseURL = `http://127.0.0.1:9/?X-Amz-Signature=${SECRET}`;

    const { answers, log } = await invoke('bootstrap', [{}]);
    const failed = invoke('bootstrap', [{ RequestType, ResponseURL }], { waits: false });

    expect(answers).toHaveLength(1);
    await expect(failed).rejects.toMatchObject({ stderr: expect.not.stringContaining(SECRET) });
    expect(log).not.toContain(ADMIN_KEY);
  });
});
