import fc from 'fast-check';
import { expect, test } from 'vitest';
import { largestTokenLease } from '../../../src/ingest/limits/local-allotment.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { instance, limitedKey, limitedSource, sharedDatabase } from './support.ts';

const database = sharedDatabase();

const INSTANCES = 3;
const MAX_BATCH = 12;
const MAX_SKEW_MS = 1_000;

/** What happens next: time passes, then an instance gets a batch. */
const step = fc.record({
  waitMs: fc.oneof(
    { weight: 40, arbitrary: fc.nat(100) },
    { weight: 5, arbitrary: fc.nat(3_000) },
    { weight: 1, arbitrary: fc.nat(90_000) },
  ),
  instance: fc.nat(INSTANCES - 1),
  events: fc.integer({ min: 1, max: MAX_BATCH }),
});

const scenario: fc.Arbitrary<Scenario> = fc.record({
  rate: fc.integer({ min: 1, max: 6 }),
  /** How far the clock of each instance is ahead. */
  skewMs: fc.array(fc.nat(MAX_SKEW_MS), { minLength: INSTANCES, maxLength: INSTANCES }),
  steps: fc.array(step, { minLength: 80, maxLength: 120 }),
});

interface Scenario {
  readonly rate: number;
  readonly skewMs: readonly number[];
  readonly steps: readonly { waitMs: number; instance: number; events: number }[];
}

/** Plays a scenario. @returns what was stored, when, in milliseconds of the true time. */
async function play({ rate, skewMs, steps }: Scenario) {
  const { client, clock } = database();
  const instances = skewMs.map((skew) => {
    const skewed: Clock = { now: () => clock.now() + skew };
    return instance(client, { clock: skewed });
  });
  const [source, key] = [limitedSource(rate), limitedKey(10_000_000)];
  const stored: { at: number; events: number }[] = [];
  for (const { waitMs, instance: index, events } of steps) {
    clock.advance(waitMs);
    const { refusal } = (await instances[index]?.send(source, key, events)) ?? {};
    if (refusal === undefined) stored.push({ at: clock.now(), events });
  }
  return { stored, send: instances[0]?.send, source, key };
}

/** By how much the busiest stretch of time exceeds a full bucket and what flows into it meanwhile. */
function worstExcess(stored: readonly { at: number; events: number }[], rate: number): number {
  let worst = Number.NEGATIVE_INFINITY;
  for (const [first, { at: from }] of stored.entries()) {
    let sum = 0;
    for (const { at, events } of stored.slice(first)) {
      sum += events;
      worst = Math.max(worst, sum - 60 * rate - (rate * (at - from)) / 1_000);
    }
  }
  return worst;
}

test('what instances store in any stretch of time is bounded by rate, burst and a known slack', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { rate } = given;
      const { stored } = await play(given);

      // Each instance may hold a lease from before, and overdraw by a batch; clocks that differ are
      // worth what flows in the difference.
      const slack =
        INSTANCES * (largestTokenLease({ rate }) + MAX_BATCH) + rate * (MAX_SKEW_MS / 1_000);
      expect(worstExcess(stored, rate)).toBeLessThanOrEqual(slack);
    }),
    { numRuns: 30 },
  );
}, 120_000);

test('a sender who stores less than the rate is never refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 40 }),
      fc.array(fc.nat(INSTANCES - 1), { minLength: 1, maxLength: 60 }),
      async (rate, turns) => {
        // Half of the rate: the rest is for leases that instances drew and let expire.
        const steps = turns.map((instance) => ({ waitMs: 4_000, instance, events: 2 * rate }));

        const { stored } = await play({ rate, skewMs: [0, 0, 0], steps });

        expect(stored).toHaveLength(turns.length);
      },
    ),
    { numRuns: 20 },
  );
}, 120_000);

test('a source that was over its quota is let in again when its debt is paid', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { stored, send, source, key } = await play(given);
      const sum = stored.reduce((total, { events }) => total + events, 0);

      database().clock.advance((sum / given.rate) * 1_000 + 60_000 + MAX_SKEW_MS);
      const admission = await send?.(source, key, 1);

      expect(admission?.refusal).toBeUndefined();
    }),
    { numRuns: 30 },
  );
}, 120_000);
