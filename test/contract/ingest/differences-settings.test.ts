import { expect, test } from 'vitest';
import { shared, startService } from '../../e2e/support/server.ts';

/** What a source cannot be told to do: check types, or look values up. */
const service = shared(startService);

/** Sends the fields of events to a new source one after the other. @returns what is read back. */
async function kept(
  source: { readonly name: string; readonly [field: string]: unknown },
  ...events: readonly object[]
): Promise<readonly unknown[]> {
  const { sluice } = service();
  const { name } = source;
  expect(await sluice.post('/api/sources', source)).toMatchObject({ status: 201 });
  for (const [id, event] of events.entries()) await sluice.send(name, { id: String(id), ...event });
  const endpoint = `reads.${name}`;
  const columns = Object.keys(events[0] ?? {}).join();
  const query = `select ${columns} from \`${name}\` order by id`;
  await sluice.createEndpoint({ name: endpoint, query });
  return sluice.rows(endpoint);
}

test('144 the first events of a source may disagree', async () => {
  const events = [{ size: 3 }, { size: 'large' }, { size: ['s', 'm'] }, { size: { eu: 46 } }];

  expect(await kept({ name: 'first' }, ...events)).toEqual(events);
});

test('145 there is no setting that makes types binding', async () => {
  const events = [{ size: 3 }, { size: 'large' }];

  for (const validate_schema of [true, false]) {
    const name = `validated.${validate_schema}`;
    expect(await kept({ name, validate_schema }, ...events), name).toEqual(events);
  }
});

test('146 a number is stored where a text was', async () => {
  const events = [
    { buyer: { address: { zip: 'N1 9GU' } } },
    { buyer: { address: { zip: 69_001 } } },
  ];

  expect(await kept({ name: 'text' }, ...events)).toEqual(events);
});

test('147 fractions are stored where whole numbers were, in lists too', async () => {
  const events = [
    { price: 2, sizes: [1, 2] },
    { price: 2.5, sizes: [1, 2.5, 3] },
    { price: 3, sizes: [4] },
  ];

  expect(await kept({ name: 'numbers' }, ...events)).toEqual(events);
});

test('148 times are stored as they are written', async () => {
  const events = [
    { start_time: '2024-04-25T00:00:00Z', metadata: { timestamp: '2024-04-25T00:00:00Z' } },
    { start_time: 1_714_003_200, metadata: { timestamp: 1_714_003_200 } },
  ];

  expect(await kept({ name: 'times' }, ...events)).toEqual(events);
});

test('149 a text is stored among objects', async () => {
  const events = [{ items: [{ id: 1 }, { id: 2 }] }, { items: [{ id: 3 }, 'a stray text'] }];

  expect(await kept({ name: 'lists' }, ...events)).toEqual(events);
});

test("78 a lookup in an account's store is no setting", async () => {
  const events = [{ project: 'shop-1' }];

  expect(
    await kept({ name: 'looked.up', transform_key_values: 'project:owner' }, ...events),
  ).toEqual(events);
});

test('79 nor is one with an accessor', async () => {
  const events = [{ project: 'shop-1' }];
  const settings = { transform_key_values: 'project:m.owner:$.team.name' };

  expect(await kept({ name: 'accessed', ...settings }, ...events)).toEqual(events);
});

test('80 nor is one that looks up a number', async () => {
  const events = [{ count: 17 }];

  expect(
    await kept({ name: 'counted', transform_key_values: 'count:found:found' }, ...events),
  ).toEqual(events);
});
