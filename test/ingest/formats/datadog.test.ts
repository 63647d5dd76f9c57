import { describe, expect, test } from 'vitest';
import { decode, Harness, withoutIdAndTime } from '../support.ts';

const LOG = {
  message: 'GET /orders',
  status: 'info',
  timestamp: 1748772000123,
  hostname: 'web-1',
  service: 'shop',
  ddsource: 'nodejs',
  ddtags: 'env:prod,version:1',
};

describe.each(['/api/v2/logs', '/v1/input'])('%s', (path) => {
  test('a log of the Agent is stored', async () => {
    const harness = new Harness();
    await harness.post([LOG], path);
    expect(harness.events).toEqual([
      {
        id: expect.any(String),
        timestamp: 1748772000123000,
        event_message: 'GET /orders',
        metadata: LOG,
      },
    ]);
  });

  test('the address says what logs do not', async () => {
    const harness = new Harness();
    await harness.post([{ message: 'x' }, { message: 'y', service: 'own' }], path, {
      query: 'ddsource=nginx&service=web&ddtags=a:b&hostname=h&other=1',
    });
    expect(harness.events.map(({ metadata }) => metadata)).toEqual([
      { message: 'x', ddsource: 'nginx', service: 'web', ddtags: 'a:b', hostname: 'h' },
      { message: 'y', ddsource: 'nginx', service: 'own', ddtags: 'a:b', hostname: 'h' },
    ]);
  });

  test('the empty object of a connectivity check is nothing', async () => {
    expect(await new Harness().post({}, path)).toEqual({ stored: 0, rejected: [] });
  });

  test('lines of text are logs', async () => {
    const harness = new Harness();
    await harness.post('one\ntwo', path, { contentType: 'text/plain' });
    expect(harness.events.map(withoutIdAndTime)).toEqual([
      { event_message: 'one', metadata: { message: 'one' } },
      { event_message: 'two', metadata: { message: 'two' } },
    ]);
  });

  test('`date` is the time where there is no other', async () => {
    const harness = new Harness();
    await harness.post([{ message: 'x', date: 1748772000123 }], path);
    expect(harness.events[0]).toMatchObject({ timestamp: 1748772000123000 });
  });

  test('what is no object is refused by its index', async () => {
    const { stored, rejected } = await new Harness().post([LOG, 5], path);
    expect(stored).toBe(1);
    expect(rejected.map(({ index }) => index)).toEqual([1]);
  });

  test('what the address would add to very many logs is bounded', async () => {
    await expect(
      decode(Array(50_000).fill({ message: 'x' }), { path, query: `ddtags=${'t'.repeat(1_000)}` }),
    ).rejects.toMatchObject({ code: 'too_many_events', status: 413 });
  });
});
