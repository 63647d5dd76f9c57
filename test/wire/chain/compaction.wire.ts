/**
 * Compaction from the HTTP request to the rows: the deployed function, and the compacted table on
 * Trino's Iceberg connector.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LANDING_PREFIX } from '../../../lib/lake-layout.ts';
import { LEASE_MS } from '../../../src/endpoints/limits.ts';
import { HOUR_MS } from '../../../src/lake/compaction/hours.ts';
import { WATERMARK_CACHE_MS } from '../../../src/registry/compaction-state.ts';
import { Client } from '../../e2e/support/client.ts';
import { ADMIN_KEY, temporaryDirectory } from '../../e2e/support/server.ts';
import type { Chain } from './chain.ts';
import type { CallTreatment } from './json-server.ts';
import { startChain } from './service.ts';

const QUERIES = {
  'orders.copies': 'select id, count(*) as copies from orders group by id order by id',
  'orders.whole': 'select * from orders order by id',
  'orders.per-hour': `select timestamp_trunc(timestamp, hour) as hour, count(*) as n
    from orders group by hour order by hour`,
  'orders.paid': `select o.id, o.event_message from orders as o cross join unnest(o.metadata) as m
    where m.state = 'paid' order by o.id`,
  'orders.window': `select id from orders where timestamp >= '2026-02-03T15:00:00Z'
    and timestamp < '2026-02-03T16:30:00Z' order by id`,
};

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let chain: Chain;
let sluice: Client;
beforeEach(async () => {
  directory = await temporaryDirectory();
  chain = await startChain({ directory: directory.path, stoppedAt: '2026-02-03T14:05:00.000Z' });
  sluice = new Client(chain.url, ADMIN_KEY, () => chain.settle());
  await sluice.createSource('orders');
  for (const [name, query] of Object.entries(QUERIES)) {
    await sluice.createEndpoint({ name, query });
  }
});
afterEach(async () => {
  await chain.close();
  await directory.remove();
});

/** Sends an event every 20 minutes, three hours long. @returns their ids. */
async function sendForHours(): Promise<string[]> {
  const ids = Array.from({ length: 9 }, (_, n) => `o-${n}`);
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

test('makes one of the copies that a lost answer of Firehose left', async () => {
  chain.landing.treat.firehose = (call) => (call === 1 ? 'lost' : 'ok');
  const ids = await sendForHours();
  const before = await copies();

  await compactAfter(HOUR_MS);

  expect(before).toEqual([{ id: 'o-0', copies: 2 }, ...once(ids.slice(1))]);
  expect(await copies()).toEqual(once(ids));
});

/**
 * Ends the function in the middle of the run, at its start of that statement.
 *
 * @returns false when the run was over before that.
 */
async function killAt(start: number, how: CallTreatment, queuedUntil: Promise<void>) {
  const { promise: isReached, resolve: reached } = Promise.withResolvers<true>();
  let starts = 0;
  chain.athena.treat = (operation) => {
    if (operation !== 'StartQueryExecution' || ++starts !== start) return 'ok';
    reached(true);
    return how;
  };
  chain.athena.fateOf = () => (starts === start ? { queuedUntil } : undefined);
  const run = chain.invoke('compaction', {}).then(
    () => false as const,
    (error) => error,
  );
  const outcome = await Promise.race([isReached, run]);
  if (outcome !== true) return outcome;
  await chain.function('compaction').close();
  return (await run).kind === 'ended';
}

test.each([
  ['before the statement is begun', 'silence'],
  ['while the statement runs', 'lost'],
] as const)('is killed %s, again and again: every event stays there once', async (_, how) => {
  const ids = await sendForHours();
  chain.clock.advance(HOUR_MS);
  const seen: unknown[] = [];
  const statements = new Set<string>();

  for (let start = 1; ; start++) {
    const { promise: queuedUntil, resolve: free } = Promise.withResolvers<void>();
    const isKilled = await killAt(start, how, queuedUntil);
    statements.add(chain.athena.executions.at(-1)?.text.split(' ', 1)[0] ?? '');
    chain.athena.reset();
    if (!isKilled) break;
    seen.push(await copies());
    // Nobody renews the lease of the function that is gone.
    chain.clock.advance(LEASE_MS + 1_000);
    free();
  }
  await compactAfter(0);

  expect(seen).toEqual(seen.map(() => once(ids)));
  expect(seen.length).toBeGreaterThan(6);
  expect(await copies()).toEqual(once(ids));
});
