/** One landing-table row as JSON text: the columns of `columns.ts`, nulls left out. */
import { isPlainObject, scalarText } from '../../platform/json/json.ts';
import { SLOT_COLUMNS } from '../layout/columns.ts';
import type { SchemaNode } from '../schema/schema.ts';
import { OBJECT_MARK } from '../schema/slots.ts';
import { type EventTime, microsecondsText, timestampText } from './event-time.ts';
import { projectOf } from './project.ts';

/** An event as it is stored: renamed, cleaned, every string well-formed Unicode. */
export interface LandingEvent {
  readonly id: string;
  readonly time: EventTime;
  readonly message: string | undefined;
  /** The top-level field, where that is a string. */
  readonly project: string | undefined;
  /** Any JSON value, with its JSON text. */
  readonly metadata: JsonColumn | undefined;
  /** All other top-level fields. */
  readonly body: JsonColumn | undefined;
}

export interface JsonColumn {
  readonly value: unknown;
  readonly text: string;
}

/** What the rows of one request share. */
export interface RowFrame {
  /** Up to the id. */
  readonly head: string;
  /** The last column but for slots, whose text is not closed yet. */
  readonly tail: string;
}

/** @param arrivedMs arrival of the request, milliseconds since the epoch. */
export function rowFrame(sourceToken: string, arrivedMs: number): RowFrame {
  return {
    head: `{"source_id":${JSON.stringify(sourceToken)},"id":`,
    tail: `,"ingested_at":"${timestampText(arrivedMs)}`,
  };
}

/**
 * The row of an event. JSON text goes into string columns, so it is escaped once more here.
 *
 * @param schema the paths of the source with their slots, which has all that the event shows.
 */
export function landingRow(
  event: LandingEvent,
  { head, tail }: RowFrame,
  schema: SchemaNode,
): string {
  const { metadata, body, message } = event;
  const project = projectOf(event.project ?? ownField(body?.value), metadata?.value);
  let row = `${head}${JSON.stringify(event.id)},"timestamp":"${timestampText(event.time.ms)}","timestamp_us":${microsecondsText(event.time)}`;
  const metadataText = metadata === undefined ? '' : JSON.stringify(metadata.text);
  if (message !== undefined) {
    // A generic JSON event's message is its metadata's text (Logflare 1.50): escape it once.
    row += `,"event_message":${message === metadata?.text ? metadataText : JSON.stringify(message)}`;
  }
  if (project !== undefined) row += `,"project":${JSON.stringify(project)}`;
  if (metadata !== undefined) row += `,"metadata":${metadataText}`;
  if (body !== undefined) row += `,"body":${JSON.stringify(body.text)}`;
  const inMetadata = slotsText(metadata?.value, schema.children.get('metadata'));
  return `${row}${tail}"${inMetadata}${memberSlotsText(body?.value, schema)}}`;
}

/** The field `project` where it is no string, and so lies in the body. */
function ownField(body: unknown): unknown {
  return isPlainObject(body) ? body.project : undefined;
}

/** Row text (`,"s012":"value"` ...) of the slots that the value at a path fills. */
function slotsText(value: unknown, node: SchemaNode | undefined): string {
  if (value === undefined || node === undefined || Array.isArray(value)) return '';
  const { slots = {} } = node;
  if (isPlainObject(value)) {
    return slotText(slots.object, OBJECT_MARK) + memberSlotsText(value, node);
  }
  switch (typeof value) {
    case 'string':
      return slotText(slots.string, value);
    case 'boolean':
      return slotText(slots.boolean, String(value));
    default:
      return slotText(slots.number, scalarText(value) ?? '');
  }
}

function memberSlotsText(value: unknown, node: SchemaNode): string {
  if (!isPlainObject(value)) return '';
  let text = '';
  for (const name in value) text += slotsText(value[name], node.children.get(name));
  return text;
}

function slotText(slot: number | undefined, value: string): string {
  return slot === undefined ? '' : `,"${SLOT_COLUMNS[slot]?.name}":${JSON.stringify(value)}`;
}
