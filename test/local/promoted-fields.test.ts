/** What a start does about promoted fields; on AWS a deployment does it (`test/lambdas/bootstrap.test.ts`). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryDirectory } from '../e2e/support/server.ts';
import { type StoppedService, startAt } from '../e2e/support/stopped-clock.ts';

const HOUR = 3_600;
const FIELDS = 'metadata.tenant';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let service: StoppedService;
beforeEach(async () => {
  directory = await temporaryDirectory();
  service = await startAt('2026-02-03T06:05:00.000Z', directory.path, { promotedFields: FIELDS });
  await service.sluice.createSource('orders');
});
afterEach(async () => {
  await service.close();
  await directory.remove();
});

async function send(id: string): Promise<void> {
  const timestamp = new Date(service.clock.now()).toISOString();
  await service.sluice.send('orders', { id, timestamp, metadata: { tenant: 'acme' } });
}

async function startAgain(promotedFields: string): Promise<void> {
  const now = new Date(service.clock.now()).toISOString();
  await service.close();
  service = await startAt(now, directory.path, { promotedFields });
}

/** Lets hours pass, with the schedule at work. */
async function pass(hours: number): Promise<void> {
  for (let passed = 0; passed < hours; passed++) {
    service.clock.advance(HOUR);
    await service.compact();
  }
}

test('what is sent while a field is not promoted is found when it is again', async () => {
  const query =
    "select t.id, m.tenant from orders as t cross join unnest(t.metadata) as m where t.timestamp >= '2026-02-03 09:00:00' order by t.id";
  await service.sluice.createEndpoint({ name: 'recent', query });
  await pass(3);
  await send('1 in the column');

  await startAgain('');
  await send('2 in the JSON alone');
  await pass(3);
  await startAgain(FIELDS);
  await pass(1);

  expect(await service.sluice.rows('recent')).toEqual([
    { id: '1 in the column', tenant: 'acme' },
    { id: '2 in the JSON alone', tenant: 'acme' },
  ]);
});

test('a field that is not promoted any more keeps no hour from being compacted', async () => {
  await service.sluice.createEndpoint({ name: 'all', query: 'select id from orders' });
  await send('1');
  await startAgain('');

  await pass(80);

  expect(await service.sluice.rows('all')).toEqual([{ id: '1' }]);
});
