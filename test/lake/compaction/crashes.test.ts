import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readNotes } from '../../../src/lake/compaction/checkpoint.ts';
import { Compactor } from '../../../src/lake/compaction/compactor.ts';
import { dayOf, HOUR_MS } from '../../../src/lake/compaction/hours.ts';
import { ServiceError } from '../../../src/platform/errors.ts';
import { recordingLogger } from '../../http/support.ts';
import { aSource } from '../../support/registry.ts';
import {
  day,
  freeForAll,
  hour,
  keyOf,
  MIDNIGHT,
  ModelLake,
  ModelState,
  ModelStore,
  type Step,
  type StoredEvent,
} from './support.ts';

class Crash extends Error {}

const LAST_HOUR = 12;

type Action =
  | { readonly crashAt: number }
  | { readonly failAt: number }
  | { readonly land: readonly (StoredEvent & { readonly hour: number })[] }
  | { readonly end: 'committed' | 'failed' }
  | { readonly waitHours: number };

/** What a look at the world checks. */
interface Rules {
  readonly look: (world: World) => void;
  /** Days that all events are kept. */
  readonly retentionDays?: number;
  /** Days that events of the source `web` are kept. */
  readonly webRetentionDays?: number;
}

class World {
  readonly lake = new ModelLake();
  readonly registry = new ModelState();
  readonly #rules: Rules;
  now = hour(LAST_HOUR + 2);

  constructor(rules: Rules) {
    this.#rules = rules;
    const { webRetentionDays } = rules;
    if (webRetentionDays !== undefined) {
      this.registry.sources = [aSource({ token: 'web', retention_days: webRetentionDays })];
    }
  }

  look(): void {
    const copies = this.lake.copies.map(keyOf);
    expectSame(copies, [...new Set(copies)]);
    this.#rules.look(this);
  }

  async act(action: Action): Promise<void> {
    if ('crashAt' in action) {
      await this.crashAt(action.crashAt);
    } else if ('failAt' in action) {
      await this.failAt(action.failAt);
    } else if ('land' in action) {
      for (const event of action.land) this.lake.land(event.hour, event);
    } else if ('end' in action) {
      for (const token of [...this.lake.running.keys()]) this.lake.end(token, action.end);
    } else {
      this.now += action.waitHours * HOUR_MS;
      // The engine has a limit on how long a copy may take.
      for (const token of [...this.lake.running.keys()]) this.lake.end(token);
    }
  }

  run(step: Step): Promise<unknown> {
    return new Compactor({
      store: new ModelStore(this.lake, step, () => dayOf(this.now)),
      registry: this.registry.client(step),
      leases: freeForAll,
      clock: { now: () => this.now },
      logger: recordingLogger().logger,
      firstHour: MIDNIGHT,
      maxFilingDelaySeconds: 1_200,
      retentionDays: this.#rules.retentionDays,
    }).runOnce(Number.POSITIVE_INFINITY);
  }

  /**
   * Runs until the step of that number, and no further.
   *
   * @param looks whether every event must be seen at each step: what landed late in a compacted hour
   *   is seen when a run has found it.
   * @returns whether it got that far.
   */
  async crashAt(number: number, looks = false): Promise<boolean> {
    let steps = 0;
    try {
      await this.run(() => {
        if (looks) this.look();
        // A process that died does nothing more.
        if (++steps >= number) throw new Crash();
      });
      return false;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      return true;
    }
  }

