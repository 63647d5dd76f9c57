/**
 * Whatever Firehose does, an event that was answered with 200 reaches the stream. The functions are
 * the real ones with their real SDK clients, called over HTTP; Firehose, SQS and S3 are stand-ins on
 * loopback. Only waits are not real: a clock that moves when the functions sleep makes minutes pass.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type LocalDynamoDB, startDynamoDB } from '../../src/local/dynalite/dynamodb.ts';
import { TestClock } from '../support/aws/clock.ts';
import { FakeLanding, type Treatment } from '../support/aws/fake-landing.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { BOOTSTRAP, INGEST } from './variables.ts';

const stand = vi.hoisted(() => ({
  clock: undefined as unknown as TestClock,
  dynamodb: undefined as unknown,
}));
vi.mock('../../lambdas/shared/dynamodb.ts', () => ({ documentClient: () => stand.dynamodb }));
vi.mock('../../src/platform/clock.ts', async (original) => ({
  ...(await original<object>()),
  systemClock: { now: () => stand.clock.now() },
}));
vi.mock('../../src/platform/concurrency/sleep.ts', async (original) => ({
  ...(await original<object>()),
  systemSleep: (ms: number) => stand.clock.sleep(ms),
}));

let directory: string;
let dynamodb: LocalDynamoDB;
const adminKey = 'Xq3pT9sVbN2kLmR7wYzC4dFhJ8gAeU6i';
let landing: FakeLanding;
let gateway: Gateway;

beforeAll(async () => {
  stand.clock = new TestClock();
  directory = mkdtempSync(join(tmpdir(), 'sluice-nothing-lost-'));
  dynamodb = await startDynamoDB(directory);
  stand.dynamodb = dynamodb.client;
  for (const [name, value] of Object.entries(BOOTSTRAP)) vi.stubEnv(name, value);
  const { handler } = await import('../../lambdas/bootstrap.ts');
  await handler({ adminKey });
});

afterAll(async () => {
  await dynamodb.close();
  rmSync(directory, { recursive: true });
});

/** Each test has an instance of the functions of its own, as after a cold start. */
beforeEach(async () => {
  vi.resetModules();
  landing = await FakeLanding.start();
  landing.now = () => stand.clock.now();
  const variables = {
    ...INGEST,
    SPILL_QUEUE: landing.queueUrl,
    SPILL_OBJECTS: landing.objectsUrl,
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  // Warnings and errors are what these tests provoke.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { handler } = await import('../../lambdas/ingest.ts');
  gateway = await startGateway(handler);
});

afterEach(async () => {
  await gateway.close();
  await landing.close();
  vi.restoreAllMocks();
});

/** Ids of the events that were answered with 200. */
class Clients {
  readonly acknowledged: string[] = [];
  #next = 0;

  /** Sends events as one request and gives the answer's status. */
  async send(count: number, messageBytes = 50): Promise<number> {
    const batch = Array.from({ length: count }, () => ({
      id: `event-${this.#next++}`,
      message: 'm'.repeat(messageBytes),
      project: 'demo',
    }));
    const answer = await fetch(`${gateway.url}/logs?source_name=postgres.logs`, {
      method: 'POST',
      headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
      body: JSON.stringify({ batch }),
    });
    const body = await answer.json();
    if (answer.status === 200) {
      expect(body).toEqual({ message: 'Logged!' });
      this.acknowledged.push(...batch.map(({ id }) => id));
    } else {
      expect(body).toMatchObject({ code: 'sink_unavailable' });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    return answer.status;
  }
}

/** Copies in the stream by event id. */
function copies(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of landing.storedRows) {
    const { id } = JSON.parse(row);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Lambda's part: hands messages to the redrive and deletes those that its answer does not name. */
async function redrive(options: { readonly crash?: boolean } = {}): Promise<void> {
  const { handler } = await import('../../lambdas/redrive.ts');
  const event = landing.receive(100);
  const { batchItemFailures } = await handler(event);
  // A function that dies before its answer arrives has put the records, and no message goes.
  if (options.crash) return;
  const waiting = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  for (const { messageId } of event.Records) {
    if (!waiting.has(messageId)) landing.queued.delete(messageId);
  }
}

async function redriveAll(): Promise<void> {
  for (let round = 0; landing.queued.size > 0; round++) {
    if (round === 100) throw new Error(`${landing.queued.size} messages stay in the queue.`);
    await redrive();
  }
}

const exactlyOnce = (ids: readonly string[]) => new Map(ids.map((id) => [id, 1]));
const THROTTLING: Treatment = { error: 'ServiceUnavailableException', status: 503 };

describe('Firehose fails for a moment', () => {
  test.each([
    ['takes a part', [0, 2]],
    ['throttles', THROTTLING],
    ['breaks the connection', 'reset'],
  ] as const)('and %s: the rest is sent again, once', async (_, treatment) => {
    const clients = new Clients();
    landing.treat.firehose = (call) => (call <= 3 ? treatment : 'ok');

    expect(await clients.send(100, 15_000)).toBe(200);

    expect(landing.queued.size).toBe(0);
    expect(copies()).toEqual(exactlyOnce(clients.acknowledged));
  });

  test('and does not answer, having stored nothing', async () => {
    const clients = new Clients();
    landing.treat.firehose = (call) => (call === 1 ? 'silence' : 'ok');

    expect(await clients.send(3)).toBe(200);

    expect(copies()).toEqual(exactlyOnce(clients.acknowledged));
  });

  test('and its answer is lost: copies arise, and their ids tell', async () => {
    const clients = new Clients();
    landing.treat.firehose = (call) => (call === 1 ? 'lost' : 'ok');

    expect(await clients.send(3)).toBe(200);

    expect(copies()).toEqual(new Map(clients.acknowledged.map((id) => [id, 2])));
  });
});

describe('Firehose refuses for minutes while clients go on sending', () => {
  test.each([
    ['throttling', THROTTLING],
    ['a permission that was taken away', { error: 'AccessDeniedException' }],
    ['a stream that was deleted', { error: 'ResourceNotFoundException' }],
    ['connections that break', 'reset'],
  ] as const)('%s: everything is answered with 200 and arrives once', async (_, treatment) => {
    const clients = new Clients();
    const until = stand.clock.now() + 5 * 60_000;
    landing.treat.firehose = () => (stand.clock.now() < until ? treatment : 'ok');
    const start = { naps: stand.clock.naps.length };

    while (stand.clock.now() < until) {
      expect(await clients.send(2)).toBe(200);
      stand.clock.advance(5_000);
    }
    // Only the first request has waited for the stream.
    const calls = landing.calls.firehose;
    const waits = stand.clock.naps.length - start.naps;
    expect(calls - waits).toBeLessThanOrEqual(clients.acknowledged.length / 2);
    expect(landing.queued.size).toBe(clients.acknowledged.length / 2);
    expect(copies()).toEqual(new Map());

    await redriveAll();
    expect(await clients.send(2)).toBe(200);

    expect(landing.queued.size).toBe(0);
    expect(copies()).toEqual(exactlyOnce(clients.acknowledged));
  });

  test('taking a part of every call: only the rest is parked', async () => {
    const clients = new Clients();
    landing.treat.firehose = () => [0];

    for (let request = 0; request < 5; request++) expect(await clients.send(100, 15_000)).toBe(200);
    expect(landing.queued.size).toBe(5);
    expect(landing.stored.length).toBeGreaterThanOrEqual(5);
    landing.treat.firehose = () => 'ok';
    await redriveAll();

    expect(copies()).toEqual(exactlyOnce(clients.acknowledged));
  });

  test('a redrive that comes too early stores what it can, and leaves the rest', async () => {
    const clients = new Clients();
    landing.treat.firehose = () => THROTTLING;
    for (let request = 0; request < 6; request++) await clients.send(1);

    landing.treat.firehose = (call) => (call % 2 === 0 ? [0, 1] : THROTTLING);
    await redrive();
    await redrive();
    landing.treat.firehose = () => 'ok';
    await redriveAll();

    expect(copies()).toEqual(exactlyOnce(clients.acknowledged));
  });

  test('records too large for a message wait on S3', async () => {
    const clients = new Clients();
    landing.treat.firehose = () => THROTTLING;
    // All of printable ASCII but what JSON escapes: of all text, this compresses least.
    const letters = Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)).filter(
      (letter) => !'"\\'.includes(letter),
    );
    const noise = Array.from(randomBytes(985_000), (n) => letters[n % letters.length]).join('');
    const answer = await fetch(`${gateway.url}/logs?source_name=postgres.logs`, {
      method: 'POST',
      headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'large', message: noise }),
    });
    expect(answer.status).toBe(200);
    expect(await clients.send(1)).toBe(200);
    expect([landing.objects.size, landing.queued.size]).toEqual([1, 2]);

    landing.treat.firehose = () => 'ok';
    await redriveAll();

    expect(copies()).toEqual(exactlyOnce(['large', ...clients.acknowledged]));
    const [large] = landing.storedRows
      .map((row) => JSON.parse(row))
      .filter(({ id }) => id === 'large');
    expect(large.event_message).toBe(noise);
  });
});

