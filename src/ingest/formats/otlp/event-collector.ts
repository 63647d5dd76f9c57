import type { DecodedEvents } from '../../decode/format.ts';
import { MAX_EVENTS, tooManyEvents } from '../../event/max-events.ts';

/** The events of a request as they are made from its records, one record after the other. */
export class EventCollector {
  readonly #events: unknown[] = [];
  readonly #recordOf: number[] = [];
  #count = 0;

  /** The first event of the next record. @throws ServiceError as {@link addToSame}. */
  add(event: unknown): void {
    this.#count++;
    this.addToSame(event);
  }

  /**
   * One more event of the same record.
   *
   * @throws ServiceError `too_many_events` (413), before there is too much to hold.
   */
  addToSame(event: unknown): void {
    if (this.#events.length === MAX_EVENTS) throw tooManyEvents();
    this.#events.push(event);
    this.#recordOf.push(this.#count - 1);
  }

  get decoded(): DecodedEvents {
    return { events: this.#events, recordOf: this.#recordOf };
  }
}
