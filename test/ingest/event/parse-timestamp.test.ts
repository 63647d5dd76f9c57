import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEventTimestamp } from '../../../src/ingest/event/parse-timestamp.ts';
import { parseJson } from '../../../src/platform/json/json.ts';
import { Harness, NOW_MS, NOW_US, withoutIdAndTime } from '../support.ts';

/** Fields of an event as JSON text, and the microseconds at which it is stored. */
const CASES: readonly (readonly [fields: string, us: number])[] = [
  ['"timestamp":1713268565764892', 1713268565764892],
  ['"timestamp":1713268565764', 1713268565764000],
  ['"timestamp":1713268565', 1713268565000000],
  ['"timestamp":1713268565764892123', 1713268565764892],
  ['"timestamp":1.713268565764e12', 1713268565764000],
  ['"timestamp":1609459', 1609459000000000],
  ['"timestamp":12345', 12345],
  ['"timestamp":0', 0],
  ['"timestamp":1713268565.5', 1713268565500000],
  ['"timestamp":1713268565.123456', 1713268565123456],
  ['"timestamp":1713268565.000001', 1713268565000001],
  ['"timestamp":1713268565.9999997', 1713268566000000],
  ['"timestamp":1713268565764.892', 1713268565764892],
  ['"timestamp":1713268565764.9999', 1713268565765000],
  ['"timestamp":1713268565764892.2', 1713268565764892],
  ['"timestamp":1609459.2', 1609459000000000],
  ['"timestamp":-0.4', 0],
  ['"timestamp":"2024-01-01T00:00:00Z"', 1704067200000000],
  ['"timestamp":"2019-05-15T20:05:09.000903+03:00"', 1557939909000903],
  ['"timestamp":"2024-01-01 00:00:00.123456789Z"', 1704067200123456],
  ['"timestamp":"2024-01-01T00:00:00,5Z"', 1704067200500000],
  ['"timestamp":"2024-01-01T00:00:00+0530"', 1704047400000000],
  ['"timestamp":"2024-01-01T00:00:00-05"', 1704085200000000],
  ['"timestamp":"2024-02-29T23:59:59.999999Z"', 1709251199999999],
  ['"timestamp":"1969-12-31T23:59:59.999999Z"', -1],
  ['"timestamp":"1900-01-01T00:00:00Z"', -2208988800000000],
  ['"timestamp":"2024-01-01T00:00:00"', 1704067200000000],
  ['"timestamp":"2024-01-01T00:00:00.123456"', 1704067200123456],
  ['"timestamp":"2024-01-01 00:00:00,123"', 1704067200123000],
  ['"timestamp":"2024-01-01t00:00:00z"', 1704067200000000],
  ['"timestamp":"2024-01-01T00:00:00-00:00"', 1704067200000000],
];

/** What names no instant, and means "now". */
const NOW_CASES = [
  '"timestamp":-1',
  '"timestamp":-1713268565764892123',
  '"timestamp":-0.6',
  '"timestamp":""',
  '"timestamp":"not-a-timestamp"',
  '"timestamp":[1,2,3]',
  '"timestamp":{"a":1}',
  '"timestamp":null',
  '"timestamp":true',
  '"message":"none"',
  '"timestamp":"1704067200"',
  '"timestamp":"2023-03-23 14:40:18.149 UTC"',
  '"timestamp":"20240101T000000Z"',
  '"timestamp":"2024-01-01T00:00Z"',
  '"timestamp":"2024-01-01T00:00:60Z"',
  '"timestamp":"2024-01-01T24:00:00Z"',
  '"timestamp":"2024-02-30T00:00:00Z"',
  '"timestamp":"2024-13-01T00:00:00Z"',
  '"timestamp":"2024-00-01T00:00:00Z"',
  '"timestamp":"2024-01-01T00:00:00+24:00"',
  '"timestamp":"2024-01-01T00:00:00.Z"',
];

describe.each([
  ['a single object', (fields: string) => `{${fields}}`, ''],
  ['a list', (fields: string) => `[{${fields}}]`, ''],
  ['a batch', (fields: string) => `{"batch":[{${fields}}]}`, ''],
  ['a single generic JSON object', (fields: string) => `{${fields}}`, '/json'],
  ['a list of generic JSON', (fields: string) => `[{${fields}}]`, '/json'],
])('in %s', (_shape, wrap, path) => {
  test.each(CASES)('%s is %i', async (fields, us) => {
    const harness = new Harness();
    await harness.post(wrap(fields), path);
    expect(harness.events[0]?.timestamp).toBe(us);
  });

  test.each(NOW_CASES)('%s means now', async (fields) => {
    const harness = new Harness();
    await harness.post(wrap(fields), path);
    expect(harness.events[0]?.timestamp).toBe(NOW_US);
  });
});

test('the timestamp column has the milliseconds', async () => {
  const harness = new Harness();
  await harness.post({ timestamp: '2024-01-01T00:00:00.123999Z' });
  expect(JSON.parse(harness.rows[0] ?? '')).toMatchObject({
    timestamp: '2024-01-01 00:00:00.123',
    timestamp_us: 1704067200123999,
    ingested_at: '2025-06-01 12:00:00.000',
  });
});