  /** Runs with a failure at the step of that number, of the engine or the registry. */
  async failAt(number: number): Promise<void> {
    let steps = 0;
    try {
      await this.run(() => {
        if (++steps === number) throw new ServiceError('query_failed', 502, 'Refused.');
      });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }
}

/** There are a hundred thousand looks, and `expect` takes longer than each: it is called when it fails. */
function expectSame(actual: readonly string[], expected: readonly string[]): void {
  if (actual.join() !== expected.join()) expect(actual).toEqual(expected);
}

const landings = fc.array(
  fc.record({
    hour: fc.integer({ min: 0, max: LAST_HOUR }).map(hour),
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    source: fc.constantFrom('web', 'api'),
    at: fc.integer({ min: -4, max: 0 }).map(day),
  }),
  { maxLength: 20 },
);

const action = (most: { readonly waitHours: number }): fc.Arbitrary<Action> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ crashAt: fc.integer({ min: 1, max: 40 }) }) },
    { weight: 3, arbitrary: fc.record({ failAt: fc.integer({ min: 1, max: 40 }) }) },
    { weight: 2, arbitrary: fc.record({ land: landings }) },
    { weight: 2, arbitrary: fc.record({ end: fc.constantFrom('committed', 'failed') }) },
    {
      weight: 1,
      arbitrary: fc.record({ waitHours: fc.integer({ min: 1, max: most.waitHours }) }),
    },
  );

describe('a query sees every event, and each that is compacted once', () => {
  const rules: Rules = {
    look: ({ lake, registry }) => {
      const seen = lake.query(registry.state?.watermark ?? MIDNIGHT);
      // Before compaction a copy that a client or Firehose delivered twice is still there twice.
      expectSame([...new Set(seen)], lake.everyEvent());
    },
  };

  test('between any two steps, and when the process dies there', async () => {
    await fc.assert(
      fc.asyncProperty(landings, async (events) => {
        for (let number = 1, crashed = true; crashed; number++) {
          const world = new World(rules);
          for (const event of events) world.lake.land(event.hour, event);
          crashed = await world.crashAt(number, true);
          world.look();
          await world.crashAt(Number.POSITIVE_INFINITY, true);
          world.look();
          expect(world.lake.query(Number.POSITIVE_INFINITY)).toEqual(world.lake.everyEvent());
        }
      }),
      { numRuns: 15 },
    );
  });

  test('in any order of runs, deaths, failures, late files, and copies that outlive their process', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action({ waitHours: 6 }), { maxLength: 25 }), async (actions) => {
        const world = new World(rules);
        for (const action of actions) await world.act(action);
        // Until late files are looked for again.
        await world.act({ waitHours: 1 });
        await world.crashAt(Number.POSITIVE_INFINITY);
        world.look();
        expect(world.lake.query(Number.POSITIVE_INFINITY)).toEqual(world.lake.everyEvent());
      }),
      { numRuns: 300 },
    );
  });
});

describe('no day keeps the bytes of deleted rows', () => {
  const rules: Rules = {
    retentionDays: 7,
    webRetentionDays: 5,
    look: ({ lake, registry }) => {
      const noted = Object.keys(readNotes(registry.state?.notes ?? {}).dirtySince);
      expectSame(
        [...lake.holding].filter((day) => !noted.includes(day)),
        [],
      );
    },
  };

  async function runDaily(world: World, days: number): Promise<void> {
    for (let n = 0; n < days; n++) {
      await world.crashAt(Number.POSITIVE_INFINITY, true);
      await world.act({ waitHours: 25 });
    }
  }

  /** Until a day after the last deletion. */
  const SETTLED_DAYS = 8;

  test('wherever the process dies', async () => {
    await fc.assert(
      fc.asyncProperty(landings, async (events) => {
        for (let number = 1, crashed = true; crashed; number++) {
          const world = new World(rules);
          for (const event of events) world.lake.land(event.hour, event);
          // The files of the oldest day are as they stay when it loses rows.
          await runDaily(world, 2);
          crashed = await world.crashAt(number, true);
          world.look();
          await runDaily(world, SETTLED_DAYS);
          expect([...world.lake.holding]).toEqual([]);
        }
      }),
      { numRuns: 15 },
    );
  });

  test('in any order of runs, deaths, failures, late files, and deletions that outlive their process', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action({ waitHours: 30 }), { maxLength: 25 }), async (actions) => {
        const world = new World(rules);
        for (const action of actions) {
          await world.act(action);
          world.look();
        }
        await runDaily(world, SETTLED_DAYS);
        expect([...world.lake.holding]).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
