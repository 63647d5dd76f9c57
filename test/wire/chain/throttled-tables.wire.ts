/**
 * What clients see when DynamoDB refuses calls, as it does with a partition that gets more than it gives:
 * one partition of the registry, all of it, or the table of results and rate limits. The SDK's three tries are real.
 */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, Client, type Endpoint, type Source } from '../../e2e/support/client.ts';
import { ADMIN_KEY, shared } from '../../e2e/support/server.ts';
import type { CallTreatment } from './json-server.ts';
import { startChain } from './service.ts';

const running = shared(async (directory) => {
  const chain = await startChain({ directory });
  // Nothing is settled before a call: how old an instance's memory is, each test says.
  const sluice = new Client(chain.url, ADMIN_KEY);
  return { chain, sluice, settle: () => chain.settle(), close: () => chain.close() };
});

const BUSY = { error: 'ProvisionedThroughputExceededException' };

let source: Source;
let uncached: Endpoint;
let cached: Endpoint;
beforeEach(async () => {
  const { chain, sluice } = running();
  source = await sluice.createSource(`throttled.${randomUUID()}`);
  const query = `select count(*) as n from \`${source.name}\``;
  uncached = await sluice.createEndpoint({ name: `uncached.${randomUUID()}`, query });
  cached = await sluice.createEndpoint({
    name: `cached.${randomUUID()}`,
    query,
    cache_duration_seconds: 3_600,
  });
  // Now the functions know all three, and the cache has rows.
  expect(await send()).toMatchObject({ status: 200 });
  await chain.settle();
  expect(await sluice.rows(uncached.token)).toEqual([{ n: 1 }]);
  expect(await sluice.rows(cached.token)).toEqual([{ n: 1 }]);
});

afterEach(async () => {
  const { chain } = running();
  chain.dynamodb.treat = () => 'ok';
  chain.output = '';
  await forgetAll();
});

/** The next calls meet instances that have read nothing yet. */
async function forgetAll(): Promise<void> {
  const { chain } = running();
  await Promise.all(['ingest', 'query', 'management'].map((name) => chain.function(name).close()));
}

/** Sends one event of the same fields as those before. */
function send(): Promise<Answer> {
  const path = `/logs?source=${source.token}`;
  return running().sluice.post(path, [{ id: randomUUID(), message: 'm' }]);
}

function refuse(
  treatment: CallTreatment,
  what: { readonly table: 'registry' | 'cache'; readonly partition?: string },
): void {
  running().chain.dynamodb.treat = ({ table, partition }) =>
    table === what.table && (what.partition ?? partition) === partition ? treatment : 'ok';
}

/** An answer that a client understands: when to come back, and nothing of what DynamoDB said. */
function expectUnavailable(answer: Answer, code: string): void {
  expect(answer, answer.text).toMatchObject({ status: 503, body: { code } });
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(answer.text).not.toMatch(/Throughput|Throttl|Exception|Dynamo|AWS|amazon/);
}

describe('the partition of all sources', () => {
  test.each([
    ['throttles', BUSY],
    ['throttles as a table does', { error: 'ThrottlingException' }],
    ['fails inside', { error: 'InternalServerError', status: 500 }],
    ['breaks connections', 'reset'],
    ['does not answer', 'silence'],
  ] as const)('%s: a source that is known takes events and answers queries', async (_, how) => {
    const { chain, sluice } = running();
    refuse(how, { table: 'registry', partition: 'source' });
    chain.clock.advance(10_000);

    const stored = await send();
    await chain.settle();
    const queried = await sluice.query(uncached.token);

    expect(stored).toMatchObject({ status: 200, body: { message: 'Logged!' } });
    expect(queried.rows).toEqual([{ n: 2 }]);
    await expect.poll(() => chain.output).toContain('so what was read before is used');
  });

  test('throttles for more than a minute: 503, and sent again the events are stored', async () => {
    const { chain, sluice } = running();
    refuse(BUSY, { table: 'registry', partition: 'source' });
    const statuses: number[] = [];
    // Ten seconds have passed since the instance has read the source.
    for (let seconds = 20; seconds < 50; seconds += 10) {
      chain.clock.advance(10_000);
      statuses.push((await send()).status);
    }
    chain.clock.advance(20_000);

    const late = await send();
    chain.dynamodb.treat = () => 'ok';
    const again = await send();

    expect(statuses).toEqual([200, 200, 200]);
    expectUnavailable(late, 'registry_unavailable');
    expect(again.status).toBe(200);
    await chain.settle();
    expect(await sluice.rows(uncached.token)).toEqual([{ n: 5 }]);
  });

  test('throttles: 503 by instances that do not have the source', async () => {
    await forgetAll();
    refuse(BUSY, { table: 'registry', partition: 'source' });

    expectUnavailable(await send(), 'registry_unavailable');
    expectUnavailable(await running().sluice.query(uncached.token), 'registry_unavailable');
  });

  test('throttles: 503 to who changes the source, since the change is based on it', async () => {
    const { sluice } = running();
    refuse(BUSY, { table: 'registry', partition: 'source' });

    const changed = await sluice.call(`/api/sources/${source.token}`, {
      method: 'PUT',
      body: { description: 'new' },
    });

    expectUnavailable(changed, 'registry_unavailable');
  });
});

describe('all of the registry', () => {
  test('throttles: keys that are known work on for ten seconds at most', async () => {
    const { chain, sluice } = running();
    chain.clock.advance(10_000);
    await send();
    refuse(BUSY, { table: 'registry' });

    const early = await send();
    chain.clock.advance(10_000);
    const late = await send();
    const queried = await sluice.query(cached.token);

    expect(early.status).toBe(200);
    expectUnavailable(late, 'registry_unavailable');
    expectUnavailable(queried, 'registry_unavailable');
  });
});

describe('the table of results and rate limits', () => {
  test.each([
    ['throttles', BUSY],
    ['breaks connections', 'reset'],
  ] as const)('%s: 503 for saved queries, also for those without a cache', async (_, how) => {
    const { chain, sluice } = running();
    refuse(how, { table: 'cache' });
    // Longer than an instance answers from its memory.
    chain.clock.advance(10_000);

    expectUnavailable(await sluice.query(cached.token), 'cache_unavailable');
    // The table has the leases too, which bound how many executions there are.
    expectUnavailable(await sluice.query(uncached.token), 'cache_unavailable');
    chain.dynamodb.treat = () => 'ok';
    expect(await sluice.rows(cached.token)).toEqual([{ n: 1 }]);
    expect(await sluice.rows(uncached.token)).toEqual([{ n: 1 }]);
  });

  test('throttles: events are stored without regard to rate limits, and the log says so', async () => {
    const { chain, sluice } = running();
    await forgetAll();
    refuse(BUSY, { table: 'cache' });

    expect(await send()).toMatchObject({ status: 200, body: { message: 'Logged!' } });

    await expect.poll(() => chain.output).toContain('Rate limits cannot be checked');
    chain.dynamodb.treat = () => 'ok';
    await chain.settle();
    expect(await sluice.rows(uncached.token)).toEqual([{ n: 2 }]);
  });
});
