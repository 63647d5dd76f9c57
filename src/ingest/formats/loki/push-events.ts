/** Lines of Loki's streams as events. */
import { type Fields, type Shared, shared } from '../../../platform/json/fields.ts';
import { stringifyJson } from '../../../platform/json/json.ts';
import type { DecodedEvents } from '../../decode/format.ts';
import { EventBatch } from '../../event/event-batch.ts';
import { EventRejected } from '../../event/rejected-event.ts';

/** What the entries of one stream share. */
export interface Stream {
  readonly labels: Shared;
  readonly project: unknown;
  /** Characters of the labels. */
  readonly length: number;
}

/** A line, and its time as events have it. */
export interface Entry {
  readonly timestamp: number | string | undefined;
  readonly line: string;
  readonly structured: Fields | undefined;
}

/** The events of one request, entry by entry. */
export class PushEvents {
  readonly #batch = new EventBatch();

  get decoded(): DecodedEvents {
    return { events: this.#batch.events };
  }

  stream(labels: Fields): Stream {
    return {
      labels: shared(labels),
      project: labels.project,
      length: stringifyJson(labels).length,
    };
  }

  /** @throws ServiceError `too_many_events` (413). */
  add({ labels, project, length }: Stream, { timestamp, line, structured }: Entry): void {
    const metadata =
      structured === undefined ? { labels } : { labels, structured_metadata: structured };
    this.#batch.add({ timestamp, event_message: line, project, metadata }, length);
  }

  refuse(reason: string): void {
    this.#batch.add(new EventRejected(reason), 0);
  }
}
