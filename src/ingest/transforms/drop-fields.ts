/** `transform_drop_fields`: a path on each line (Logflare 1.50). */

import type { NormalizedEvent } from '../normalize/normalized-event.ts';
import { type FieldPath, parsePath, withoutValue } from './field-path.ts';
import { linesOf } from './parse-lines.ts';

/** Without these nothing could be told apart, found by time, or read. */
const RESERVED = ['id', 'event_message', 'timestamp'];

const MAX_DROPS = 100;

/** Paths of what is not to be stored; of reserved fields none. */
export function parseDrops(text: string): FieldPath[] {
  return linesOf(text)
    .filter((line) => !RESERVED.includes(line))
    .map(parsePath);
}

/** What is wrong with the setting, as its author is told. */
export function dropFaults(text: string): string[] {
  const lines = linesOf(text);
  const reserved = RESERVED.filter((name) => lines.includes(name));
  const faults = lines.length > MAX_DROPS ? [`has more than ${MAX_DROPS} lines`] : [];
  return reserved.length === 0
    ? faults
    : [...faults, `cannot drop reserved fields: ${reserved.join(', ')}`];
}

/** Paths lead through objects, not into lists; those that lead to nothing change nothing. */
export function dropFields(event: NormalizedEvent, drops: readonly FieldPath[]): NormalizedEvent {
  return { ...event, fields: drops.reduce(withoutValue, event.fields) };
}
