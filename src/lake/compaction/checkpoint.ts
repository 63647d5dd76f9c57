import * as z from 'zod/mini';
import type {
  CompactionIntent,
  CompactionProgress,
  CompactionState,
  JsonValue,
  Registry,
} from '../../catalog/types.ts';
import { FailedSteps } from './failed-steps.ts';

const StoredNotes = z.object({
  /** When the pending copy was begun first; milliseconds, as all times here. */
  startedAt: z.optional(z.number()),
  /** `dirtySince`, as it is stored. */
  changedAt: z._default(z.record(z.string(), z.number()), {}),
  /** What that was called while only copies were noted there. */
  copiedAt: z.optional(z.record(z.string(), z.number())),
  /** When files that came late to compacted hours were looked for last. */
  lookedLateAt: z.optional(z.number()),
  /** The day, `yyyy-MM-dd`, on which old events were deleted last. */
  deletedOn: z.optional(z.string()),
  /** The day on which snapshots were expired last. */
  expiredOn: z.optional(z.string()),
  /** Steps of maintenance that wait for another attempt. */
  failed: z._default(FailedSteps, {}),
});

/** What the job remembers beside its watermark. Losing it costs work and no event. */
export interface CompactionNotes
  extends Omit<z.output<typeof StoredNotes>, 'changedAt' | 'copiedAt'> {
  /** Event days that got or lost rows which no optimization has seen, and since when. */
  readonly dirtySince: Readonly<Record<string, number>>;
}

export interface CheckpointChange {
  readonly watermark?: number;
  readonly landed?: Readonly<Record<string, number>>;
  /** null when no copy is outstanding any more. */
  readonly pendingCopy?: CompactionIntent | null;
  readonly notes?: Partial<CompactionNotes>;
}

type States = Pick<Registry, 'readCompaction' | 'writeCompaction'>;

/**
 * How far compaction got, as this run read or wrote it last. A write fails when another run wrote
 * meanwhile, so of two runs that both believe to hold the lease one stops at its next step.
 */
export class Checkpoint {
  readonly #states: States;
  #stored: CompactionState | undefined;
  #current: CompactionProgress;

  private constructor(states: States, stored: CompactionState | undefined, firstHour: number) {
    this.#states = states;
    this.#stored = stored;
    this.#current = stored ?? { watermark: firstHour, landed: {}, notes: {} };
  }

  /** @param firstHour the watermark before the first run. */
  static async read(states: States, firstHour: number): Promise<Checkpoint> {
    return new Checkpoint(states, await states.readCompaction(), firstHour);
  }

  get watermark(): number {
    return this.#current.watermark;
  }

  get landed(): Readonly<Record<string, number>> {
    return this.#current.landed;
  }

  get pendingCopy(): CompactionIntent | undefined {
    return this.#current.started;
  }

  get notes(): CompactionNotes {
    return readNotes(this.#current.notes);
  }

  /**
   * `dirtySince` with days that are about to change. A day that is there keeps its time: what waits to be
   * optimized must not wait for ever.
   */
  markDirtyDays(days: readonly string[], now: number): CompactionNotes['dirtySince'] {
    return { ...Object.fromEntries(days.map((day) => [day, now])), ...this.notes.dirtySince };
  }

  /** @throws ServiceError `compaction_conflict` (409) when another run wrote meanwhile. */
  async save(change: CheckpointChange): Promise<void> {
    const started = change.pendingCopy === undefined ? this.pendingCopy : change.pendingCopy;
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

export function readNotes(notes: Readonly<Record<string, JsonValue>>): CompactionNotes {
  const { changedAt, copiedAt, ...known } = StoredNotes.parse(notes);
  return { ...known, dirtySince: { ...changedAt, ...copiedAt } };
}

function writeNotes({ dirtySince, ...others }: CompactionNotes): CompactionProgress['notes'] {
  const known = Object.entries(others).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...known, ['changedAt', dirtySince]]) as Record<string, JsonValue>;
}
