/**
 * Two environments of one account and Region. Athena keeps request tokens by account: what one environment has
 * used means nothing to the other, however alike their statements are.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WATERMARK_CACHE_MS } from '../../../src/catalog/compaction-state.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lake/compaction/hours.ts';
import { Client } from '../../e2e/support/client.ts';
import { ADMIN_KEY, temporaryDirectory } from '../../e2e/support/server.ts';
import type { Chain } from './chain.ts';
import { startChain } from './service.ts';

interface Environment {
  readonly name: string;
  readonly chain: Chain;
  readonly sluice: Client;
  readonly ids: string[];
}

let directories: Awaited<ReturnType<typeof temporaryDirectory>>[];
let environments: Environment[];
beforeEach(async () => {
  directories = [await temporaryDirectory(), await temporaryDirectory()];
  const [first, second] = directories.map(({ path }) => path) as [string, string];
  const prod = await startChain({ directory: first, stoppedAt: '2026-02-03T22:05:00.000Z' });
  const staging = await startChain({ directory: second, beside: prod });
  environments = [];
  for (const [name, chain] of Object.entries({ prod, staging })) {
    const sluice = new Client(chain.url, ADMIN_KEY, () => chain.settle());
    await sluice.createSource('orders', { retention_days: 1 });
    const query = 'select id, count(*) as copies from orders group by id order by id';
    await sluice.createEndpoint({ name: 'orders.copies', query });
    environments.push({ name, chain, sluice, ids: [] });
  }
});
afterEach(async () => {
  // The one that has Athena comes last.
  for (const { chain } of environments.toReversed()) await chain.close();
  for (const directory of directories) await directory.remove();
});

async function everywhere(act: (environment: Environment) => Promise<unknown>): Promise<void> {
  for (const environment of environments) await act(environment);
}

test('pass through two days of compaction and maintenance side by side', async () => {
  const [{ chain }] = environments as [Environment];
  const start = chain.clock.now();
  for (let hour = 0; hour < 3; hour++) {
    await everywhere(async ({ name, chain, sluice, ids }) => {
      const id = `${name}-${hour}`;
      const timestamp = new Date(chain.clock.now()).toISOString();
      await sluice.send('orders', { id, message: `order ${id}`, timestamp });
      await chain.settle();
      ids.push(id);
    });
    chain.clock.advance(HOUR_MS);
    await everywhere(({ chain }) => chain.invoke('compaction', {}));
  }
  const seen: unknown[] = [];
  // Then the last hours close; and the first day is optimized, and loses the rows of the source.
  for (const days of [0.5, 1.6]) {
    chain.clock.advance(start + days * DAY_MS - chain.clock.now());
    await everywhere(({ chain }) => chain.invoke('compaction', {}));
    chain.clock.advance(WATERMARK_CACHE_MS);
    await everywhere(async ({ sluice }) => seen.push(await sluice.rows('orders.copies')));
  }

  const copies = environments.map(({ ids }) => ids.map((id) => ({ id, copies: 1 })));
  // Those of the second day.
  const kept = copies.map((rows) => rows.slice(2));
  expect(seen).toEqual([...copies, ...kept]);
  expect(chain.athena.refusals).toEqual([]);
  const statements = environments.map(({ name }) =>
    chain.athena.executions
      .filter(({ workGroup }) => workGroup === `sluice-${name}-compaction`)
      .map(({ text }) => text.split(' ', 1)[0]),
  );
  expect(statements[1]).toEqual(statements[0]);
  expect(new Set(statements[0])).toEqual(
    new Set(['CREATE', 'SELECT', 'INSERT', 'ALTER', 'OPTIMIZE', 'VACUUM', 'DELETE']),
  );
});
