/**
 * Queries that several callers ask for, or that take longer than their callers wait, on the functions' own
 * bundles: each is one execution of Athena, however many instances have to do with it.
 */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { Client } from '../../e2e/support/client.ts';
import { ADMIN_KEY, shared } from '../../e2e/support/server.ts';
import type { Ending } from './athena-execution.ts';
import { startChain } from './service.ts';

const running = shared(async (directory) => {
  const chain = await startChain({ directory });
  const sluice = new Client(chain.url, ADMIN_KEY, () => chain.settle());
  await sluice.createSource('orders');
  await sluice.send('orders', [{ message: 'a' }, { message: 'b' }]);
  return { chain, sluice, settle: () => chain.settle(), close: () => chain.close() };
});

beforeEach(() => running().chain.athena.reset());

/** An endpoint whose execution is known by its text. */
async function create(changes: Readonly<Record<string, number>> = {}) {
  const mark = randomUUID();
  const query = `select count(*) as n, '${mark}' as mark from orders`;
  const { name } = await running().sluice.createEndpoint({
    name: `in-flight.${mark}`,
    query,
    ...changes,
  });
  await running().chain.settle();
  const executions = () =>
    running().chain.athena.executions.filter(({ text }) => text.includes(mark));
  return { mark, name, executions };
}

/** Keeps the executions with these texts from ending until the result is called, and may say how they end. */
function hold(fates: Readonly<Record<string, 'queued' | 'running' | Ending>>): () => void {
  const { promise: until, resolve } = Promise.withResolvers<undefined>();
  running().chain.athena.fateOf = (text) => {
    const fate = Object.entries(fates).find(([mark]) => text.includes(mark))?.[1];
    if (fate === undefined) return undefined;
    if (typeof fate === 'object') return { runningUntil: until.then(() => fate) };
    return fate === 'queued' ? { queuedUntil: until.then(() => {}) } : { runningUntil: until };
  };
  return () => resolve(undefined);
}

/** Lambda may end an instance at any time; the next call meets another. */
const endInstances = () => running().chain.function('query').close();

/** Events of `usage.queries` about an endpoint, and how many of them have what Athena read. */
async function usageOf(name: string) {
  const { chain, sluice } = running();
  await chain.settle();
  const sql = `select origin, status_code, count(*) as records, countif(bytes_scanned >= 0) as counted
    from queries where endpoint = '${name}' group by origin, status_code order by origin, status_code`;
  const options = { interval: 'hourly', sql };
  return sluice.rows('usage.queries', options);
}

test('equal calls in several instances are one execution, counted once', async () => {
  const { chain, sluice } = running();
  const { mark, name, executions } = await create({ cache_duration_seconds: 600 });
  const free = hold({ [mark]: 'running' });
  const started = chain.function('query').coldStarts;

  const calls = Array.from({ length: 4 }, () => sluice.query(name));
  await expect.poll(() => executions().length, { timeout: 10_000 }).toBe(1);
  await expect.poll(() => chain.function('query').coldStarts - started).toBeGreaterThan(1);
  free();
  const answers = await Promise.all(calls);

  expect(answers.map(({ rows }) => rows)).toEqual(Array(4).fill([{ n: 2, mark }]));
  expect(executions()).toHaveLength(1);
  expect(await usageOf(name)).toEqual([
    { origin: 'call', status_code: 200, records: 4, counted: 1 },
  ]);
});

test('an instance that dies leaves its execution to the next call', async () => {
  const { sluice } = running();
  const { mark, name, executions } = await create({ cache_duration_seconds: 600 });
  const free = hold({ [mark]: 'running' });

  const orphaned = sluice.query(name);
  await expect.poll(() => executions().length, { timeout: 10_000 }).toBe(1);
  // It polls, so it has noted the id.
  const polls = () => running().chain.athena.calls.filter((call) => call === 'GetQueryExecution');
  await expect.poll(() => polls().length, { timeout: 10_000 }).toBeGreaterThan(1);
  await endInstances();
  const broken = await orphaned;
  const next = sluice.query(name);
  free();

  expect(broken).toMatchObject({ status: 500 });
  expect((await next).rows).toEqual([{ n: 2, mark }]);
  expect(executions()).toHaveLength(1);
  expect(await usageOf(name)).toEqual([
    { origin: 'call', status_code: 200, records: 1, counted: 1 },
  ]);
});

const CASES = [
  { cache_duration_seconds: 600, state: 'queued', code: 'query_queued', cache: 'miss' },
  { cache_duration_seconds: 600, state: 'running', code: 'query_timeout', cache: 'miss' },
  { cache_duration_seconds: 0, state: 'queued', code: 'query_queued', cache: 'off' },
  { cache_duration_seconds: 0, state: 'running', code: 'query_timeout', cache: 'off' },
] as const;

test('callers who leave after 25 s are answered from the same execution', async () => {
  const { chain, sluice } = running();
  const left = await Promise.all(
    CASES.map(async ({ cache_duration_seconds, ...the }) => ({
      ...the,
      ...(await create({ cache_duration_seconds })),
    })),
  );
  const failing = await create();
  const warmed = await create({ cache_duration_seconds: 600, proactive_requerying_seconds: 300 });
  await sluice.rows(warmed.name);
  chain.clock.advance(301_000);
  const free = hold({
    ...Object.fromEntries(left.map(({ mark, state }) => [mark, state])),
    [failing.mark]: { State: 'FAILED', StateChangeReason: 'SYNTAX_ERROR: it is wrong' },
    [warmed.mark]: 'running',
  });

  const early = await Promise.all([
    ...left.map(({ name }) => sluice.query(name)),
    sluice.query(failing.name),
    sluice.query(warmed.name, {}, { 'Cache-Control': 'no-cache' }),
  ]);
  await endInstances();
  free();
  const pass = await chain.invoke('warmer', {});
  const late = await Promise.all(left.map(({ name }) => sluice.query(name)));
  const failed = await sluice.query(failing.name);
  const fresh = await sluice.query(warmed.name);

  expect(early.map(({ status }) => status)).toEqual(Array(6).fill(504));
  expect(early.slice(0, 4)).toMatchObject(left.map(({ code }) => ({ body: { code } })));
  expect(late.map(({ rows, headers }) => [rows, headers.get('Sluice-Cache')])).toEqual(
    left.map(({ mark, cache }) => [[{ n: 2, mark }], cache]),
  );
  expect(left.map(({ executions }) => executions().length)).toEqual([1, 1, 1, 1]);
  for (const { name } of left) {
    expect(await usageOf(name)).toEqual([
      { origin: 'call', status_code: 200, records: 1, counted: 1 },
      { origin: 'call', status_code: 504, records: 1, counted: 0 },
    ]);
  }
  expect(failed).toMatchObject({ status: 502, body: { code: 'query_failed' } });
  expect(failing.executions()).toHaveLength(1);

  expect(pass).toMatchObject({ due: 1, refreshed: 1 });
  expect(fresh.headers.get('Sluice-Cache')).toBe('hit');
  expect(warmed.executions()).toHaveLength(2);
  expect(await usageOf(warmed.name)).toEqual([
    { origin: 'call', status_code: 200, records: 2, counted: 1 },
    { origin: 'call', status_code: 504, records: 1, counted: 0 },
    { origin: 'warmer', status_code: 200, records: 1, counted: 1 },
  ]);
});
