import { describe, expect, test } from 'vitest';
import { stored, storedEvents } from './support.ts';

describe('/logs/cloudflare', () => {
  const path = '/logs/cloudflare';

  test('100 takes an event or a batch, as a Worker sends them', async () => {
    const event = { message: 'from the edge', colo: 'LYS' };
    const fields = [{ event_message: 'from the edge', colo: 'LYS' }];

    expect(await stored({ path, body: event })).toEqual(fields);
    expect(await stored({ path, body: { batch: [event] } })).toEqual(fields);
  });

  test('101 keeps a line of Logpush as the message and, without what is empty, as metadata', async () => {
    const line = '{"EdgeStartTimestamp":1714003200000512000,"RayID":"7f","WorkerCPUTime":null}';

    const events = await storedEvents({
      path,
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: `${line}\n`,
    });

    expect(events).toEqual([
      {
        id: expect.any(String),
        timestamp: 1714003200000512,
        event_message: line,
        metadata: { EdgeStartTimestamp: 1_714_003_200_000_512_000, RayID: '7f' },
      },
    ]);
  });
});

describe('/logs/cloud-event', () => {
  const path = '/logs/cloud-event';

  test('104 attributes are headers, and a field beside those of the data', async () => {
    const headers = { 'ce-shop-id': 'north' };

    expect(await stored({ path, headers, body: { total: 12 } })).toEqual([
      { total: 12, cloud_event: { shop_id: 'north' } },
    ]);
  });

  test('105 the time among them goes before that of the data', async () => {
    const [event] = await storedEvents({
      path,
      headers: { 'ce-time': '2024-04-25T00:00:00Z' },
      body: { total: 12, timestamp: '2019-01-01T00:00:00Z' },
    });

    expect(event).toMatchObject({ timestamp: 1714003200000000, total: 12 });
  });
});
