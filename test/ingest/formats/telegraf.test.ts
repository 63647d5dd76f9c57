import { describe, expect, test } from 'vitest';
import { Harness } from '../support.ts';

const CPU = {
  fields: { usage_idle: 97.5, usage_user: 1.5 },
  name: 'cpu',
  tags: { cpu: 'cpu0', host: 'web-1' },
  timestamp: 1713268560,
};
const MEM = { fields: { used: 4096 }, name: 'mem', tags: { host: 'web-1' }, timestamp: 1713268570 };

const EVENTS = [CPU, MEM].map(({ fields, name, tags, timestamp }) => ({
  id: expect.any(String),
  timestamp: timestamp * 1_000_000,
  event_message: name,
  metadata: { type: 'metric', fields, name, tags },
}));

describe('metrics of Telegraf', () => {
  test.each([
    ['in a batch, as it sends them by default', { metrics: [CPU, MEM] }, 'application/json'],
    ['in a list', [CPU, MEM], 'application/json'],
    ['one a line', `${JSON.stringify(CPU)}\n${JSON.stringify(MEM)}\n`, 'application/json'],
    ['labelled as text', JSON.stringify({ metrics: [CPU, MEM] }), 'text/plain; charset=utf-8'],
  ])('are an event each %s', async (_how, body, contentType) => {
    const harness = new Harness();

    await harness.post(body, '/telegraf', { contentType });

    expect(harness.events).toEqual(EVENTS);
  });

  test('are an event if there is one', async () => {
    const harness = new Harness();

    await harness.post(CPU, '/telegraf');

    expect(harness.events).toEqual(EVENTS.slice(0, 1));
  });

  test('are refused one by one', async () => {
    const harness = new Harness();

    const { stored, rejected } = await harness.post({ metrics: [CPU, 5] }, '/telegraf');

    expect(stored).toBe(1);
    expect(rejected).toEqual([{ index: 1, reason: 'not a JSON object' }]);
  });
});
