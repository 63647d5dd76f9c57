/** From decoded events to durable rows. */

import type { Registry } from '../catalog/types.ts';
import type { EventSink } from '../lake/rows/event-sink.ts';
import { rowFrame } from '../lake/rows/row.ts';
import type { SchemaInference } from '../lake/schema/schema-inference.ts';
import type { Clock } from '../platform/clock.ts';
import { isPlainObject } from '../platform/json/json.ts';
import type { LogFields, Logger } from '../platform/log.ts';
import { boundedRow, type Destination, fits } from './encode/bounded-row.ts';
import { FastRowEncoder } from './encode/fast-path/row-encoder.ts';
import { WithFallback } from './event/fallback-event.ts';
import { EventRejected } from './event/rejected-event.ts';
import type { Rejection, StoreOutcome } from './event/store-outcome.ts';
import { Normalizer } from './normalize/normalizer.ts';
import { type Route, RouteTargets } from './routing/route-targets.ts';
import { RoutedBatch } from './routing/routed-batch.ts';
import type { CompiledSettings } from './transforms/compile-settings.ts';
import { type IngestSource, SettingsCache } from './transforms/settings-cache.ts';

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
  readonly routed: RoutedBatch | undefined;
  /** Why events were stored in another form than they were sent, by their position. */
  readonly replaced: Map<number, string>;
}

interface IngestPipelineDeps {
  readonly sink: EventSink;
  readonly inference: SchemaInference;
  /** Where the sinks of routing rules are looked up. */
  readonly registry: Pick<Registry, 'sourceByToken'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class IngestPipeline {
  readonly #deps: IngestPipelineDeps;
  readonly #normalizer = new Normalizer();
  readonly #fastEncoder = new FastRowEncoder();
  readonly #settings: SettingsCache;
  readonly #routeTargets: RouteTargets;

  constructor(deps: IngestPipelineDeps) {
    this.#deps = deps;
    this.#settings = new SettingsCache(deps.logger);
    this.#routeTargets = new RouteTargets({ ...deps, settings: this.#settings });
  }

  /**
   * Makes the events of one request durable, with the copies that rules make of them, in one write;
   * events that cannot be stored are left out and reported, or stored in the form that a
   * {@link WithFallback} has for that.
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
    const { texts, rejected, routed } = rows;
    this.#report(source, events.length, rows);
    if (texts.length > 0) await this.#deps.sink.write(texts);
    if (routed === undefined) return { stored: texts.length, rejected };
    const { stored, dropped } = routed;
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
      if (withNews.length === 0) return rows;
      await Promise.all(withNews.map((schema) => this.#deps.inference.save(schema)));
    }
  }

  async #open(source: IngestSource): Promise<Opened> {
    const schema = await this.#deps.inference.open(source.token);
    const nowMs = this.#deps.clock.now();
    const settings = await this.#settings.of(source);
    const routes = settings && (await this.#routeTargets.open(settings.rules, nowMs));
    return { schema, nowMs, frame: rowFrame(source.token, nowMs), settings, routes: routes ?? [] };
  }

  /** Waits for nothing, so that what the schemas learn meanwhile is of these events. */
  #attempt(opened: Opened, events: readonly unknown[], hasPlainTexts: boolean): Rows {
    const { schema, nowMs, frame, settings, routes } = opened;
    const routed = settings && new RoutedBatch(settings, opened, routes, nowMs);
    const replaced = new Map<number, string>();
    const rows: Rows = { schema, nowMs, frame, texts: [], rejected: [], routed, replaced };
    this.#fastEncoder.hasPlainTexts = hasPlainTexts;
    for (const [index, event] of events.entries()) {
      const rejection = this.#add(event, index, rows);
      if (rejection !== undefined) rows.rejected.push({ index, reason: rejection.message });
    }
    return rows;
  }

  /** Why the event was refused; undefined when its rows were added. */
  #add(event: unknown, index: number, rows: Rows): EventRejected | undefined {
    const hasFallback = event instanceof WithFallback;
    try {
      this.#addRows(hasFallback ? event.event : event, rows);
      return undefined;
    } catch (error) {
      if (!(error instanceof EventRejected)) throw error;
      if (!hasFallback) return error;
      rows.replaced.set(index, error.message);
      return event
        .fallback(error)
        .map((other) => this.#add(other, index, rows))
        .find((rejection) => rejection !== undefined);
    }
  }

  #addRows(event: unknown, rows: Rows): void {
    const { schema, nowMs, frame, texts, routed } = rows;
    if (routed !== undefined) {
      routed.add(this.#normalizer.open(event, schema, nowMs), texts);
      return;
    }
    const known = isPlainObject(event)
      ? this.#fastEncoder.row(event, schema, nowMs, frame)
      : undefined;
    texts.push(
      known !== undefined && fits(known)
        ? known
        : boundedRow(this.#normalizer.normalize(event, schema, nowMs), rows),
    );
  }

  /** Logs what became of events that were not stored as they are. */
  #report(source: IngestSource, events: number, { rejected, replaced, routed }: Rows): void {
    const warn = (message: string, fields: LogFields): void =>
      this.#deps.logger.warn(message, { source: source.token, ...fields });
    if (rejected.length > 0) {
      const [first] = rejected;
      warn('Events refused', { refused: rejected.length, of: events, first: first?.reason });
    }
    if (replaced.size > 0) {
      const [first] = replaced.values();
      warn('Events stored in another form', { salvaged: replaced.size, of: events, first });
    }
    if (routed !== undefined && routed.tooLarge > 0) {
      warn('Copies of events not stored: a custom message makes them too large', {
        copies: routed.tooLarge,
      });
    }
  }
}
