import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOTHING_SHOWN } from '../../../src/catalog/source-schema.ts';
import { desiredViews } from '../../../src/lake/views/desired-state.ts';
import { ViewReconciler } from '../../../src/lake/views/reconcile.ts';
import type { ViewRecords } from '../../../src/lake/views/view-store.ts';
import { TestClock } from '../../support/aws/clock.ts';
import { LogRecorder } from '../../support/aws/log.ts';
import { MemoryRecords } from './memory-records.ts';
import { ModelCatalog } from './model.ts';

class Crash extends Error {}

/** Ends the process before or after the call of a number, and lets all others through. */
class Fuse {
  #calls = 0;
  readonly #at: number;
  readonly #after: boolean;

  constructor(at: number, after: boolean) {
    this.#at = at;
    this.#after = after;
  }

  async call<T>(work: () => Promise<T>): Promise<T> {
    const last = this.#calls++ >= this.#at;
    if (last && !this.#after) throw new Crash();
    const result = await work();
    if (last) throw new Crash();
    return result;
  }
}

function fused(records: ViewRecords, fuse: Fuse): ViewRecords {
  return {
    list: () => fuse.call(() => records.list()),
    begin: (name) => fuse.call(() => records.begin(name)),
    finish: (view) => fuse.call(() => records.finish(view)),
    forget: (name) => fuse.call(() => records.forget(name)),
    acquire: (ms) => fuse.call(() => records.acquire(ms)),
    release: (holder) => fuse.call(() => records.release(holder)),
  };
}

const NAMES = ['app', 'App', 'a.b', 'a-b', 'events'];
const TOKENS = ['a', 'b', 'c', 'd'].map((letter) => `${letter.repeat(8)}-0000-4000-8000-0000`);

const lakeState = fc
  .record({
    names: fc.array(fc.option(fc.constantFrom(...NAMES), { nil: undefined }), { minLength: 4 }),
    shown: fc.array(fc.boolean(), { minLength: 4 }),
    watermark: fc.option(fc.constantFrom(0, 3_600_000), { nil: undefined }),
  })
  .map(({ names, shown, watermark }) => ({
    sources: TOKENS.flatMap((token, i) => {
      const name = names[i];
      return name === undefined ? [] : [{ token, name, insertedAt: `2026-01-0${i + 1}` }];
    }),
    schemas: new Map(
      TOKENS.filter((_, i) => shown[i]).map((token) => [
        token,
        { types: { 'metadata.level': 1 }, slots: ['metadata.level=string'] },
      ]),
    ),
    watermark,
  }));

type State = Parameters<typeof desiredViews>[0];

const step = fc.record({ state: lakeState, at: fc.nat(25), after: fc.boolean() });

test('after crashes at any call, one run that is let through makes it all right', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 5 }), lakeState, async (crashes, last) => {
      const catalog = new ModelCatalog();
      catalog.views.set('somebody_elses', 'SELECT 1');
      const records = new MemoryRecords();
      const clock = new TestClock();
      const syncOf = (state: State, fuse: Fuse) =>
        new ViewReconciler({
          registry: {
            listSources: async () => state.sources,
            schema: async (token) => state.schemas.get(token) ?? NOTHING_SHOWN,
            watermark: async () => state.watermark,
          },
          records: fused(records, fuse),
          statements: { run: (text) => fuse.call(() => catalog.run(text)) },
          clock,
          logger: new LogRecorder(),
          sleep: clock.sleep,
        });

      for (const { state, at, after } of crashes) {
        await syncOf(state, new Fuse(at, after))
          .run()
          .catch((error) => expect(error).toBeInstanceOf(Crash));
        records.expire();
      }
      await syncOf(last, new Fuse(Number.POSITIVE_INFINITY, false)).run();

      const { shared, sources } = desiredViews(last);
      const expected = [...shared, ...sources].map(({ name, query }) => [name, query] as const);
      expect(new Map(catalog.views)).toEqual(
        new Map([...expected, ['somebody_elses', 'SELECT 1']]),
      );
      expect(records.views.map(({ name }) => name).sort()).toEqual(
        expected.map(([name]) => name).sort(),
      );
      expect(records.views.every(({ hash }) => hash !== '')).toBe(true);
    }),
    { numRuns: 300 },
  );
});