describe('parking fails as well', () => {
  test.each([
    ['throttling', { error: 'ThrottlingException' }],
    ['a permission that was taken away', { error: 'AccessDeniedException' }],
    ['connections that break', 'reset'],
    ['single messages', [0]],
  ] as const)('%s: clients hear 503 and keep their events', async (_, treatment) => {
    const clients = new Clients();
    landing.treat.firehose = () => THROTTLING;
    landing.treat.sqs = () => treatment;

    expect(await clients.send(2)).toBe(503);
    expect(await clients.send(2)).toBe(503);
    expect(clients.acknowledged).toEqual([]);
    expect(landing.queued.size).toBe(0);

    landing.treat.sqs = () => 'ok';
    expect(await clients.send(2)).toBe(200);
    landing.treat.firehose = () => 'ok';
    await redriveAll();
    expect(copies()).toEqual(exactlyOnce(clients.acknowledged));
  });

  test('a part of a large request: 503, and what was parked is a copy of what is sent again', async () => {
    const clients = new Clients();
    landing.treat.firehose = () => THROTTLING;
    landing.treat.sqs = () => [0];

    expect(await clients.send(100, 15_000)).toBe(503);
    const left = landing.queued.size;
    landing.treat.sqs = () => 'ok';
    landing.treat.firehose = () => 'ok';
    await redriveAll();

    expect(left).toBeGreaterThan(0);
    expect(Math.max(...copies().values())).toBe(1);
  });
});

