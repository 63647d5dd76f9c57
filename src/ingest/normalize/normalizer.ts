/** From what a client sent to what is stored, one event at a time (Logflare 1.50). */

import type { EventTime } from '../../lake/rows/event-time.ts';
import { jsonColumn, storedText } from '../../lake/rows/json-column.ts';
import type { JsonColumn, LandingEvent } from '../../lake/rows/row.ts';
import type { InferredSchema } from '../../lake/schema/inferred-schema.ts';
import { FieldSet, type Fields } from '../../platform/json/fields.ts';
import { isPlainObject } from '../../platform/json/json.ts';
import { timeOf } from '../event/accepted-time.ts';
import { newEventId } from '../event/event-id.ts';
import { JsonTextOf, pickMessage } from '../event/message.ts';
import { EventRejected } from '../event/rejected-event.ts';
import { type NormalizedEvent, normalizedFields } from './normalized-event.ts';
import { Sanitizer } from './sanitize.ts';

/** Normalises events; one at a time, because the walk keeps its state here. */
export class Normalizer {
  readonly #cleaner = new Sanitizer();

  /**
   * @param event any JSON value, which is not changed, or the refusal of one by its format.
   * @param schema what the source has shown so far; learns what this event shows for the first time.
   * @param nowMs arrival, milliseconds since the epoch.
   * @throws EventRejected when it is not an object, lies out of time, or is out of bounds.
   */
  normalize(event: unknown, schema: InferredSchema, nowMs: number): LandingEvent {
    checkObject(event);
    const time = timeOf(event, nowMs);
    const message = pickMessage(event);
    const { id, project, metadata, rest } = this.#cleanFields(event, message, schema);
    if (this.#cleaner.sawNewType || (this.#cleaner.sawNewPath && schema.mayGrow)) {
      schema.learn({ project, metadata, ...rest });
    }
    const metadataColumn = metadata === undefined ? undefined : jsonColumn(metadata);
    return {
      id: idText(id, time),
      time,
      message: messageText(message, metadata, metadataColumn),
      project: project?.toWellFormed(),
      metadata: metadataColumn,
      body: rest === undefined ? undefined : jsonColumn(rest),
    };
  }

  /** As {@link normalize}, for what settings work on; nothing is learned yet. */
  open(event: unknown, schema: InferredSchema, nowMs: number): NormalizedEvent {
    checkObject(event);
    const time = timeOf(event, nowMs);
    const message = pickMessage(event);
    const { id, project, metadata, rest } = this.#cleanFields(event, message, schema);
    return {
      time,
      fields: normalizedFields(time, {
        ...rest,
        id: idText(id, time),
        event_message: messageText(message, undefined, undefined),
        project: project ?? rest?.project,
        metadata,
      }),
    };
  }

  #cleanFields(event: Fields, message: unknown, { root }: InferredSchema): CleanFields {
    const cleaner = this.#cleaner;
    cleaner.reset();
    const result: CleanFields = {
      id: undefined,
      project: undefined,
      metadata: undefined,
      rest: undefined,
    };
    let rest: FieldSet | undefined;
    for (const key in event) {
      const value = event[key];
      const name = cleaner.nameOf(key);
      // A JsonTextOf stands for a value that is walked where the event holds it.
      if (name === 'timestamp' || value instanceof JsonTextOf) continue;
      const isFixed = name === 'id' || name === 'event_message';
      const node = isFixed ? undefined : root.children.get(name);
      const cleaned = cleaner.clean(value, node, 2);
      if (name === 'id') result.id = cleaned;
      // A `message` that the walk left as it is would repeat the event_message.
      if (isFixed || cleaned === undefined || (name === 'message' && cleaned === message)) continue;
      if (node === undefined) cleaner.noticeMissing(root);
      if (name === 'metadata') {
        result.metadata = cleaned;
      } else if (name === 'project' && typeof cleaned === 'string') {
        result.project = cleaned;
      } else {
        rest ??= new FieldSet();
        rest.put(name, key, cleaned);
      }
    }
    result.rest = rest?.fields;
    return result;
  }
}

/** The cleaned fields of an event, by where they go. */
interface CleanFields {
  id: unknown;
  project: string | undefined;
  metadata: unknown;
  rest: Fields | undefined;
}

/** @throws EventRejected what the format has refused, too. */
function checkObject(event: unknown): asserts event is Fields {
  if (event instanceof EventRejected) throw event;
  if (!isPlainObject(event)) throw new EventRejected('not a JSON object');
}

function idText(id: unknown, { ms }: EventTime): string {
  return id === undefined || id === false ? newEventId(ms) : storedText(id);
}

function messageText(
  message: unknown,
  metadata: unknown,
  column: JsonColumn | undefined,
): string | undefined {
  if (message instanceof JsonTextOf) {
    return message.value === metadata && column !== undefined
      ? column.text
      : jsonColumn(message.value).text;
  }
  return message === undefined ? undefined : storedText(message);
}
