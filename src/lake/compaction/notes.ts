import * as z from 'zod';
import type { JsonValue } from '../../registry/types.ts';

const Notes = z.object({
  /** When the outstanding copy was begun first; milliseconds, as all times here. */
  startedAt: z.number().optional(),
  /** Event days with rows that no optimization has seen, and when the first of those were copied. */
  copiedAt: z.record(z.string(), z.number()).default({}),
  /** The day, `yyyy-MM-dd`, on which old events were deleted last. */
  deletedOn: z.string().optional(),
  /** The day on which snapshots were expired last. */
  expiredOn: z.string().optional(),
});

/** What the job remembers beside its watermark. Losing it costs work and no event. */
export type CompactionNotes = z.output<typeof Notes>;

export function readNotes(notes: Readonly<Record<string, JsonValue>>): CompactionNotes {
  return Notes.parse(notes);
}

/** As the registry keeps them. */
export function writeNotes(notes: CompactionNotes): Readonly<Record<string, JsonValue>> {
  const known = Object.entries(notes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as Record<string, JsonValue>;
}
