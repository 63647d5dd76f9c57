/**
 * Compaction from the HTTP request to the rows: the deployed function, and the compacted table on
 * Trino's Iceberg connector.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LANDING_PREFIX } from '../../../lib/lake/lake-layout.ts';
import { WATERMARK_CACHE_MS } from '../../../src/catalog/compaction-state.ts';
import { HOUR_MS } from '../../../src/lake/compaction/hours.ts';
import { LEASE_MS } from '../../../src/platform/leases/leases.ts';
import { Client } from '../../e2e/support/client.ts';
import { ORDER_QUERIES } from '../../e2e/support/order-queries.ts';
import { ADMIN_KEY, temporaryDirectory } from '../../e2e/support/server.ts';
import type { Chain } from './chain.ts';
import type { CallTreatment } from './json-server.ts';
import type { FunctionError } from './lambda-function.ts';
import { startChain } from './service.ts';

const QUERIES = {
  'orders.copies': 'select id, count(*) as copies from orders group by id order by id',
  ...ORDER_QUERIES,
};

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let chain: Chain;
let sluice: Client;
beforeEach(async () => {
  directory = await temporaryDirectory();
  chain = await startChain({ directory: directory.path, stoppedAt: '2026-02-03T14:05:00.000Z' });
  sluice = new Client(chain.url, ADMIN_KEY, () => chain.settle());
  await sluice.createSource('orders');
  for (const [name, query] of Object.entries(QUERIES)) await sluice.createEndpoint({ name, query });
});
afterEach(async () => {
  await chain.close();
  await directory.remove();
});

/** Sends an event every 20 minutes, three hours long. @returns their ids, which begin so. */
async function sendForHours(prefix = 'o'): Promise<string[]> {
  const ids = Array.from({ length: 9 }, (_, n) => `${prefix}-${n}`);
  for (const [n, id] of ids.entries()) {
    const timestamp = new Date(chain.clock.now()).toISOString();
    const metadata = { state: n % 2 === 0 ? 'paid' : 'open' };
    await sluice.send('orders', { id, message: `order ${id}`, timestamp, metadata });
    chain.clock.advance(HOUR_MS / 3);
  }
  await chain.settle();
  return ids;
}

/** Makes the schedule call the function, so long from now. */
async function compactAfter(ms: number): Promise<unknown> {
  chain.clock.advance(ms);
  const run = await chain.invoke('compaction', {});
  chain.clock.advance(WATERMARK_CACHE_MS);
  return run;
}

async function answers(): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (const name of Object.keys(QUERIES)) rows.push(await sluice.rows(name));
  return rows;
}

const copies = () => sluice.rows('orders.copies');
const once = (ids: readonly string[]) => ids.map((id) => ({ id, copies: 1 }));

test('changes no answer, and what it wrote is what queries read', async () => {
  const ids = await sendForHours();
  const before = await answers();

  const run = await compactAfter(HOUR_MS);
  const compacted = await answers();
  const { body } = await sluice.query('orders.copies', { explain: 'true' });
  // As the bucket's lifecycle does to landing files that are old.
  await rm(join(directory.path, LANDING_PREFIX, 'dt=2026-02-03'), { recursive: true });
  const alone = await answers();

  expect(before[0]).toEqual(once(ids));
  expect(before[4]).toHaveLength(5);
  expect(run).toMatchObject({ ran: true, hours: 3 });
  expect(compacted).toEqual(before);
  expect(alone).toEqual(before);
  expect(body).toMatchObject({
    explain: {
      athena: expect.stringContaining('"log_events_compacted"'),
      scans: [{ source: 'orders', compacted: true }],
    },
  });
});

test('of days that are over leaves fewer files, and the same answers', async () => {
  await sendForHours();
  const before = await answers();
  await compactAfter(HOUR_MS);

  await compactAfter(48 * HOUR_MS);

  const statements = chain.athena.executions.map(({ text }) => text.split(' ', 1)[0]);
  expect(statements).toEqual(expect.arrayContaining(['OPTIMIZE', 'VACUUM']));
  expect(await answers()).toEqual(before);
});

/** Makes executions of a statement fail, as if Athena had refused or could not do what it says. */
function failOptimize(of: RegExp, reason: string): void {
  chain.athena.fateOf = (text) =>
    text.startsWith('OPTIMIZE') && of.test(text)
      ? { State: 'FAILED', StateChangeReason: reason }
      : undefined;
}

