/** One landing-table row as JSON text: the columns of `columns.ts`, nulls left out. */
import { isPlainObject } from '../json.ts';
import { type EventTime, microsecondsText, timestampText } from './event-time.ts';
import { projectOf } from './project.ts';
import { type Promotions, promotedText } from './promoted.ts';

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
  readonly head: string;
  readonly tail: string;
  readonly promotions: Promotions;
}

/** @param arrivedMs arrival of the request, milliseconds since the epoch. */
export function rowFrame(sourceToken: string, arrivedMs: number, promotions: Promotions): RowFrame {
  return {
    promotions,
    head: `{"source_id":${JSON.stringify(sourceToken)},"id":`,
    tail: `,"ingested_at":"${timestampText(arrivedMs)}"}`,
  };
}

/** The row of an event. JSON text goes into string columns, so it is escaped once more here. */
export function landingRow(event: LandingEvent, { head, tail, promotions }: RowFrame): string {
  const { metadata, body, message } = event;
  const project = projectOf(event.project ?? ownField(body?.value), metadata?.value);
  let row = `${head}${JSON.stringify(event.id)},"timestamp":"${timestampText(event.time.ms)}","timestamp_us":${microsecondsText(event.time)}`;
  const metadataText = metadata === undefined ? '' : JSON.stringify(metadata.text);
  if (message !== undefined) {
    // A generic JSON event's message is its metadata's text (Logflare 1.50): escape it once.
    row += `,"event_message":${message === metadata?.text ? metadataText : JSON.stringify(message)}`;
  }
  if (project !== undefined) {
    row += `,"project":${JSON.stringify(project)}`;
  }
  if (metadata !== undefined) {
    row += `,"metadata":${metadataText}${promotedText(promotions.metadata, metadata.value)}`;
  }
  if (body !== undefined) {
    row += `,"body":${JSON.stringify(body.text)}${promotedText(promotions.event, body.value)}`;
  }
  return row + tail;
}

/** The field `project` where it is no string, and so lies in the body. */
function ownField(body: unknown): unknown {
  return isPlainObject(body) ? body.project : undefined;
}
