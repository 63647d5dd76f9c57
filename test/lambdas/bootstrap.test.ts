/** Bootstrap as CloudFormation calls it, and as an operator does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type LocalDynamoDB, startDynamoDB } from '../../src/local/dynalite/dynamodb.ts';
import { httpApiEvent } from './http-api-event.ts';
import { BOOTSTRAP } from './variables.ts';

const backends = vi.hoisted(() => ({
  dynamodb: undefined as unknown,
  slept: [] as number[],
  readAdminKey: async (): Promise<string> => '',
}));
vi.mock('../../lambdas/shared/dynamodb.ts', () => ({ documentClient: () => backends.dynamodb }));
vi.mock('../../lambdas/shared/admin-key.ts', async (original) => ({
  ...(await original<object>()),
  readAdminKey: () => backends.readAdminKey(),
}));
vi.mock('../../src/platform/concurrency/sleep.ts', async (original) => ({
  ...(await original<object>()),
  systemSleep: async (ms: number) => {
    backends.slept.push(ms);
  },
}));

const SECRET = 'Xq3pT9sVbN2kLmR7wYzC4dFhJ8gAeU6i';

let directory: string;
let dynamodb: LocalDynamoDB;
let bucket: Server;
/** Statuses that CloudFormation's bucket answers with before it takes an answer. */
let refusals: number[];
let answers: Record<string, string>[];
let headers: string[];
let log: string;

beforeEach(async () => {
  vi.resetModules();
  for (const [name, value] of Object.entries(BOOTSTRAP)) vi.stubEnv(name, value);
  vi.stubEnv('AWS_LAMBDA_LOG_GROUP_NAME', '/aws/lambda/sluice-test-bootstrap');
  directory = mkdtempSync(join(tmpdir(), 'sluice-bootstrap-'));
  dynamodb = await startDynamoDB(directory);
  backends.dynamodb = dynamodb.client;
  backends.readAdminKey = async () => SECRET;
  log = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    log += line;
    return true;
  });
  backends.slept = [];
  refusals = [];
  answers = [];
  headers = [];
  bucket = createServer(async (request, response) => {
    const answer = (await json(request)) as Record<string, string>;
    const status = refusals.shift() ?? 200;
    if (status === 200) answers.push(answer);
    headers.push(`${request.method} ${request.headers['content-type']}`);
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => bucket.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  bucket.closeAllConnections();
  bucket.close();
  await dynamodb.close();
  rmSync(directory, { recursive: true });
});

/** A request of CloudFormation, as the reference of custom resources has it. */
function request(RequestType: 'Create' | 'Update' | 'Delete') {
  const { port } = bucket.address() as AddressInfo;
  return {
    RequestType,
    ServiceToken: 'arn:aws:lambda:eu-west-1:123456789012:function:sluice-test-bootstrap',
    ResponseURL: `http://127.0.0.1:${port}/arn%3Aaws%3Acloudformation?X-Amz-Signature=abc`,
    StackId: 'arn:aws:cloudformation:eu-west-1:123456789012:stack/sluice-test-service/1',
    RequestId: `request-${RequestType}`,
    LogicalResourceId: 'FirstRunResource',
    ...(RequestType === 'Create' ? {} : { PhysicalResourceId: 'sluice-first-run' }),
    ResourceType: 'Custom::SluiceFirstRun',
    ResourceProperties: { ServiceToken: '', Shipped: 'a'.repeat(64) },
  };
}

async function bootstrap(event: unknown) {
  const { handler } = await import('../../lambdas/bootstrap.ts');
  return handler(event);
}

async function manage(method: string, path: string, key = SECRET) {
  const { handler } = await import('../../lambdas/management.ts');
  const event = httpApiEvent({ method, path, headers: { authorization: `Bearer ${key}` } });
  const { statusCode, body } = await handler(event);
  return { statusCode, body: body === '' ? undefined : JSON.parse(body) };
}

const success = (RequestType: string) => ({
  Status: 'SUCCESS',
  PhysicalResourceId: 'sluice-first-run',
  StackId: 'arn:aws:cloudformation:eu-west-1:123456789012:stack/sluice-test-service/1',
  RequestId: `request-${RequestType}`,
  LogicalResourceId: 'FirstRunResource',
});