/** First words of the statements that ended well, and the days of those with days. */
const done = () =>
  chain.athena.executions
    .filter(({ result }) => result !== undefined)
    .map(
      ({ text }) => /^(OPTIMIZE).* WHERE event_time >= TIMESTAMP '([-\d]+)/.exec(text)?.[2] ?? text,
    );

test('goes on past a day that cannot be optimized, and comes back to it', async () => {
  await sendForHours();
  chain.clock.advance(7 * HOUR_MS);
  await sendForHours('p');
  const before = await answers();
  await compactAfter(HOUR_MS);
  failOptimize(/TIMESTAMP '2026-02-03/, 'ICEBERG_CANNOT_OPEN_SPLIT: a file is missing');

  await compactAfter(60 * HOUR_MS);
  const meanwhile = done();
  chain.athena.reset();
  await compactAfter(HOUR_MS);

  expect(meanwhile).toEqual(expect.arrayContaining(['2026-02-04', 'VACUUM log_events_compacted']));
  expect(meanwhile).not.toContain('2026-02-03');
  expect(done()).toContain('2026-02-03');
  expect(chain.output).toMatch(
    /"compaction run".*"failingSteps":1,"mostFailures":1,"failing":\[\{"step":"optimize 2026-02-03"/,
  );
  expect(await answers()).toEqual(before);
});

test('optimizes all days where Athena does not take a condition on one', async () => {
  await sendForHours();
  const before = await answers();
  await compactAfter(HOUR_MS);
  failOptimize(/ WHERE /, 'SYNTAX_ERROR: line 1:68: this condition is not supported');

  await compactAfter(48 * HOUR_MS);

  expect(done()).toContain('OPTIMIZE log_events_compacted REWRITE DATA USING BIN_PACK');
  expect(await answers()).toEqual(before);
});

test('makes one of the copies that a lost answer of Firehose left', async () => {
  chain.landing.treat.firehose = (call) => (call === 1 ? 'lost' : 'ok');
  const ids = await sendForHours();
  const before = await copies();

  await compactAfter(HOUR_MS);

  expect(before).toEqual([{ id: 'o-0', copies: 2 }, ...once(ids.slice(1))]);
  expect(await copies()).toEqual(once(ids));
});

/** Calls of a run in which it has found out what the one before it began. */
const LOOKING_CALLS = 5;

/**
 * Ends the function in the middle of a run, at its start of that statement. A statement that was begun
 * stays queued until the next run has looked for it.
 *
 * @param free lets the statement of the run before go on.
 * @returns what lets this one's go on; undefined when the run was over before that.
 */
async function killAt(start: number, how: CallTreatment, free: () => void) {
  const { athena } = chain;
  const { promise: isReached, resolve: reached } = Promise.withResolvers<'reached'>();
  const { promise: queuedUntil, resolve: freeNext } = Promise.withResolvers<void>();
  let starts = 0;
  athena.reset();
  athena.treat = (operation) => {
    if (athena.calls.length > LOOKING_CALLS) free();
    if (operation !== 'StartQueryExecution' || ++starts !== start) return 'ok';
    reached('reached');
    return how;
  };
  athena.fateOf = () => (starts === start ? { queuedUntil } : undefined);
  const run = chain.invoke('compaction', {});
  const ended = run.then(
    () => 'finished',
    (error: FunctionError) => error.kind,
  );
  const outcome = await Promise.race([isReached, ended]);
  await chain.function('compaction').close();
  athena.reset();
  free();
  expect([outcome, await ended]).toEqual(
    outcome === 'finished' ? ['finished', 'finished'] : ['reached', 'ended'],
  );
  return outcome === 'finished' ? undefined : freeNext;
}

test.each([
  ['before the statement is begun', 'silence'],
  ['while the statement runs', 'lost'],
] as const)('is killed %s, again and again: every event stays there once', async (_, how) => {
  const ids = await sendForHours();
  chain.clock.advance(HOUR_MS);
  const seen: unknown[] = [];
  let free: (() => void) | undefined = () => {};

  for (let start = 1; free !== undefined; start++) {
    free = await killAt(start, how, free);
    seen.push(await copies());
    // No process renews the lease of the function that is gone.
    chain.clock.advance(LEASE_MS + 1_000);
  }
  chain.clock.advance(WATERMARK_CACHE_MS);
  const { body } = await sluice.query('orders.copies', { explain: 'true' });

  // At the least each of three hours is copied by four statements, and each run begins with one.
  expect(seen.length).toBeGreaterThan(6);
  expect(seen).toEqual(seen.map(() => once(ids)));
  expect(await copies()).toEqual(once(ids));
  expect(body).toMatchObject({ explain: { scans: [{ compacted: true }] } });
});
