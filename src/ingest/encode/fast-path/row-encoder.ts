/**
 * Rows of events that look like those before them, which nearly all do. The normalizer walks an event
 * to clean it, its result is made text, the text is escaped for its column, and its values are looked
 * up once more for their slots; here one walk does all of that. It knows nothing but the ordinary: of
 * anything else it makes no row, and the normalizer decides.
 */

import { microsecondsText, timestampText } from '../../../lake/rows/event-time.ts';
import { jsonColumn } from '../../../lake/rows/json-column.ts';
import { projectOf } from '../../../lake/rows/project.ts';
import type { RowFrame } from '../../../lake/rows/row.ts';
import type { InferredSchema } from '../../../lake/schema/inferred-schema.ts';
import { JsonType } from '../../../lake/schema/schema.ts';
import { type Fields, isEmpty } from '../../../platform/json/fields.ts';
import { isPlainObject } from '../../../platform/json/json.ts';
import { timeOf } from '../../event/accepted-time.ts';
import { newEventId } from '../../event/event-id.ts';
import { JsonTextOf, pickMessage } from '../../event/message.ts';
import { MAX_KEYS } from '../../normalize/sanitize.ts';
import { type EventShape, EventShapes } from './event-shape.ts';
import { FastValueEncoder, isPlainText } from './value-encoder.ts';

/** Makes rows, one at a time, because the walk keeps its state here. */
export class FastRowEncoder {
  readonly #values = new FastValueEncoder();
  readonly #shapes = new EventShapes();

  /** Whether no text in the events to come has a character that JSON escapes. */
  set hasPlainTexts(value: boolean) {
    this.#values.hasPlainTexts = value;
  }

  /**
   * The row that the normalizer and `landingRow` give.
   *
   * @param nowMs arrival, milliseconds since the epoch.
   * @returns undefined for an event that shows something new, has to be refused, or is unusual.
   * @throws EventRejected when the event lies out of time.
   */
  row(event: Fields, schema: InferredSchema, nowMs: number, frame: RowFrame): string | undefined {
    const values = this.#values;
    values.reset();
    const shape = this.#shapes.of(schema);
    const time = timeOf(event, nowMs);
    const metadata = this.#metadata(event.metadata, shape);
    if (!values.isKnown) return undefined;
    let row = `${frame.head}${this.#id(event.id, time.ms)},"timestamp":"${timestampText(time.ms)}","timestamp_us":${microsecondsText(time)}`;
    row += this.#message(event, metadata);
    row += this.#project(event, shape);
    if (metadata !== '') row += `,"metadata":"${metadata}"`;
    const body = values.textOf(event, shape, isNoBody);
    if (body !== '') row += `,"body":"${body}"`;
    return values.isKnown && values.keys <= MAX_KEYS
      ? `${row}${frame.tail}${values.slots}"}`
      : undefined;
  }

  #id(id: unknown, ms: number): string {
    return isEmpty(id) || id === false ? `"${newEventId(ms)}"` : this.#quoted(id);
  }

  #metadata(metadata: unknown, shape: EventShape): string {
    if (isEmpty(metadata)) return '';
    const member = shape.member('metadata');
    if (member === undefined || !isPlainObject(metadata)) {
      this.#values.isKnown = false;
      return '';
    }
    return this.#values.textOf(metadata, member.shape);
  }

  /** @param metadata the text of the event's metadata. */
  #message(event: Fields, metadata: string): string {
    const message = pickMessage(event);
    const { event_message: other } = event;
    const values = this.#values;
    values.isKnown &&= other === message || isEmpty(other) || typeof other === 'string';
    if (message === undefined) return '';
    if (message instanceof JsonTextOf) {
      // Joins the parts of the text now, once, and not in both of its places (V8).
      metadata.charCodeAt(0);
      const isMetadata = message.value === event.metadata && metadata !== '' && !values.isChanged;
      const text = isMetadata ? `"${metadata}"` : JSON.stringify(jsonColumn(message.value).text);
      return `,"event_message":${text}`;
    }
    return `,"event_message":${this.#quoted(message)}`;
  }

  #project({ project, metadata }: Fields, shape: EventShape): string {
    if (isEmpty(project)) {
      const inherited = projectOf(undefined, metadata);
      return inherited === undefined ? '' : `,"project":${this.#quoted(inherited)}`;
    }
    this.#values.expect(shape.member('project')?.shape, JsonType.string);
    return `,"project":${this.#quoted(project)}`;
  }

  /** A string in quotes; any other value is unusual here. */
  #quoted(value: unknown): string {
    if (typeof value !== 'string') {
      this.#values.isKnown = false;
      return '';
    }
    const isPlain = this.#values.hasPlainTexts || isPlainText(value);
    return isPlain ? `"${value}"` : JSON.stringify(value.toWellFormed());
  }
}

/** Whether a field has a column of its own. */
function isNoBody(key: string, value: unknown): boolean {
  switch (key) {
    case 'id':
    case 'timestamp':
    case 'metadata':
    case 'project':
    case 'event_message':
      return true;
    case 'message':
      // It is the event's message then, and would be stored twice.
      return typeof value === 'string';
    default:
      return value instanceof JsonTextOf;
  }
}
