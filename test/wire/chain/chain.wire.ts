/** The chain itself: what the end-to-end cases, which see a service only, take for granted. */
import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Client } from '../../e2e/support/client.ts';
import { edgeRequest } from '../../e2e/support/events.ts';
import { ADMIN_KEY, temporaryDirectory } from '../../e2e/support/server.ts';
import type { Chain } from './chain.ts';
import { startChain } from './service.ts';

describe.each(['moto', 'dynalite'] as const)('with %s for DynamoDB', (dynamodb) => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let chain: Chain;
  let sluice: Client;
  beforeEach(async () => {
    directory = await temporaryDirectory();
    chain = await startChain({
      directory: directory.path,
      dynamodb,
      stoppedAt: '2026-02-03T14:25:36.789Z',
    });
    // Nothing settles of its own here.
    sluice = new Client(chain.url, ADMIN_KEY);
  });
  afterEach(async () => {
    await chain.close();
    await directory.remove();
  });

  const requests = () =>
    sluice.rows('logs.all', { project: 'shop', sql: 'select count(*) as n from edge_logs' });

  test('an event is in a Parquet file of its hour, and then in the answer', async () => {
    await sluice.send('cloudflare.logs.prod', edgeRequest({ project: 'shop' }));
    const early = await requests();
    await chain.settle();
    chain.clock.advance(1);
    const late = await requests();

    const files = await readdir(directory.path, { recursive: true });
    expect(early).toEqual([{ n: 0 }]);
    expect(late).toEqual([{ n: 1 }]);
    expect(files.filter((file) => file.endsWith('.parquet'))).toEqual([
      expect.stringMatching(/^log_events\/dt=2026-02-03\/hour=14\/landing-[^/]+$/),
    ]);
    expect(chain.delivery.failed).toEqual([]);
  });

  test('cached rows are answered without Athena, and the warmer replaces them', async () => {
    const usage = { project: 'shop', interval: 'hourly' };
    await sluice.send('cloudflare.logs.prod', edgeRequest({ project: 'shop' }));
    await chain.settle();
    const first = await sluice.query('usage.api-counts', usage);
    await sluice.send('cloudflare.logs.prod', edgeRequest({ project: 'shop' }));
    await chain.settle();
    const runs = chain.athena.executions.length;
    const second = await sluice.query('usage.api-counts', usage);
    expect(chain.athena.executions).toHaveLength(runs);
    chain.clock.advance(300_000);

    const warmed = await chain.invoke('warmer', {});
    const third = await sluice.query('usage.api-counts', usage);

    const seen = [first, second, third].map(({ rows, headers }) => [
      rows[0]?.total_rest_requests,
      headers.get('Sluice-Cache'),
    ]);
    expect(seen).toEqual([
      [1, 'miss'],
      [1, 'hit'],
      [2, 'hit'],
    ]);
    expect(warmed).toMatchObject({ due: 1, refreshed: 1, failed: 0 });
  });

  test('each function remembers for itself, ten seconds long', async () => {
    const { token } = await sluice.createSource('moved');
    await sluice.send('moved', { message: 'a' });
    const rename = { method: 'PATCH', body: { name: 'moved.away' } };
    await sluice.call(`/api/sources/${token}`, rename);

    const early = await sluice.post('/logs?source_name=moved', { message: 'b' });
    chain.clock.advance(10_000);
    const late = await sluice.post('/logs?source_name=moved', { message: 'c' });

    expect([early.status, late.status]).toEqual([200, 404]);
  });

  test.each([
    ['API Gateway', 10 * 1024 * 1024 + 1],
    ['Lambda', 6 * 1024 * 1024],
  ])('a body larger than %s takes reaches no function', async (_, bytes) => {
    const starts = chain.function('ingest').coldStarts;

    const answer = await sluice.post('/logs?source_name=postgres.logs', 'x'.repeat(bytes));

    expect(answer).toMatchObject({ status: 413, body: { message: 'Request Entity Too Large' } });
    expect(chain.function('ingest').coldStarts).toBe(starts);
  });

  test('a function that fails on an event goes on with the next', async () => {
    const broken = chain.function('query').invoke('no event at all');

    await expect(broken).rejects.toMatchObject({ kind: 'threw' });
    expect((await requests())[0]).toEqual({ n: 0 });
  });
});
