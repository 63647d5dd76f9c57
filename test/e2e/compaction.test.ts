import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Source } from './support/client.ts';
import { ORDER_QUERIES } from './support/order-queries.ts';
import { onChain, temporaryDirectory } from './support/server.ts';
import { type StoppedService, startAt } from './support/stopped-clock.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let service: StoppedService;
let source: Source;
beforeEach(async () => {
  directory = await temporaryDirectory();
  service = await startAt('2026-02-03T14:05:00.000Z', directory.path);
  source = await service.sluice.createSource('orders');
});
afterEach(async () => {
  await service.close();
  await directory.remove();
});

const at = () => new Date(service.clock.now()).toISOString();

/** Sends an event every ten minutes, some hours long. @returns their ids. */
async function sendFor(hours: number, name: string): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < hours * 6; n += 1) {
    const id = `${name}-${String(n).padStart(2, '0')}`;
    const metadata = { state: n % 2 === 0 ? 'paid' : 'open' };
    await service.sluice.send('orders', { id, message: `order ${id}`, timestamp: at(), metadata });
    ids.push(id);
    service.clock.advance(10 * MINUTE);
  }
  return ids;
}

/** Lets time pass, as the service sees it, with the schedule at work. */
async function pass(hours: number): Promise<void> {
  // A run on the chain takes a second and more.
  const step = onChain ? Math.min(hours, 24) : 1;
  for (let passed = 0; passed < hours; passed += step) {
    service.clock.advance(step * HOUR);
    await service.compact();
  }
}

/** Of the lake of a laptop. */
async function filesIn(table: string): Promise<string[]> {
  const names = await readdir(join(directory.path, 'lake', table), { recursive: true });
  return names.filter((name) => name.endsWith('.parquet')).sort();
}

const QUERIES = {
  'orders.ids': 'select id from orders order by id',
  ...ORDER_QUERIES,
};

async function answers(): Promise<unknown[]> {
  const names = Object.keys(QUERIES);
  const uncached = { 'Cache-Control': 'no-cache' };
  return Promise.all(
    names.map(async (name) => (await service.sluice.query(name, {}, uncached)).rows),
  );
}

test('compaction changes no answer, and leaves fewer files', async () => {
  for (const [name, query] of Object.entries(QUERIES)) {
    await service.sluice.createEndpoint({ name, query, max_limit: 1000 });
  }
  const ids = await sendFor(5, 'o');
  const before = await answers();

  await pass(5);
  const compacted = await answers();
  await pass(70);
  const later = await answers();

  expect(before[0]).toEqual(ids.map((id) => ({ id })));
  expect(before[4]).toHaveLength(9);
  expect(compacted).toEqual(before);
  expect(later).toEqual(before);
  if (onChain) return;
  expect(await filesIn('log_events')).toEqual([]);
  expect(await filesIn('log_events_compacted')).toEqual([
    expect.stringMatching(/^day=2026-02-03.\d+-\d+\.parquet$/),
  ]);
});

test('what is sent after compaction is found beside what was sent before, also after a restart', async () => {
  const query = QUERIES['orders.ids'];
  await service.sluice.createEndpoint({ name: 'orders.ids', query, max_limit: 1000 });
  const ids = await sendFor(2, 'a');
  await pass(6);
  ids.push(...(await sendFor(1, 'b')));

  const found = await service.sluice.rows('orders.ids');
  await service.close();
  service = await startAt(at(), directory.path);
  service.clock.advance(HOUR);
  const foundAgain = await service.sluice.rows('orders.ids');

  expect(found).toEqual(ids.map((id) => ({ id })));
  expect(foundAgain).toEqual(found);
});

test('events older than their source keeps them are deleted', async () => {
  const { sluice } = service;
  await sluice.createEndpoint({ name: 'all', query: 'select id from orders order by id' });
  const ids = await sendFor(1, 'old');
  await pass(30);
  const answer = await sluice.call(`/api/sources/${source.token}`, {
    method: 'PATCH',
    body: { retention_days: 3 },
  });
  const kept = await sluice.rows('all');
  await pass(24 * 4);

  expect(answer.status).toBe(204);
  expect(kept).toEqual(ids.map((id) => ({ id })));
  expect((await sluice.query('all', {}, { 'Cache-Control': 'no-cache' })).rows).toEqual([]);
  if (!onChain) expect(await filesIn('log_events_compacted')).toEqual([]);
});
