import { randomUUID } from 'node:crypto';
import type { CompactionProgress, CompactionState, Source } from '../../../src/catalog/types.ts';
import type { CompactionStore, HourRange } from '../../../src/lake/compaction/compaction-store.ts';
import { Compactor, type CompactorDeps } from '../../../src/lake/compaction/compactor.ts';
import { DAY_MS, dayOf, HOUR_MS } from '../../../src/lake/compaction/hours.ts';
import { ServiceError } from '../../../src/platform/errors.ts';
import type { Lease, Leases } from '../../../src/platform/leases/leases.ts';
import { recordingLogger } from '../../http/support.ts';

export interface StoredEvent {
  readonly source: string;
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface Copy extends StoredEvent {
  readonly hour: number;
}

/**
 * A lake in memory, and the engine that works on it. Copies and deletions have two steps, as on Athena:
 * one finds its rows, and later, in one step, adds or deletes them. Its caller may be gone by then.
 */
export class ModelLake {
  readonly landing = new Map<number, StoredEvent[]>();
  copies: Copy[] = [];
  optimized: string[] = [];
  /** Days whose files hold rows that were deleted. */
  readonly holding = new Set<string>();
  expired = 0;
  /** Copies and deletions whose commit is still to come, by token. */
  readonly running = new Map<string, () => void>();
  readonly #ended = new Set<string>();

  land(hour: number, ...events: StoredEvent[]): void {
    this.landing.set(hour, [...(this.landing.get(hour) ?? []), ...events]);
  }

  /** What a query sees that takes copies before the watermark, and landing files from it on. */
  query(watermark: number): string[] {
    const copied = this.copies.filter(({ hour }) => hour < watermark);
    const landed = [...this.landing].flatMap(([hour, events]) => (hour < watermark ? [] : events));
    return [...copied, ...landed].map(keyOf).sort();
  }

  /** Every event that ever landed, once. */
  everyEvent(): string[] {
    return [...new Set([...this.landing.values()].flat().map(keyOf))].sort();
  }

  missing(hour: number, days?: readonly string[]): StoredEvent[] {
    const known = new Set(this.copies.map(keyOf));
    const events = this.landing.get(hour) ?? [];
    return events.filter((event) => {
      const wanted = days === undefined || days.includes(dayOf(event.at));
      return wanted && !known.has(keyOf(event));
    });
  }

