import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Harness, NOW_MS, NOW_US } from '../support.ts';

/** Fields of an event as JSON text, as loggers write them, and the microseconds at which it is stored. */
const CASES: readonly (readonly [logger: string, fields: string, us: number])[] = [
  ['Logstash', '"@timestamp":"2024-04-16T11:56:05.764Z"', 1713268565764000],
  ['slog', '"time":"2024-04-16T13:56:05.764892123+02:00"', 1713268565764892],
  ['logrus', '"time":"2024-04-16T11:56:05Z"', 1713268565000000],
  ['zerolog', '"time":1713268565', 1713268565000000],
  ['zerolog in milliseconds', '"time":1713268565764', 1713268565764000],
  ['zerolog in microseconds', '"time":1713268565764892', 1713268565764892],
  ['zerolog in nanoseconds', '"time":1713268565764892123', 1713268565764892],
  ['collectd', '"time":1713268565.764', 1713268565764000],
  ['zap', '"ts":1713268565.764892', 1713268565764892],
  ['a program without a zone', '"ts":"2024-04-16T11:56:05"', 1713268565000000],
  ['the first second that is sure', '"ts":946684800', 946684800000000],
  ['its milliseconds', '"ts":946684800000', 946684800000000],
  ['its microseconds', '"ts":946684800000000', 946684800000000],
  ['its nanoseconds', '"ts":946684800000000000', 946684800000000],
  ['an hour from now', `"ts":${NOW_MS + 3_600_000}`, NOW_US + 3_600_000_000],
];

/** What may be anything. */
const DOUBTFUL = [
  '"time":12',
  '"time":0.25',
  '"time":946684799',
  '"time":946684799999',
  `"time":${NOW_MS + 3_600_001}`,
  '"time":-1713268565',
  '"time":"1713268565"',
  '"time":"12:00:05"',
  '"time":"2024-04-16"',
  '"time":{"start":1713268565}',
  '"ts":"2099-01-01T00:00:00Z"',
  '"ts":"0000-01-01T00:00:00Z"',
  '"ts":12345678901234567890123',
  '"ts":true',
];

const ROUTES = [
  { route: '/logs', path: '' },
  { route: '/logs/json', path: '/json' },
  { route: '/logs/vector', path: '/vector' },
  { route: '/logs/cloud-event', path: '/cloud-event' },
];

async function timeStored(body: string, path: string, contentType?: string): Promise<unknown> {
  const harness = new Harness();
  const options = contentType === undefined ? {} : { contentType };
  // Twice, since the second event takes the fast way.
  await harness.post(body, path, options);
  await harness.post(body, path, options);
  const [first, second] = harness.events;
  expect(second?.timestamp).toBe(first?.timestamp);
  return first?.timestamp;
}

describe.each(ROUTES)('on $route', ({ path }) => {
  test.each(CASES)('the time of %s (%s) is read', async (_logger, fields, us) => {
    expect(await timeStored(`[{${fields}}]`, path)).toBe(us);
  });

  test.each(DOUBTFUL)('%s is not taken for the time of the event', async (fields) => {
    expect(await timeStored(`[{${fields}}]`, path)).toBe(NOW_US);
  });
});

test('a line of NDJSON has its time under these names, too', async () => {
  const line = '{"time":"2024-04-16T11:56:05Z","level":"INFO","msg":"up"}\n';

  expect(await timeStored(line, '', 'application/x-ndjson')).toBe(1713268565000000);
});

test.each([
  [
    'timestamp',
    '"ts":1000000004,"time":1000000003,"@timestamp":1000000002,"timestamp":1000000001',
    1,
  ],
  ['@timestamp', '"ts":1000000004,"time":1000000003,"@timestamp":1000000002', 2],
  ['time', '"ts":1000000004,"time":1000000003', 3],
  ['ts, where the time is a duration', '"ts":1000000004,"time":3', 4],
  ['@timestamp, where the timestamp is none', '"timestamp":"soon","@timestamp":1000000002', 2],
])('first comes %s', async (_name, fields, last) => {
  expect(await timeStored(`{${fields}}`, '')).toBe((1_000_000_000 + last) * 1_000_000);
  expect(await timeStored(`{${fields}}`, '/json')).toBe((1_000_000_000 + last) * 1_000_000);
});

test('the start of a span comes last', async () => {
  const span = { trace_id: 't', span_id: 's', duration: '1', start_time: 1_000_000_005 };

  expect(await timeStored(JSON.stringify({ ...span, ts: 1_000_000_004 }), '')).toBe(
    1_000_000_004_000_000,
  );
  expect(await timeStored(JSON.stringify(span), '')).toBe(1_000_000_005_000_000);
});

test('the field stays in the event as it came', async () => {
  const harness = new Harness();

  await harness.post('{"ts":1713268565.764892,"msg":"up"}');

  expect(harness.events[0]).toMatchObject({ ts: 1713268565.764892, msg: 'up' });
});

test('seconds with six digits of fraction keep them all', async () => {
  const seconds = fc.integer({ min: 946_684_800, max: NOW_MS / 1000 });
  const micros = fc.nat(999_999);

  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(seconds, micros), { minLength: 50 }), async (times) => {
      const harness = new Harness();
      const texts = times.map(([s, us]) => `${s}.${String(us).padStart(6, '0')}`);

      await harness.post(`[${texts.map((text) => `{"ts":${text}}`).join()}]`);

      expect(harness.events.map(({ timestamp }) => timestamp)).toEqual(
        times.map(([s, us]) => s * 1_000_000 + us),
      );
    }),
    { numRuns: 40 },
  );
});
