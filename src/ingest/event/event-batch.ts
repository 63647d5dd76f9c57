/** The events of one request, as they are taken out of what is nested in it. */
import { ServiceError } from '../../platform/errors.ts';
import { MAX_EVENTS, tooManyEvents } from './max-events.ts';
import { ValueBudget } from './max-values.ts';

/**
 * Characters that one request may have repeated: names of log groups and common attributes come once
 * and are stored with each of their events. Names are some 250 characters, so 20 MiB of log events
 * stay below it, and a function of 1 GB can hold the rows.
 */
const MAX_REPEATED_LENGTH = 40 * 1024 * 1024;

export class EventBatch {
  readonly events: unknown[] = [];
  /** For all JSON in the request. */
  readonly budget = new ValueBudget();
  #repeated = 0;

  /**
   * @param repeatedLength characters of what the event shares with others.
   * @throws ServiceError `too_many_events` (413)
   */
  add(event: unknown, repeatedLength: number): void {
    if (this.events.length === MAX_EVENTS) throw tooManyEvents();
    this.#repeated += repeatedLength;
    if (this.#repeated > MAX_REPEATED_LENGTH) {
      throw new ServiceError(
        'too_many_events',
        413,
        `What the events share (names, common attributes) would be stored with each of them, which ` +
          `takes more than ${MAX_REPEATED_LENGTH} bytes. Send fewer events in one request.`,
      );
    }
    this.events.push(event);
  }
}