  /** Begins a copy, unless one of that token runs or has run. */
  begin(hour: number, days: readonly string[], token: string): void {
    if (this.running.has(token) || this.#ended.has(token)) return;
    const found = new Map(this.missing(hour, days).map((event) => [keyOf(event), event]));
    this.running.set(token, () => {
      this.copies.push(...[...found.values()].map((event) => ({ ...event, hour })));
    });
  }

  /** Rows of events before the day, of one source or of all. */
  old(day: string, source: string | undefined): Copy[] {
    const before = Date.parse(day);
    return this.copies.filter(
      (copy) => copy.at < before && (source === undefined || copy.source === source),
    );
  }

  /** Begins a deletion, unless one of that token runs or has run. */
  beginDeletion(day: string, source: string | undefined, token: string): void {
    if (this.running.has(token) || this.#ended.has(token)) return;
    const found = new Set(this.old(day, source));
    this.running.set(token, () => {
      const gone = this.copies.filter((copy) => found.has(copy));
      this.copies = this.copies.filter((copy) => !found.has(copy));
      for (const { at } of gone) {
        // Days of all sources are whole files.
        if (source === undefined) this.holding.delete(dayOf(at));
        else this.holding.add(dayOf(at));
      }
    });
  }

  /** @param token one that was used before does nothing again. */
  optimize(day: string, token: string): void {
    if (this.#ended.has(token)) return;
    this.#ended.add(token);
    this.optimized.push(day);
    this.holding.delete(day);
  }

  /** Ends a copy or a deletion: by its commit, or without effect, after which its token begins another. */
  end(token: string, how: 'committed' | 'failed' = 'committed'): void {
    const commit = this.running.get(token);
    if (commit === undefined) return;
    this.running.delete(token);
    if (how === 'failed') return;
    commit();
    this.#ended.add(token);
  }
}

export function keyOf({ source, id, at }: StoredEvent): string {
  return `${source}/${id}/${at}`;
}

/** What stands before each call to the store and the registry, and after it. */
export type Step = (name: string) => void | Promise<void>;

export class ModelStore implements CompactionStore {
  readonly maxDaysPerCopy = 2;
  readonly #lake: ModelLake;
  readonly #step: Step;
  readonly #today: () => string;

  /** @param today part of the tokens of what is done once a day, as on Athena. */
  constructor(lake: ModelLake, step: Step, today: () => string) {
    this.#lake = lake;
    this.#step = step;
    this.#today = today;
  }

  prepare(): Promise<void> {
    return this.#call('prepare', () => {});
  }

  landedRows({ from, before }: HourRange): Promise<ReadonlyMap<number, number>> {
    const inRange = ([hour]: [number, unknown]) => hour >= from && hour < before;
    return this.#call(
      'landedRows',
      () =>
        new Map(
          [...this.#lake.landing].filter(inRange).map(([hour, events]) => [hour, events.length]),
        ),
    );
  }

  missingDays(hour: number): Promise<readonly string[]> {
    return this.#call('missingDays', () =>
      [...new Set(this.#lake.missing(hour).map(({ at }) => dayOf(at)))].sort(),
    );
  }

  copyStatement(hour: number, days: readonly string[]): string {
    return `copy ${hour} ${days.join()}`;
  }

  async copy(hour: number, days: readonly string[], token: string): Promise<void> {
    await this.#step('before the copy begins');
    this.#lake.begin(hour, days, token);
    await this.#step('while the copy runs');
    this.#lake.end(token);
    await this.#step('after the copy');
  }

  optimize(day: string): Promise<void> {
    return this.#call(`optimize ${day}`, () => this.#lake.optimize(day, `${this.#today()} ${day}`));
  }

  async deleteBefore(
    day: string,
    sourceId: string | undefined,
    noteDays: (days: readonly string[]) => Promise<void>,
  ): Promise<void> {
    await this.#step(`before old rows of ${sourceId ?? 'all'} are looked for`);
    const days = [...new Set(this.#lake.old(day, sourceId).map(({ at }) => dayOf(at)))];
    if (days.length === 0) return;
    if (sourceId !== undefined) await noteDays(days);
    await this.#step('before the deletion begins');
    const token = `${this.#today()} ${day} ${sourceId}`;
    this.#lake.beginDeletion(day, sourceId, token);
    await this.#step('while the deletion runs');
    this.#lake.end(token);
    await this.#step('after the deletion');
  }

  expireSnapshots(): Promise<void> {
    return this.#call('expireSnapshots', () => void this.#lake.expired++);
  }

  async #call<T>(name: string, work: () => T): Promise<T> {
    await this.#step(`before ${name}`);
    const result = work();
    await this.#step(`after ${name}`);
    return result;
  }
}

/** The registry's item, with its condition. */
export class ModelState {
  state: CompactionState | undefined;
  sources: readonly Source[] = [];

  /** As one process reaches it. */
  client(step: Step) {
    return {
      listSources: async () => this.sources,
      readCompaction: async () => {
        await step('before the state is read');
        return this.state;
      },
      writeCompaction: async (
        next: CompactionProgress,
        previous: CompactionState | undefined,
      ): Promise<CompactionState> => {
        await step('before the state is written');
        if (this.state?.version !== previous?.version) {
          throw new ServiceError('compaction_conflict', 409, 'Another run wrote.');
        }
        // As text, because that is how it is kept.
        this.state = { ...structuredClone(next), version: randomUUID() };
        await step('after the state is written');
        return this.state;
      },
    };
  }
}

/** A lease that every process gets which asks: what it is for must hold without it. */
export const freeForAll = {
  acquire: async (key: string): Promise<Lease> => ({
    key,
    owner: randomUUID(),
  }),
  renew: async () => true,
  release: async () => {},
} as unknown as Leases;

/** Midnight of the day that most tests are about. */
export const MIDNIGHT = Date.UTC(2026, 1, 10);

export const hour = (n: number): number => MIDNIGHT + n * HOUR_MS;
export const day = (n: number): number => MIDNIGHT + n * DAY_MS;

/** A lake whose first hour is midnight, seen at half past ten. */
export function compaction(options: Partial<CompactorDeps> = {}) {
  const lake = new ModelLake();
  const registry = new ModelState();
  const { logger, lines } = recordingLogger();
  const time = { now: hour(10.5) };
  const run = (step: Step = () => {}, deadline = Number.POSITIVE_INFINITY) =>
    new Compactor({
      store: new ModelStore(lake, step, () => dayOf(time.now)),
      registry: registry.client(step),
      leases: freeForAll,
      clock: { now: () => time.now },
      logger,
      firstHour: MIDNIGHT,
      maxFilingDelaySeconds: 1_200,
      ...options,
    }).runOnce(deadline);
  return { lake, registry, lines, time, run };
}

export const event = (id: string, at: number, source = 'web') => ({ source, id, at });
