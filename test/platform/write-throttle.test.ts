import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WriteThrottle } from '../../src/platform/write-throttle.ts';

test('ten writes may follow each other at once, and then one a second', () => {
  const allowance = new WriteThrottle(1_000);
  for (let write = 0; write < 10; write++) {
    expect(allowance.waitMs(5_000)).toBe(0);
    allowance.take(5_000);
  }

  expect(allowance.waitMs(5_000)).toBe(1_000);
  expect(allowance.waitMs(5_400)).toBe(600);
  expect(allowance.waitMs(6_000)).toBe(0);
});

test('no stretch of time has more writes than its seconds and ten', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_500), { maxLength: 300 }), (pauses) => {
      const allowance = new WriteThrottle(1_000);
      const writes: number[] = [];
      let now = 0;
      for (const pause of pauses) {
        now += pause;
        if (allowance.waitMs(now) > 0) continue;
        allowance.take(now);
        writes.push(now);
      }
      for (const [n, from] of writes.entries()) {
        const last = writes.length - 1;
        expect(last - n + 1).toBeLessThanOrEqual(10 + ((writes[last] ?? from) - from) / 1_000);
      }
    }),
  );
});

test('a clock that is set back holds nothing up', () => {
  const allowance = new WriteThrottle(1_000);
  for (let write = 0; write < 10; write++) allowance.take(1_000_000);

  expect(allowance.waitMs(0)).toBe(0);
  allowance.take(0);
  expect(allowance.waitMs(0)).toBeLessThanOrEqual(1_000);
});

test('without an interval there is nothing to wait for', () => {
  const allowance = new WriteThrottle(0);
  for (let write = 0; write < 100; write++) allowance.take(7);

  expect(allowance.waitMs(7)).toBe(0);
});
