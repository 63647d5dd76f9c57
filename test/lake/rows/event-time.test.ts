import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type EventTime,
  isInRange,
  microsecondsText,
  timestampText,
} from '../../../src/lake/rows/event-time.ts';

const MIN_MS = Date.parse('0001-01-01T00:00:00.000Z');
const MAX_MS = Date.parse('9999-12-31T23:59:59.999Z');

const anyTime: fc.Arbitrary<EventTime> = fc.record({
  ms: fc.integer({ min: MIN_MS, max: MAX_MS }),
  us: fc.integer({ min: 0, max: 999 }),
});

test.each([
  [0, '1970-01-01 00:00:00.000'],
  [-1, '1969-12-31 23:59:59.999'],
  [1704067200123, '2024-01-01 00:00:00.123'],
  [MIN_MS, '0001-01-01 00:00:00.000'],
  [MAX_MS, '9999-12-31 23:59:59.999'],
])('%i ms is written as %s', (ms, text) => {
  expect(timestampText(ms)).toBe(text);
});

test('text says the same as ISO 8601', () => {
  fc.assert(
    fc.property(fc.array(anyTime), (times) => {
      for (const { ms } of times) {
        expect(`${timestampText(ms).replace(' ', 'T')}Z`).toBe(new Date(ms).toISOString());
      }
    }),
  );
});

test('microseconds are exact over the whole range', () => {
  fc.assert(
    fc.property(anyTime, ({ ms, us }) => {
      expect(microsecondsText({ ms, us })).toBe(String(BigInt(ms) * 1000n + BigInt(us)));
    }),
  );
});

test.each([
  [MIN_MS, true],
  [MIN_MS - 1, false],
  [MAX_MS, true],
  [MAX_MS + 1, false],
  [Number.NaN, false],
])('%d ms in range: %s', (ms, expected) => {
  expect(isInRange({ ms, us: 0 })).toBe(expected);
});
