import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FirehoseSink } from '../../../../src/ingest/delivery/firehose/firehose-sink.ts';
import { ServiceError } from '../../../../src/platform/errors.ts';
import { TestClock } from '../../../support/aws/clock.ts';
import { networkError, serviceError } from '../../../support/aws/failures.ts';
import { FakeFirehose, type PutOutcome } from '../../../support/aws/fake-firehose.ts';
import { FakeSpillQueue } from '../../../support/aws/fake-spill-queue.ts';
import { LogRecorder } from '../../../support/aws/log.ts';

/** What the model knows of the sink: how it treats the stream. */
interface Model {
  refusingUntil: number;
  silentUntil: number;
}

interface System {
  readonly sink: FirehoseSink;
  readonly firehose: FakeFirehose;
  readonly spillQueue: FakeSpillQueue;
  readonly clock: TestClock;
  /** Rows of writes that succeeded, and of those that did not. */
  readonly acknowledged: string[];
  readonly refused: Set<string>;
  /** Rows of writes in which an answer was lost: they may be there twice. */
  readonly doubtful: Set<string>;
  readonly seen: { spilled: number; refused: number; silent: number };
}

type Command = fc.AsyncCommand<Model, System>;

const OUTCOMES = {
  throttled: { throws: serviceError('ServiceUnavailableException', 503) },
  denied: { throws: serviceError('AccessDeniedException') },
  silent: { throws: networkError('ETIMEDOUT') },
  lost: { losesAnswer: networkError('ECONNRESET') },
  first: { refuse: [0] },
} as const satisfies Record<string, PutOutcome>;
type Mood = keyof typeof OUTCOMES | 'fine';

let written = 0;

/** A write of some records while the stream is in a mood, for a number of calls or for good. */
class Write implements Command {
  readonly records: number;
  readonly mood: Mood;
  readonly calls: number;
  readonly spillWorks: boolean;

  constructor(records: number, mood: Mood, calls: number, spillWorks: boolean) {
    this.records = records;
    this.mood = mood;
    this.calls = calls;
    this.spillWorks = spillWorks;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, system: System): Promise<void> {
    const { sink, firehose, spillQueue, clock } = system;
    const rows = Array.from({ length: this.records }, () =>
      JSON.stringify({ n: written++, text: 'x'.repeat(100_000) }),
    );
    if (this.mood !== 'fine') firehose.next(...Array(this.calls).fill(OUTCOMES[this.mood]));
    spillQueue.outage = this.spillWorks ? undefined : 'InternalError';
    const before = {
      calls: firehose.calls.length,
      spills: spillQueue.calls.length,
      naps: clock.naps.length,
    };
    const start = clock.now();

    const error = await sink.write(rows).catch((thrown: unknown) => thrown);

    firehose.forget();
    const calls = firehose.calls.length - before.calls;
    const spills = spillQueue.calls.length - before.spills;
    if (this.mood === 'lost') for (const row of rows) system.doubtful.add(row);

    // One spilling at most, whatever the batches did.
    expect(spills).toBeLessThanOrEqual(1);
    if (start < model.refusingUntil) {
      const silent = start < model.silentUntil;
      if (silent) system.seen.silent += 1;
      expect(calls).toBe(silent ? 0 : 1);
      expect(clock.naps.length).toBe(before.naps);
    } else if (this.mood !== 'denied' && this.calls <= 2) {
      // Two failures and the waits after them fit into any budget.
      expect({ error, spills }).toEqual({ error: undefined, spills: 0 });
    }
    if (error !== undefined) {
      system.seen.refused += 1;
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject({ code: 'sink_unavailable', status: 503 });
      expect(this.spillWorks).toBe(false);
      for (const row of rows) system.refused.add(row);
      model.refusingUntil = 0;
      return;
    }
    system.acknowledged.push(...rows);
    if (spills === 0) {
      model.refusingUntil = 0;
    } else {
      system.seen.spilled += 1;
      if (calls > 0) {
        const transient = this.mood === 'silent' || this.mood === 'lost';
        model.refusingUntil = clock.now() + 60_000;
        model.silentUntil = transient ? clock.now() + 5_000 : 0;
      }
    }
  }

  toString(): string {
    return `write(${this.records}, ${this.mood} × ${this.calls}, spilling ${this.spillWorks})`;
  }
}

class Wait implements Command {
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }

  check(): boolean {
    return true;
  }

  async run(_: Model, { clock }: System): Promise<void> {
    clock.advance(this.ms);
  }

  toString(): string {
    return `wait(${this.ms})`;
  }
}

const commands = fc.commands(
  [
    fc
      .tuple(
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom<Mood>('fine', 'fine', 'throttled', 'denied', 'silent', 'lost', 'first'),
        fc.constantFrom(1, 2, 1_000),
        fc.constantFrom(true, true, true, false),
      )
      .map((of) => new Write(...of)),
    fc.constantFrom(100, 3_000, 6_000, 61_000).map((ms) => new Wait(ms)),
  ],
  { maxCommands: 30 },
);

test('what is acknowledged is stored or spilled, once unless an answer was lost', async () => {
  const seen = { spilled: 0, refused: 0, silent: 0 };
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const clock = new TestClock();
      const firehose = new FakeFirehose();
      const spillQueue = new FakeSpillQueue();
      const system: System = {
        sink: new FirehoseSink({
          client: firehose.client,
          stream: 'landing',
          // So that a row of this size is a record.
          compress: false,
          spillQueue: spillQueue,
          clock,
          logger: new LogRecorder(),
          sleep: clock.sleep,
        }),
        firehose,
        spillQueue,
        clock,
        acknowledged: [],
        refused: new Set(),
        doubtful: new Set(),
        seen,
      };

      await fc.asyncModelRun(
        () => ({ model: { refusingUntil: 0, silentUntil: 0 }, real: system }),
        sequence,
      );

      const copies = Map.groupBy([...firehose.storedRows, ...spillQueue.spilledRows], (row) => row);
      for (const row of system.acknowledged) {
        const found = copies.get(row)?.length ?? 0;
        if (system.doubtful.has(row)) expect(found).toBeGreaterThan(0);
        else expect(found).toBe(1);
      }
      const known = new Set(system.acknowledged).union(system.refused);
      expect(new Set(copies.keys()).isSubsetOf(known)).toBe(true);
    }),
    { numRuns: 150 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});
