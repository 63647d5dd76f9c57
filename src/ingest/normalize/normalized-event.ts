import { type EventTime, microsecondsText } from '../../lake/rows/event-time.ts';
import { jsonColumn, storedText } from '../../lake/rows/json-column.ts';
import type { LandingEvent } from '../../lake/rows/row.ts';
import type { InferredSchema } from '../../lake/schema/inferred-schema.ts';
import { Fields } from '../../platform/json/fields.ts';
import { type RawNumber, rawNumber } from '../../platform/json/json.ts';

/** An event after normalising, as the settings of a source see it. */
export interface NormalizedEvent {
  readonly time: EventTime;
  /**
   * All fields under their stored names: `id` and, if it has a message, `event_message` as text,
   * `timestamp` in microseconds, `metadata`, `project` and whatever else the event holds. Nothing in
   * them is empty.
   */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Fields of an event, without those that are undefined, and with its time. */
export function normalizedFields(
  time: EventTime,
  fields: Readonly<Record<string, unknown>>,
): NormalizedEvent['fields'] {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...present, ['timestamp', microseconds(time)]]);
}

/** An instant as the field `timestamp`. */
export function microseconds({ ms, us }: EventTime): number | RawNumber {
  const micros = ms * 1000 + us;
  return Number.isSafeInteger(micros) ? micros : rawNumber(microsecondsText({ ms, us }));
}

/** Columns of the landing table that are no part of its body. */
const APART = new Set(['id', 'event_message', 'timestamp', 'metadata']);

/** The event as columns of the landing table; a schema learns what it shows. */
export function landingEvent(
  { time, fields }: NormalizedEvent,
  schema: InferredSchema,
): LandingEvent {
  const { id, event_message: message, metadata, project } = fields;
  const isText = typeof project === 'string';
  const rest = new Fields();
  for (const [name, value] of Object.entries(fields)) {
    if (!APART.has(name) && !(isText && name === 'project')) rest[name] = value;
  }
  schema.learn({ metadata, ...rest, ...(isText ? { project } : {}) });
  return {
    id: storedText(id),
    time,
    message: message === undefined ? undefined : storedText(message),
    project: isText ? project.toWellFormed() : undefined,
    metadata: metadata === undefined ? undefined : jsonColumn(metadata),
    body: Object.keys(rest).length === 0 ? undefined : jsonColumn(rest),
  };
}