test('the timestamp is stored nowhere else', async () => {
  const harness = new Harness();
  await harness.post({ timestamp: 1713268565, message: 'a' });
  expect(withoutIdAndTime(harness.events[0])).toEqual({ event_message: 'a' });
});

describe('the range', () => {
  const HOUR_MS = 3_600_000;

  test.each([
    ['one hour ahead', NOW_MS + HOUR_MS],
    ['59 minutes ahead', NOW_MS + HOUR_MS - 60_000],
    ['500 hours ago', NOW_MS - 500 * HOUR_MS],
  ])('%s is stored', async (_case, timestamp) => {
    const harness = new Harness();
    expect(await harness.post([{ timestamp }])).toEqual({ stored: 1, rejected: [] });
  });

  test.each([
    ['two hours ahead', NOW_MS + 2 * HOUR_MS],
    ['a microsecond more than an hour ahead', (NOW_MS + HOUR_MS) * 1000 + 1],
    ['17 digits, which is far ahead', '17132685657648921'],
    ['20 digits', '12345678901234567890'],
    ['a number beyond all doubles', '1e999'],
    ['a date in the year 9999', '"9999-12-31T23:59:59Z"'],
  ])('%s is refused', async (_case, timestamp) => {
    const harness = new Harness();
    const outcome = await harness.post(`[{"timestamp":${timestamp}}]`);
    expect(outcome).toEqual({
      stored: 0,
      rejected: [{ index: 0, reason: 'timestamp is more than one hour in the future' }],
    });
  });

  test('the first instant of the year 1 is stored exactly', async () => {
    const harness = new Harness();
    await harness.post({ timestamp: '0001-01-01T00:00:00.000001Z' });
    expect(parseJson(harness.rows[0] ?? '')).toMatchObject({
      timestamp: '0001-01-01 00:00:00.000',
      timestamp_us: { rawJSON: '-62135596799999999' },
    });
  });

  test.each(['0000-12-31T23:59:59Z', '-0044-03-15T12:00:00Z', '0001-01-01T00:00:00+01:00'])(
    '%s is before the year 1 and refused',
    async (timestamp) => {
      const harness = new Harness();
      const outcome = await harness.post({ timestamp });
      expect(outcome.rejected).toEqual([
        { index: 0, reason: 'timestamp is outside the years 1 to 9999' },
      ]);
    },
  );
});

describe('a trace span without a timestamp', () => {
  const ids = { trace_id: 't', span_id: 's', parent_span_id: 'p' };

  test.each(['start_time', 'startTime', 'start_time_unix_nano', 'startTimeUnixNano'])(
    'takes %s',
    async (field) => {
      const harness = new Harness();
      await harness.post(
        `[{"trace_id":"t","spanId":"s","duration_ms":"5","${field}":1713268565764892123}]`,
      );
      expect(harness.events[0]?.timestamp).toBe(1713268565764892);
    },
  );

  test('is known by its metadata.type too', async () => {
    const harness = new Harness();
    await harness.post([{ metadata: { type: 'span' }, start_time: 1713268565 }]);
    expect(harness.events[0]?.timestamp).toBe(1713268565000000);
  });

  test('keeps an explicit timestamp', async () => {
    const harness = new Harness();
    await harness.post([{ ...ids, timestamp: 1713268565, start_time: 1 }]);
    expect(harness.events[0]?.timestamp).toBe(1713268565000000);
  });

  test.each([
    ['its start is text', { ...ids, start_time: '1713268565' }],
    ['its start is not positive', { ...ids, start_time: 0 }],
    [
      'it says that it is an event',
      { ...ids, start_time: 1713268565, metadata: { type: 'event' } },
    ],
    ['it has no span id', { ...ids, span_id: '', start_time: 1713268565 }],
    ['nothing marks it as a span', { trace_id: 't', span_id: 's', start_time: 1713268565 }],
    ['metadata is null', { start_time: 1713268565, metadata: null }],
  ])('means now where %s', async (_case, event) => {
    const harness = new Harness();
    await harness.post([event]);
    expect(harness.events[0]?.timestamp).toBe(NOW_US);
  });
});

test('a time reads the same whatever day was read before', () => {
  const day = fc.constantFrom('2025-06-01', '2024-02-29', '0001-01-01', '9999-12-31', '+2025-06-1');
  const time = fc.oneof(
    fc.stringMatching(/^[T t]([01]\d|2[0-5]):[0-6]\d:[0-6]\d([.,]\d{0,9})?(Z|z|\+01:00|)$/),
    fc.string({ maxLength: 14 }),
  );
  const read = (before: string, text: string) => {
    parseEventTimestamp(`${before}T00:00:00Z`);
    return parseEventTimestamp(text);
  };

  fc.assert(
    fc.property(day, time, (date, clock) => {
      const text = date + clock;
      expect(read(date, text)).toEqual(read('1999-09-09', text));
    }),
    { numRuns: 2000 },
  );
});