describe('the redrive fails', () => {
  test('dying between put and delete: copies arise, and their ids tell', async () => {
    const clients = new Clients();
    landing.treat.firehose = () => THROTTLING;
    for (let request = 0; request < 3; request++) await clients.send(2);
    landing.treat.firehose = () => 'ok';

    await redrive({ crash: true });
    await redriveAll();

    expect(copies()).toEqual(new Map(clients.acknowledged.map((id) => [id, 2])));
  });

  test('on a message that cannot be read: it stays, and all others are stored', async () => {
    const clients = new Clients();
    landing.treat.firehose = () => THROTTLING;
    await clients.send(1);
    landing.queued.set('strange', { body: 'hello', sentAt: 0, receives: 0 });
    await clients.send(1);
    landing.treat.firehose = () => 'ok';

    await redrive();
    await redrive();

    expect([...landing.queued.keys()]).toEqual(['strange']);
    expect(copies()).toEqual(exactlyOnce(clients.acknowledged));
  });
});

describe('whatever goes wrong, in whatever order', () => {
  const harmless = fc.constantFrom<Treatment>('ok', 'ok', [0], [0, 1], THROTTLING, 'reset');
  const doubtful = fc.oneof(harmless, fc.constant<Treatment>('lost'));
  const scripts = (treatment: fc.Arbitrary<Treatment>) =>
    fc.record({
      firehose: fc.array(treatment, { minLength: 1, maxLength: 12 }),
      sqs: fc.array(treatment, { minLength: 1, maxLength: 6 }),
      requests: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 }),
      redriveAfter: fc.nat(8),
    });

  interface Script {
    readonly firehose: readonly Treatment[];
    readonly sqs: readonly Treatment[];
    readonly requests: readonly number[];
    readonly redriveAfter: number;
  }

  /** Sends requests, two at a time, with a redrive among them, and lets everything recover. */
  async function play(script: Script): Promise<Clients> {
    landing.reset();
    const clients = new Clients();
    const repeat = (list: readonly Treatment[]) => (call: number) =>
      list[call % list.length] ?? 'ok';
    landing.treat.firehose = repeat(script.firehose);
    landing.treat.sqs = repeat(script.sqs);
    for (const [index, count] of script.requests.entries()) {
      await Promise.all([clients.send(count, 25_000), clients.send(1)]);
      if (index === script.redriveAfter) await redrive();
    }
    landing.treat.firehose = () => 'ok';
    await redriveAll();
    return clients;
  }

  test('what was answered with 200 arrives once', async () => {
    let events = 0;
    await fc.assert(
      fc.asyncProperty(scripts(harmless), async (script) => {
        const { acknowledged } = await play(script);
        const found = copies();
        events += acknowledged.length;
        expect(acknowledged.filter((id) => found.get(id) !== 1)).toEqual([]);
      }),
      { numRuns: 25 },
    );
    expect(events).toBeGreaterThan(0);
  });

  test('where answers get lost, at least once', async () => {
    let events = 0;
    await fc.assert(
      fc.asyncProperty(scripts(doubtful), async (script) => {
        const { acknowledged } = await play(script);
        const found = copies();
        events += acknowledged.length;
        expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
      }),
      { numRuns: 25 },
    );
    expect(events).toBeGreaterThan(0);
  });
});
