/**
 * Fields are promoted and taken out by deployments whose steps take their time, fail, and are taken back,
 * while events arrive, the job of compaction runs and queries are made. No query may read a column that
 * one of the events it looks at lacks.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_FUTURE_US } from '../../src/lake/columns.ts';
import { FILLING_MARGIN_MS } from '../../src/lake/compaction/compactor.ts';
import { parseFields, promotedColumns } from '../../src/lake/promoted-fields.ts';
import { ADDED_COLUMNS_CACHE_MS, AddedColumnStore } from '../../src/registry/added-columns.ts';
import type { Condition, Item, RegistryTable } from '../../src/registry/table.ts';

const MINUTE_MS = 60_000;
const TICK_MS = 15_000;
const MAX_FUTURE_MS = MAX_FUTURE_US / 1_000;
const JOB_INTERVAL_MS = 10 * MINUTE_MS;
const FIELDS = ['a', 'b', 'c'];

type Fields = readonly string[];

const columnsOf = (fields: Fields) => promotedColumns(parseFields(fields.join()));

/** One item, as DynamoDB keeps it. */
class ModelTable {
  #item: Item | undefined;

  async get(): Promise<Item | undefined> {
    return this.#item;
  }

  async put(item: Item, { ExpressionAttributeValues: values }: Condition): Promise<boolean> {
    if (this.#item?.version !== values?.[':unchanged']) return false;
    this.#item = item;
    return true;
  }
}

interface Change {
  /** Minutes for which a release is deployed before that knows of no promoted fields. */
  readonly older: number;
  readonly fields: Fields;
  /** Step that fails, so that all are taken back; none does at 4. */
  readonly failsAt: number;
  readonly queryFirst: boolean;
  /** Minutes after each step. */
  readonly pauses: readonly number[];
  /** Minutes between the steps by which they are taken back. */
  readonly pauseBack: number;
  /** Minutes until the next change. */
  readonly rest: number;
}

class Deployments {
  #now = 0;
  #deployed: Fields = [];
  /** What each function was deployed with. */
  readonly #functions: Record<'ingest' | 'query' | 'job', Fields> = {
    ingest: [],
    query: [],
    job: [],
  };
  /** Calls that an instance of before had begun, for a minute. */
  #lastIngest: Fields | undefined;
  /** Latest time of an event without the column. */
  readonly #lacking = new Map<string, number>();
  readonly #clock = { now: () => this.#now };
  readonly #table = new ModelTable();
  /** Instances of the query function, which read anew at different moments. */
  readonly #readers: AddedColumnStore[] = [];
  /** How often a query read a column. */
  reads = 0;

  async change(change: Change): Promise<void> {
    const { fields, failsAt, queryFirst, pauses, pauseBack, rest, older } = change;
    if (older > 0) {
      Object.assign(this.#functions, { ingest: [], query: [], job: [] });
      this.#deployed = [];
      await this.#pass(older);
    }
    const before = this.#deployed;
    const makers = queryFirst ? (['query', 'ingest'] as const) : (['ingest', 'query'] as const);
    const steps = ['announce', ...makers, 'job'] as const;
    const done = steps.slice(0, failsAt);
    for (const [index, step] of done.entries()) {
      await this.#step(step, fields, before);
      await this.#pass(pauses[index] ?? 0);
    }
    if (done.length < steps.length) {
      // What failed is taken back as well: nobody knows how far it came.
      await this.#step('announce', before, fields);
      for (const step of done.filter((one) => one !== 'announce')) {
        await this.#pass(pauseBack);
        await this.#step(step, before, fields);
      }
    } else {
      this.#deployed = fields;
    }
    await this.#pass(rest);
  }

  async #step(
    step: 'announce' | 'ingest' | 'query' | 'job',
    to: Fields,
    from: Fields,
  ): Promise<void> {
    if (step === 'announce') {
      const hadOthers = await this.#store().announce(columnsOf(to), columnsOf(from));
      if (hadOthers) await this.#pass(Math.ceil(ADDED_COLUMNS_CACHE_MS / MINUTE_MS) + 1);
      return;
    }
    if (step === 'ingest') this.#lastIngest = this.#functions.ingest;
    this.#functions[step] = to;
  }

  async #pass(minutes: number): Promise<void> {
    const end = this.#now + minutes * MINUTE_MS;
    while (this.#now < end) {
      this.#now += TICK_MS;
      this.#arrive(this.#functions.ingest);
      if (this.#lastIngest !== undefined) this.#arrive(this.#lastIngest);
      if (this.#now % MINUTE_MS === 0) this.#lastIngest = undefined;
      if (this.#now % JOB_INTERVAL_MS === 0) {
        const filledFrom = this.#clock.now() + FILLING_MARGIN_MS;
        await this.#store().enter(columnsOf(this.#functions.job), filledFrom);
      }
      await this.#query();
    }
  }

  /** An event that is as far ahead of the clock as one may be, with the columns of these fields. */
  #arrive(fields: Fields): void {
    const time = this.#clock.now() + MAX_FUTURE_MS;
    for (const field of FIELDS) {
      if (!fields.includes(field)) this.#lacking.set(field, time);
    }
  }

  /** Reads each column from the earliest time on from which the compiler would. */
  async #query(): Promise<void> {
    if (this.#readers.length < MINUTE_MS / TICK_MS) this.#readers.push(this.#store());
    const entries = await Promise.all(this.#readers.map((reader) => reader.list()));
    for (const { path, filledFrom } of entries.flat()) {
      if (!this.#functions.query.includes(path)) continue;
      const from = filledFrom + MAX_FUTURE_MS;
      expect(this.#lacking.get(path) ?? 0).toBeLessThan(from);
      if (from <= this.#clock.now()) this.reads++;
    }
  }

  #store(): AddedColumnStore {
    return new AddedColumnStore({
      table: this.#table as unknown as RegistryTable,
      clock: this.#clock,
    });
  }
}

const change: fc.Arbitrary<Change> = fc.record({
  older: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 200 })),
  fields: fc.subarray(FIELDS),
  failsAt: fc.integer({ min: 0, max: 4 }),
  queryFirst: fc.boolean(),
  pauses: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 150 })), {
    minLength: 4,
    maxLength: 4,
  }),
  // A deployment is taken back at once, where it does not get stuck.
  pauseBack: fc.integer({ min: 0, max: 5 }),
  rest: fc.integer({ min: 0, max: 200 }),
});

test('no query reads a column that an event lacks, whatever becomes of deployments', async () => {
  let reads = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const deployments = new Deployments();
      for (const one of changes) await deployments.change(one);
      reads += deployments.reads;
    }),
    { numRuns: 300 },
  );
  expect(reads).toBeGreaterThan(1_000);
});
