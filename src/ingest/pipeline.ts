/** From decoded events to durable rows. */

import type { Registry } from '../catalog/types.ts';
import type { EventSink } from '../lake/rows/event-sink.ts';
import { rowFrame } from '../lake/rows/row.ts';
import type { SchemaLearner } from '../lake/schema/schema-inference.ts';
import type { Clock } from '../platform/clock.ts';
import { isPlainObject } from '../platform/json/json.ts';
import type { LogFields, Logger } from '../platform/log.ts';
import { boundedRow, type Destination, fits } from './encode/bounded-row.ts';
import { KnownRows } from './encode/fast-path/row-encoder.ts';
import { Salvageable } from './event/fallback-event.ts';
import { EventRefused } from './event/rejected-event.ts';
import { Normaliser } from './normalize/normalizer.ts';
import { type Route, Sinks } from './routing/route-targets.ts';
import { Arrivals } from './routing/routed-batch.ts';
import type { CompiledSettings } from './transforms/compile-settings.ts';
import { type IngestSource, SettingsCache } from './transforms/settings-cache.ts';

export interface StoreOutcome {
  /** Events of the request that are stored, whatever rules copy elsewhere. */
  readonly stored: number;
  /** Events that the drop filter of the source fits; absent where there are none. */
  readonly dropped?: number;
  readonly rejected: readonly Rejection[];
}

export interface Rejection {
  /** Position in the batch, from 0. */
  readonly index: number;
  readonly reason: string;
}

/** Where the events of one request go. */
interface Opened extends Destination {
  readonly nowMs: number;
  readonly settings: CompiledSettings | undefined;
  readonly routes: readonly Route[];
}

/** The rows of one request, as they come about. */
interface Rows extends Destination {
  readonly nowMs: number;
  readonly texts: string[];
  readonly rejected: Rejection[];
  /** What the settings of the source make of its events; undefined where it has none. */
  readonly arrivals: Arrivals | undefined;
  /** Why events were stored in another form than they were sent, by their position. */
  readonly salvaged: Map<number, string>;
}

export class IngestPipeline {
  readonly #sink: EventSink;
  readonly #learner: SchemaLearner;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #normaliser = new Normaliser();
  readonly #known = new KnownRows();
  readonly #settings: SettingsCache;
  readonly #sinks: Sinks;

  constructor(deps: {
    sink: EventSink;
    learner: SchemaLearner;
    /** Where the sinks of routing rules are looked up. */
    registry: Pick<Registry, 'sourceByToken'>;
    clock: Clock;
    logger: Logger;
  }) {
    this.#sink = deps.sink;
    this.#learner = deps.learner;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
    this.#settings = new SettingsCache(deps.logger);
    this.#sinks = new Sinks({ ...deps, settings: this.#settings });
  }

  /**
   * Makes the events of one request durable, with the copies that rules make of them, in one write;
   * events that cannot be stored are left out and reported, or stored in the form that a
   * {@link Salvageable} has for that.
   *
   * @param hasPlainTexts see {@link DecodedEvents}.
   * @throws ServiceError what the sink throws, `too_many_copies` (413), or, where events show fields or types
   *   for the first time, `registry_unavailable` (503): none of the events counts as stored then.
   */
  async store(
    source: IngestSource,
    events: readonly unknown[],
    hasPlainTexts = false,
  ): Promise<StoreOutcome> {
    const rows = await this.#rows(source, events, hasPlainTexts);
    const { texts, rejected, arrivals } = rows;
    this.#report(source, events.length, rows);
    if (texts.length > 0) {
      await this.#sink.write(texts);
    }
    if (arrivals === undefined) {
      return { stored: texts.length, rejected };
    }
    const { stored, dropped } = arrivals;
    return dropped > 0 ? { stored, dropped, rejected } : { stored, rejected };
  }

  /**
   * The rows of a request, which hold nothing that the registry does not know. What events show for the first
   * time is learned and saved, all of it at once; the rows are then made again, with its slots.
   */
  async #rows(
    source: IngestSource,
    events: readonly unknown[],
    hasPlainTexts: boolean,
  ): Promise<Rows> {
    const opened = await this.#open(source);
    const schemas = [opened, ...opened.routes].map(({ schema }) => schema);
    for (;;) {
      const before = schemas.map(({ news }) => news);
      const rows = this.#attempt(opened, events, hasPlainTexts);
      const withNews = schemas.filter(({ news }, index) => news !== before[index]);
      if (withNews.length === 0) {
        return rows;
      }
      await Promise.all(withNews.map((schema) => this.#learner.save(schema)));
    }
  }

  async #open(source: IngestSource): Promise<Opened> {
    const schema = await this.#learner.open(source.token);
    const nowMs = this.#clock.now();
    const settings = await this.#settings.of(source);
    const routes = settings && (await this.#sinks.open(settings.rules, nowMs));
    return { schema, nowMs, frame: rowFrame(source.token, nowMs), settings, routes: routes ?? [] };
  }

  /** Waits for nothing, so that what the schemas learn meanwhile is of these events. */
  #attempt(opened: Opened, events: readonly unknown[], hasPlainTexts: boolean): Rows {
    const { schema, nowMs, frame, settings, routes } = opened;
    const arrivals = settings && new Arrivals(settings, opened, routes, nowMs);
    const salvaged = new Map<number, string>();
    const rows: Rows = { schema, nowMs, frame, texts: [], rejected: [], arrivals, salvaged };
    this.#known.hasPlainTexts = hasPlainTexts;
    for (const [index, event] of events.entries()) {
      const refusal = this.#add(event, index, rows);
      if (refusal !== undefined) {
        rows.rejected.push({ index, reason: refusal.message });
      }
    }
    return rows;
  }

  /** Why the event was refused; undefined when its rows were added. */
  #add(event: unknown, index: number, rows: Rows): EventRefused | undefined {
    const isSalvageable = event instanceof Salvageable;
    try {
      this.#addRows(isSalvageable ? event.event : event, rows);
      return undefined;
    } catch (error) {
      if (!(error instanceof EventRefused)) {
        throw error;
      }
      if (!isSalvageable) {
        return error;
      }
      rows.salvaged.set(index, error.message);
      return event
        .instead(error)
        .map((other) => this.#add(other, index, rows))
        .find((refusal) => refusal !== undefined);
    }
  }

  #addRows(event: unknown, rows: Rows): void {
    const { schema, nowMs, frame, texts, arrivals } = rows;
    if (arrivals !== undefined) {
      arrivals.add(this.#normaliser.open(event, schema, nowMs), texts);
      return;
    }
    const known = isPlainObject(event) ? this.#known.row(event, schema, nowMs, frame) : undefined;
    texts.push(
      known !== undefined && fits(known)
        ? known
        : boundedRow(this.#normaliser.normalise(event, schema, nowMs), rows),
    );
  }

  /** Logs what became of events that were not stored as they are. */
  #report(source: IngestSource, events: number, { rejected, salvaged, arrivals }: Rows): void {
    const warn = (message: string, fields: LogFields): void =>
      this.#logger.warn(message, { source: source.token, ...fields });
    if (rejected.length > 0) {
      const [first] = rejected;
      warn('Events refused', { refused: rejected.length, of: events, first: first?.reason });
    }
    if (salvaged.size > 0) {
      const [first] = salvaged.values();
      warn('Events stored in another form', { salvaged: salvaged.size, of: events, first });
    }
    if (arrivals !== undefined && arrivals.tooLarge > 0) {
      warn('Copies of events not stored: a custom message makes them too large', {
        copies: arrivals.tooLarge,
      });
    }
  }
}
