/**
 * What clients see when a service of AWS fails, from the HTTP request to the rows: the functions' own
 * bundles, and Trino behind Athena's protocol. Waits are real; only where minutes would have to pass, the
 * chain's clock is moved.
 */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Client, type Endpoint, type Source } from '../../e2e/support/client.ts';
import { ADMIN_KEY, shared } from '../../e2e/support/server.ts';
import type { Treatment } from '../../support/aws/fake-landing.ts';
import { OVER_SCAN_LIMIT } from './athena-execution.ts';
import { startChain } from './service.ts';

const running = shared(async (directory) => {
  const chain = await startChain({ directory });
  const sluice = new Client(chain.url, ADMIN_KEY, () => chain.settle());
  return { chain, sluice, settle: () => chain.settle(), close: () => chain.close() };
});

let source: Source;
let counts: Endpoint;
let wanted: string[];
beforeEach(async () => {
  const { sluice } = running();
  wanted = [];
  source = await sluice.createSource(`failing.${randomUUID()}`);
  counts = await sluice.createEndpoint({
    name: `counts.${randomUUID()}`,
    query: `select id, count(*) as copies from \`${source.name}\` group by id order by id`,
  });
});

/** Every test leaves the services sound, and each function without memory of its trouble. */
afterEach(async () => {
  const { chain } = running();
  Object.assign(chain.landing.treat, { firehose: () => 'ok', sqs: () => 'ok', s3: () => 'ok' });
  chain.athena.reset();
  chain.output = '';
  await chain.function('ingest').close();
});

/** Sends so many events in one request. What is answered with 200 has to be in the lake. */
async function send(count: number, bytes = 100) {
  const ids = Array.from({ length: count }, () => randomUUID());
  const answer = await running().sluice.post(
    `/logs?source=${source.token}`,
    ids.map((id) => ({ id, message: 'm'.repeat(bytes) })),
  );
  if (answer.status === 200) wanted.push(...ids);
  return answer;
}

/** How often each event is in the lake, as a query finds it. */
async function copies(): Promise<Record<string, unknown>> {
  const rows = await running().sluice.rows(counts.token);
  return Object.fromEntries(rows.map(({ id, copies: count }) => [id, count]));
}

const each = (count: number) => Object.fromEntries(wanted.map((id) => [id, count]));

async function redriveAll(): Promise<void> {
  const { chain } = running();
  for (let round = 0; chain.landing.queued.size > 0; round++) {
    if (round === 20) throw new Error(`${chain.landing.queued.size} messages stay in the queue.`);
    await chain.redrive();
  }
}

/** Makes the first calls of Firehose from now on fail so. */
function failFirehose(calls: number, treatment: Treatment): void {
  const { landing } = running().chain;
  const last = landing.calls.firehose + calls;
  landing.treat.firehose = (call) => (call <= last ? treatment : 'ok');
}

const EXPIRED = { error: 'ExpiredTokenException' };
const THROTTLED = { error: 'ServiceUnavailableException', status: 503 };

describe('Firehose', () => {
  test.each([
    ['takes a part of each call', 3, [0]],
    ['throttles', 3, THROTTLED],
    ['breaks connections', 2, 'reset'],
    ['is slow', 2, { afterMs: 2_000 }],
  ] as const)('%s for a moment: 200, and every event is found once', async (_, calls, how) => {
    failFirehose(calls, how);

    // Several records in one call.
    expect(await send(30, 10_000)).toMatchObject({ status: 200, body: { message: 'Logged!' } });

    expect(await copies()).toEqual(each(1));
    expect(running().chain.landing.queued.size).toBe(0);
  });

  test('stores a call whose answer is lost: 200, and copies have the same id', async () => {
    failFirehose(1, 'lost');

    expect(await send(2)).toMatchObject({ status: 200 });

    expect(await copies()).toEqual(each(2));
  });

  test.each([
    ['throttles for minutes', THROTTLED, THROTTLED.error],
    ['does not answer', 'silence', 'ETIMEDOUT'],
    ['finds the credentials expired', EXPIRED, EXPIRED.error],
  ] as const)(
    '%s: 200, and what was parked is found once after the redrive',
    async (_, how, why) => {
      const { chain } = running();
      failFirehose(Number.POSITIVE_INFINITY, how);

      expect(await send(3)).toMatchObject({ status: 200 });
      expect(await send(3)).toMatchObject({ status: 200 });
      const early = await copies();
      const parked = chain.landing.queued.size;
      failFirehose(0, 'ok');
      await redriveAll();

      expect({ early, parked }).toEqual({ early: {}, parked: 2 });
      await expect.poll(() => chain.output).toContain(why);
      expect(await copies()).toEqual(each(1));
    },
  );

  test('and the queue find the credentials expired: 503, and sent again it is found once', async () => {
    const { chain } = running();
    failFirehose(Number.POSITIVE_INFINITY, EXPIRED);
    chain.landing.treat.sqs = () => EXPIRED;

    const refused = await send(2);
    failFirehose(0, 'ok');
    const stored = await send(2);

    expect(refused).toMatchObject({ status: 503, body: { code: 'sink_unavailable' } });
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(refused.text).not.toContain('Expired');
    expect(stored.status).toBe(200);
    expect(await copies()).toEqual(each(1));
  });
});

