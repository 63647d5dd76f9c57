import { ServiceError } from '../../platform/errors.ts';
import { boundedRow, type Destination } from '../encode/bounded-row.ts';
import { EventRejected } from '../event/rejected-event.ts';
import { landingEvent, type NormalizedEvent } from '../normalize/normalized-event.ts';
import type { CompiledSettings } from '../transforms/compile-settings.ts';
import type { Route } from './route-targets.ts';

/** Characters of all rows of a request: a hundred rules may copy each event a hundred times. */
const MAX_CHARS = 64 * 1024 * 1024;

/** The events of one request to a source with settings, on their way to becoming rows. */
export class RoutedBatch {
  readonly #settings: CompiledSettings;
  readonly #own: Destination;
  readonly #routes: readonly Route[];
  readonly #nowMs: number;
  #chars = 0;
  /** Events that became rows, whatever copies were made of them. */
  stored = 0;
  /** Events that the drop filter fits. */
  dropped = 0;
  /** Copies that the custom message of a sink made larger than a row may be. */
  tooLarge = 0;

  /** @param nowMs arrival, milliseconds since the epoch. */
  constructor(
    settings: CompiledSettings,
    own: Destination,
    routes: readonly Route[],
    nowMs: number,
  ) {
    this.#nowMs = nowMs;
    this.#settings = settings;
    this.#own = own;
    this.#routes = routes;
  }

  /**
   * Adds the rows of an event: its own, and one for each sink that a rule fits. The rules of a sink are
   * never looked at.
   *
   * @throws EventRejected before any row is added; ServiceError `too_many_copies` (413).
   */
  add(event: NormalizedEvent, rows: string[]): void {
    const kept = this.#settings.receive(this.#settings.transform(event, this.#nowMs));
    if (kept === undefined) {
      this.dropped++;
      return;
    }
    this.#push(kept, this.#own, rows);
    this.stored++;
    for (const route of this.#routes) {
      if (route.matches(kept.fields)) this.#copy(kept, route, rows);
    }
  }

  #copy(event: NormalizedEvent, route: Route, rows: string[]): void {
    const received = route.settings === undefined ? event : route.settings.receive(event);
    if (received === undefined) return;
    try {
      this.#push(received, route, rows);
    } catch (error) {
      if (!(error instanceof EventRejected)) throw error;
      this.tooLarge++;
    }
  }

  #push(event: NormalizedEvent, destination: Destination, rows: string[]): void {
    const row = boundedRow(landingEvent(event, destination.schema), destination);
    this.#chars += row.length;
    if (this.#chars > MAX_CHARS) {
      throw new ServiceError(
        'too_many_copies',
        413,
        `The settings and rules of this source make more than ${MAX_CHARS} bytes of this request. Nothing was stored: send fewer events at once.`,
      );
    }
    rows.push(row);
  }
}
