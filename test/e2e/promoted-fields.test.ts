import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryDirectory } from './support/server.ts';
import { type StoppedService, startAt } from './support/stopped-clock.ts';

const HOUR = 3_600;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let service: StoppedService;
beforeEach(async () => {
  directory = await temporaryDirectory();
  service = await startAt('2026-02-03T06:05:00.000Z', directory.path);
  await service.sluice.createSource('orders');
});
afterEach(async () => {
  await service.close();
  await directory.remove();
});

const at = () => new Date(service.clock.now()).toISOString();

async function send(name: string, tenant: string): Promise<void> {
  const metadata = { tenant, items: { total: 12 } };
  await service.sluice.send('orders', { id: name, message: name, timestamp: at(), metadata });
}

/** The same service, deployed anew with these fields. */
async function redeploy(promotedFields: string): Promise<void> {
  const now = at();
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

const select = (since: string) =>
  `select t.id, m.tenant, items.total from orders as t cross join unnest(t.metadata) as m cross join unnest(m.items) as items where t.timestamp >= '${since}' order by t.id`;

/** Lake columns that a call reads. */
async function columnsRead(endpoint: string): Promise<readonly string[] | undefined> {
  const { body } = await service.sluice.query(endpoint, { explain: 'true' });
  const { explain } = body as { explain: { scans: { columns: string[] }[] } };
  return explain.scans[0]?.columns;
}

const FIELDS = 'metadata.tenant,metadata.items.total:INT64';

test('a field that is promoted later gives the same for events of before and after, compacted or not', async () => {
  await service.sluice.createEndpoint({ name: 'all', query: select('2026-02-03 06:00:00') });
  await service.sluice.createEndpoint({ name: 'recent', query: select('2026-02-03 13:00:00') });
  await send('1 before', 'acme');
  await pass(3);

  await redeploy(FIELDS);
  await send('2 at once', 'acme');
  await pass(4);
  await send('3 after', '5');

  expect(await service.sluice.rows('all')).toEqual([
    { id: '1 before', tenant: 'acme', total: 12 },
    { id: '2 at once', tenant: 'acme', total: 12 },
    { id: '3 after', tenant: '5', total: 12 },
  ]);
  expect(await columnsRead('all')).toContain('metadata');
  expect(await service.sluice.rows('recent')).toEqual([{ id: '3 after', tenant: '5', total: 12 }]);
  expect(await columnsRead('recent')).toEqual([
    'has_metadata',
    'id',
    'metadata_items_object',
    'metadata_items_total_int64',
    'metadata_tenant',
    'timestamp_us',
  ]);
});
