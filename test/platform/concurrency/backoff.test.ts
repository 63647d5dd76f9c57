import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fullJitter } from '../../../src/platform/concurrency/backoff.ts';

describe('fullJitter', () => {
  test('doubles its bound with every attempt, up to the cap', () => {
    const longest = [1, 2, 3, 4, 5, 60].map((attempt) =>
      fullJitter({ baseMs: 100, capMs: 1_000 }, attempt, () => 0.999_999),
    );

    expect(longest).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  test('always stays between a millisecond and the cap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, random) => {
          const ms = fullJitter({ baseMs: 100, capMs: 2_000 }, attempt, () => random);

          expect(ms).toBeGreaterThanOrEqual(1);
          expect(ms).toBeLessThanOrEqual(2_000);
        },
      ),
    );
  });
});