describe('a deployment', () => {
  test('leaves a service that the key in Secrets Manager opens', async () => {
    await bootstrap(request('Create'));

    expect(answers).toEqual([success('Create')]);
    expect((await manage('GET', '/api/sources')).body).not.toEqual([]);
    expect((await manage('GET', '/api/endpoints')).body).not.toEqual([]);
  });

  test('answers as the signature of the address wants it: a PUT without a content type', async () => {
    await bootstrap(request('Create'));
    expect(headers).toEqual(['PUT undefined']);
  });

  test('that comes a second time changes nothing', async () => {
    await bootstrap(request('Create'));
    const before = await manage('GET', '/api/sources');
    const keys = await manage('GET', '/api/access-tokens');

    await bootstrap(request('Create'));
    await bootstrap(request('Update'));

    expect(answers).toEqual([success('Create'), success('Create'), success('Update')]);
    expect(await manage('GET', '/api/sources')).toEqual(before);
    expect(await manage('GET', '/api/access-tokens')).toEqual(keys);
  });

  test('brings back nothing that users deleted', async () => {
    await bootstrap(request('Create'));
    const [source] = (await manage('GET', '/api/sources')).body;
    await manage('DELETE', `/api/sources/${source.token}`);

    await bootstrap(request('Update'));

    const names = (await manage('GET', '/api/sources')).body.map(
      ({ name }: { name: string }) => name,
    );
    expect(names).not.toContain(source.name);
  });

  test('that deletes the stack leaves everything', async () => {
    await bootstrap(request('Create'));
    const before = await manage('GET', '/api/sources');

    await bootstrap(request('Delete'));

    expect(answers.at(-1)).toEqual(success('Delete'));
    expect(await manage('GET', '/api/sources')).toEqual(before);
  });

  test('is taken back without a registry or a secret to read', async () => {
    backends.dynamodb = undefined;
    backends.readAdminKey = () => Promise.reject(new Error('no such secret'));

    await bootstrap(request('Delete'));

    expect(answers).toEqual([success('Delete')]);
  });

  test('waits for permissions that are not there yet', async () => {
    let attempts = 0;
    backends.readAdminKey = async () => {
      attempts += 1;
      if (attempts < 3) throw Object.assign(new Error('denied'), { name: 'AccessDeniedException' });
      return SECRET;
    };

    await bootstrap(request('Create'));

    expect(answers).toEqual([success('Create')]);
  });

  test('fails with a sentence on which its operator can act', async () => {
    const text = 'User: arn:aws:sts::123456789012:assumed-role/x is not authorized';
    backends.readAdminKey = () =>
      Promise.reject(Object.assign(new Error(text), { name: 'AccessDeniedException' }));

    await bootstrap(request('Create'));

    expect(answers).toEqual([
      {
        ...success('Create'),
        Status: 'FAILED',
        Reason: expect.stringMatching(
          /AccessDeniedException\. The log group \/aws\/lambda\/sluice-test-bootstrap .*deploy again/,
        ),
      },
    ]);
    expect(answers[0]?.Reason).not.toContain(text);
    expect(log).toContain(text);
  });

  test('is answered though the bucket for answers stumbles', async () => {
    refusals = [503, 500];
    await bootstrap(request('Create'));
    expect(answers).toEqual([success('Create')]);
  });

  test('that nobody takes the answer of ends in an error, so that Lambda tries it again', async () => {
    refusals = [503, 503, 503];
    await expect(bootstrap(request('Create'))).rejects.toThrow('503');
  });

  test('says and logs the key nowhere', async () => {
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    backends.dynamodb = { send: () => Promise.reject(new Error('down')) };

    await bootstrap(request('Create'));

    expect(answers).toMatchObject([{ Status: 'FAILED' }]);
    expect(JSON.stringify([answers, log, out.mock.calls])).not.toContain(SECRET);
  });
});

describe('an operator', () => {
  test('who revoked the key does not get it back', async () => {
    await bootstrap(request('Create'));
    await bootstrap({ adminKey: 'a-key-of-the-operators-own' });
    const own = 'a-key-of-the-operators-own';
    const { body } = await manage('GET', '/api/access-tokens', own);
    const issued = body.find(({ description }: { description: string }) =>
      description.includes('deployment'),
    );
    await manage('DELETE', `/api/access-tokens/${issued.id}`, own);

    await bootstrap({});
    await bootstrap(request('Update'));

    expect((await manage('GET', '/api/sources')).statusCode).toBe(401);
    expect((await manage('GET', '/api/sources', own)).statusCode).toBe(200);
  });

  test('who put a new key into the secret makes it valid with a call', async () => {
    await bootstrap(request('Create'));
    const rotated = 'kP4vW8mZ2qT6yB9nC3xF7hJ5dG1sL0aR';
    backends.readAdminKey = async () => rotated;

    expect(await bootstrap({})).toEqual({ message: expect.stringContaining('Secrets Manager') });

    expect((await manage('GET', '/api/sources', rotated)).statusCode).toBe(200);
  });

  test('who lost the secret too can add a key of their own', async () => {
    backends.readAdminKey = () => Promise.reject(new Error('no such secret'));
    const own = 'a-key-of-the-operators-own';

    expect(await bootstrap({ adminKey: own })).toEqual({
      message: expect.stringContaining('the admin key you gave'),
    });

    expect((await manage('GET', '/api/sources', own)).statusCode).toBe(200);
  });
});