describe('Athena', () => {
  /** Number of events; the statement takes a few hundred milliseconds. */
  const count = async () => {
    const { athena } = running().chain;
    const before = athena.executions.length;
    const answer = await running().sluice.query(counts.token);
    return { answer, executions: athena.executions.length - before };
  };

  beforeEach(async () => {
    await send(2);
  });

  test.each([
    ['StartQueryExecution', { error: 'TooManyRequestsException' }],
    ['StartQueryExecution', 'reset'],
    // Athena has begun, and no process heard: the token leads to the same execution.
    ['StartQueryExecution', 'lost'],
    ['GetQueryExecution', { error: 'ThrottlingException' }],
    ['GetQueryExecution', { error: 'InternalServerException', status: 500 }],
    ['GetQueryExecution', 'lost'],
    ['GetQueryResults', { error: 'TooManyRequestsException' }],
    ['GetQueryResults', 'reset'],
  ] as const)('fails twice at %s with %j: the rows, from one execution', async (operation, how) => {
    running().chain.athena.treat = (called, call) =>
      called === operation && call <= 2 ? how : 'ok';

    const { answer, executions } = await count();

    expect(answer.rows).toHaveLength(2);
    expect(executions).toBe(1);
  });

  test('does not answer a poll within 10 s: it is asked again', async () => {
    running().chain.athena.treat = (operation, call) =>
      operation === 'GetQueryExecution' && call === 1 ? 'silence' : 'ok';

    const { answer, executions } = await count();

    expect(answer.rows).toHaveLength(2);
    expect(executions).toBe(1);
  });

  test('breaks the connection between pages: every row, once', async () => {
    const { chain, sluice } = running();
    await send(2_500, 10);
    const ids = await sluice.createEndpoint({
      name: `ids.${randomUUID()}`,
      query: `select id from \`${source.name}\` order by id`,
      max_limit: 10_000,
    });
    chain.athena.treat = (operation, call) =>
      operation === 'GetQueryResults' && call % 2 === 0 ? 'lost' : 'ok';

    const rows = await sluice.rows(ids.token);

    expect(rows.map(({ id }) => id)).toEqual(wanted.toSorted());
    expect(chain.athena.calls.filter((name) => name === 'GetQueryResults').length).toBeGreaterThan(
      3,
    );
  });

  test('has no capacity for as long as a caller waits: 503 that asks to come back', async () => {
    const { athena, clock } = running().chain;
    athena.treat = () => {
      clock.advance(300_000);
      return { error: 'TooManyRequestsException' };
    };

    const { answer, executions } = await count();
    athena.reset();

    expect(answer).toMatchObject({ status: 503, body: { code: 'engine_throttled' } });
    expect(answer.headers.get('Retry-After')).toBe('15');
    expect(executions).toBe(0);
    expect((await count()).answer.rows).toHaveLength(2);
  });

  test.each([
    {
      what: 'fails inside',
      fate: {
        State: 'FAILED',
        StateChangeReason: 'GENERIC_INTERNAL_ERROR: s3://the-lake is out of reach',
        AthenaError: { ErrorCategory: 1, ErrorType: 1, Retryable: true, ErrorMessage: 's3' },
      },
      status: 502,
      code: 'query_failed',
    },
    {
      what: 'fails on a value',
      fate: { State: 'FAILED', StateChangeReason: "INVALID_CAST_ARGUMENT: Cannot cast 's3cret'" },
      status: 400,
      code: 'query_data_error',
    },
    {
      what: 'is told by an operator to stop',
      fate: { State: 'CANCELLED', StateChangeReason: 'Query cancelled by user' },
      status: 502,
      code: 'query_failed',
    },
    {
      what: 'runs into the scan limit',
      fate: { State: 'CANCELLED', StateChangeReason: OVER_SCAN_LIMIT },
      status: 400,
      code: 'scan_limit_exceeded',
    },
  ] as const)(
    '$what: $status $code, without its words, and the next call is a new run',
    async (one) => {
      const { chain } = running();
      chain.athena.fates.push(one.fate);

      const { answer, executions } = await count();
      const next = await count();

      expect(answer).toMatchObject({ status: one.status, body: { code: one.code } });
      expect(answer.text).not.toMatch(/s3|Athena|CANCELLED|by user/);
      expect(executions).toBe(1);
      expect(next).toMatchObject({ answer: { status: 200 }, executions: 1 });
    },
  );

  test('reads more than the workgroup allows: 400 that says what to do', async () => {
    running().chain.athena.scanLimitBytes = 1;

    const { answer } = await count();

    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'scan_limit_exceeded', error: expect.stringContaining('time range') },
    });
  });

  test('finds the credentials expired: 502 at once, and why is in the log', async () => {
    const { athena } = running().chain;
    athena.treat = () => EXPIRED;

    const { answer } = await count();
    const calls = athena.calls.length;
    athena.reset();

    expect(answer).toMatchObject({ status: 502, body: { code: 'query_failed' } });
    expect(answer.text).not.toContain('Expired');
    expect(calls).toBe(1);
    await expect.poll(() => running().chain.output).toContain('ExpiredTokenException');
    expect((await count()).answer.rows).toHaveLength(2);
  });

  test('keeps a query waiting: 504 after 25 s, and a later call gets the rows of that very run', async () => {
    const { chain, sluice } = running();
    const { promise: queuedUntil, resolve } = Promise.withResolvers<void>();
    chain.athena.fates.push({ queuedUntil });
    const { token } = await sluice.createEndpoint({
      name: `cached.${randomUUID()}`,
      query: `select count(*) as n from \`${source.name}\``,
      cache_duration_seconds: 600,
    });
    await chain.settle();
    const before = chain.athena.executions.length;

    const early = await sluice.query(token);
    resolve();
    const late = await sluice.query(token);

    expect(early).toMatchObject({ status: 504, body: { code: 'query_queued' } });
    expect(late.rows).toEqual([{ n: 2 }]);
    expect(chain.athena.executions.length - before).toBe(1);
  });
});
