/** A query that takes longer than its callers wait, up to the event by which Athena says that it has ended. */
import { expect, test } from 'vitest';
import { Client } from '../../e2e/support/client.ts';
import { ADMIN_KEY, shared } from '../../e2e/support/server.ts';
import { startChain } from './service.ts';

const running = shared(async (directory) => {
  const chain = await startChain({ directory });
  const sluice = new Client(chain.url, ADMIN_KEY, () => chain.settle());
  return { chain, sluice, settle: () => chain.settle(), close: () => chain.close() };
});

const CASES = [
  { cache_duration_seconds: 600, state: 'queued', code: 'query_queued', cache: 'hit' },
  { cache_duration_seconds: 600, state: 'running', code: 'query_timeout', cache: 'hit' },
  { cache_duration_seconds: 0, state: 'queued', code: 'query_queued', cache: 'off' },
  { cache_duration_seconds: 0, state: 'running', code: 'query_timeout', cache: 'off' },
] as const;

test('the rows of a query past 25 s are kept when it ends, and answer the next call without Athena', async () => {
  const { chain, sluice } = running();
  const { athena } = chain;
  await sluice.createSource('orders');
  await sluice.send('orders', [{ message: 'a' }, { message: 'b' }]);
  const endpoints = await Promise.all(
    CASES.map(({ state, cache_duration_seconds }, n) => {
      const query = `select count(*) as n, '${state}' as state from orders`;
      return sluice.createEndpoint({ name: `case.${n}`, query, cache_duration_seconds });
    }),
  );
  await chain.settle();
  const call = () => Promise.all(endpoints.map(({ name }) => sluice.query(name)));
  const { promise: until, resolve: free } = Promise.withResolvers<void>();
  athena.fateOf = (text) =>
    text.includes("'queued'") ? { queuedUntil: until } : { runningUntil: until };

  const early = await call();
  // Lambda freezes an instance with its answer; a thread would go on asking for the rows.
  await chain.function('query').close();
  free();
  await expect
    .poll(() => athena.executions.map(({ result }) => result?.rows.length), { timeout: 10_000 })
    .toEqual(CASES.map(() => 1));
  await chain.settle();
  const executions = athena.executions.length;
  athena.reset();
  const late = await call();

  expect(early).toMatchObject(CASES.map(({ code }) => ({ status: 504, body: { code } })));
  expect(late.map(({ rows, headers }) => [rows, headers.get('Sluice-Cache')])).toEqual(
    CASES.map(({ state, cache }) => [[{ n: 2, state }], cache]),
  );
  expect(executions).toBe(CASES.length);
  expect(athena.calls).toEqual([]);

  await chain.settle();
  const sql = `select origin, status_code, count(*) as records, countif(bytes_scanned >= 0) as counted
    from queries where endpoint like 'case.%' group by origin, status_code order by origin, status_code`;
  expect(await sluice.rows('usage.queries', { interval: 'hourly', sql })).toEqual([
    { origin: 'call', status_code: 200, records: CASES.length, counted: 0 },
    { origin: 'call', status_code: 504, records: CASES.length, counted: 0 },
    { origin: 'left', status_code: 200, records: CASES.length, counted: CASES.length },
  ]);
});
