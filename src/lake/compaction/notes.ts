import * as z from 'zod/mini';
import type { JsonValue } from '../../catalog/types.ts';

const Notes = z.object({
  /** When the outstanding copy was begun first; milliseconds, as all times here. */
  startedAt: z.optional(z.number()),
  /** Event days that got or lost rows which no optimization has seen, and when the first of those. */
  changedAt: z._default(z.record(z.string(), z.number()), {}),
  /** What `changedAt` was called while only copies were noted there. */
  copiedAt: z.optional(z.record(z.string(), z.number())),
  /** When files that came late to compacted hours were looked for last. */
  lookedLateAt: z.optional(z.number()),
  /** The day, `yyyy-MM-dd`, on which old events were deleted last. */
  deletedOn: z.optional(z.string()),
  /** The day on which snapshots were expired last. */
  expiredOn: z.optional(z.string()),
});

/** What the job remembers beside its watermark. Losing it costs work and no event. */
export type CompactionNotes = Omit<z.output<typeof Notes>, 'copiedAt'>;

export function readNotes(notes: Readonly<Record<string, JsonValue>>): CompactionNotes {
  const { copiedAt, ...known } = Notes.parse(notes);
  return { ...known, changedAt: { ...known.changedAt, ...copiedAt } };
}

/**
 * `changedAt` with these days, which are about to change. A day that is there keeps its time: what
 * waits to be optimized must not wait for ever.
 */
export function withChanged(
  { changedAt }: CompactionNotes,
  days: readonly string[],
  now: number,
): CompactionNotes['changedAt'] {
  return { ...Object.fromEntries(days.map((day) => [day, now])), ...changedAt };
}

/** As the registry keeps them. */
export function writeNotes(notes: CompactionNotes): Readonly<Record<string, JsonValue>> {
  const known = Object.entries(notes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as Record<string, JsonValue>;
}
