import type {
  CompactionIntent,
  CompactionProgress,
  CompactionState,
  Registry,
} from '../../catalog/types.ts';
import { type CompactionNotes, readNotes, writeNotes } from './notes.ts';

export interface ProgressChange {
  readonly watermark?: number;
  readonly landed?: Readonly<Record<string, number>>;
  /** null when no copy is outstanding any more. */
  readonly started?: CompactionIntent | null;
  readonly notes?: Partial<CompactionNotes>;
}

type States = Pick<Registry, 'readCompaction' | 'writeCompaction'>;

/**
 * How far compaction got, as this run read or wrote it last. A write fails when another run wrote
 * meanwhile, so of two runs that both believe to hold the lease one stops at its next step.
 */
export class Progress {
  readonly #states: States;
  #stored: CompactionState | undefined;
  #current: CompactionProgress;

  private constructor(states: States, stored: CompactionState | undefined, firstHour: number) {
    this.#states = states;
    this.#stored = stored;
    this.#current = stored ?? { watermark: firstHour, landed: {}, notes: {} };
  }

  /** @param firstHour the watermark before the first run. */
  static async read(states: States, firstHour: number): Promise<Progress> {
    return new Progress(states, await states.readCompaction(), firstHour);
  }

  get watermark(): number {
    return this.#current.watermark;
  }

  get landed(): Readonly<Record<string, number>> {
    return this.#current.landed;
  }

  get started(): CompactionIntent | undefined {
    return this.#current.started;
  }

  get notes(): CompactionNotes {
    return readNotes(this.#current.notes);
  }

  /** @throws ServiceError `compaction_conflict` (409) when another run wrote meanwhile. */
  async save(change: ProgressChange): Promise<void> {
    const started = change.started === undefined ? this.started : change.started;
    const next: CompactionProgress = {
      watermark: change.watermark ?? this.watermark,
      landed: change.landed ?? this.landed,
      notes: writeNotes({ ...this.notes, ...change.notes }),
      ...(started === undefined || started === null ? {} : { started }),
    };
    this.#stored = await this.#states.writeCompaction(next, this.#stored);
    this.#current = this.#stored;
  }
}
