/** From decoded events to durable rows. */
import type { LearnedSchema } from '../lake/learned.ts';
import type { SchemaLearner } from '../lake/learner.ts';
import { type RowFrame, rowFrame } from '../lake/row.ts';
import type { Clock, EventSink, Logger } from '../ports.ts';
import type { Registry } from '../registry/types.ts';
import { boundedRow } from './bounded-row.ts';
import { Normaliser } from './normalise.ts';
import { EventRefused } from './refused.ts';
import { Arrivals } from './settings/arrivals.ts';
import type { CompiledSettings } from './settings/compiled.ts';
import { type IngestSource, SettingsCache } from './settings/settings-cache.ts';
import { type Destination, Sinks } from './settings/sinks.ts';

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

export class IngestPipeline {
  readonly #sink: EventSink;
  readonly #learner: SchemaLearner;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #normaliser = new Normaliser();
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
   * events that cannot be stored are left out and reported.
   *
   * @throws ServiceError what the sink throws, or `too_many_copies` (413): none of the events counts as
   *   stored then.
   */
  async store(source: IngestSource, events: readonly unknown[]): Promise<StoreOutcome> {
    const schema = await this.#learner.open(source.token);
    const nowMs = this.#clock.now();
    const frame = rowFrame(source.token, nowMs);
    const rows: string[] = [];
    const rejected: Rejection[] = [];
    const settings = this.#settings.of(source);
    const arrivals = settings && (await this.#arrivals(settings, { schema, frame }, nowMs));
    for (const [index, event] of events.entries()) {
      try {
        if (arrivals === undefined) {
          rows.push(this.#row(event, schema, nowMs, frame));
        } else {
          arrivals.add(this.#normaliser.open(event, schema, nowMs), rows);
        }
      } catch (error) {
        if (!(error instanceof EventRefused)) {
          throw error;
        }
        rejected.push({ index, reason: error.message });
      }
    }
    if (rejected.length > 0) {
      this.#logger.warn('Events refused', {
        source: source.token,
        refused: rejected.length,
        of: events.length,
        first: rejected[0]?.reason,
      });
    }
    if (rows.length > 0) {
      const schemas = [schema, ...(arrivals?.schemas ?? [])];
      await Promise.all([
        this.#sink.write(rows),
        ...schemas.map((shown) => this.#learner.save(shown)),
      ]);
    }
    if (arrivals === undefined) {
      return { stored: rows.length, rejected };
    }
    if (arrivals.tooLarge > 0) {
      this.#logger.warn('Copies of events not stored: a custom message makes them too large', {
        source: source.token,
        copies: arrivals.tooLarge,
      });
    }
    const { stored, dropped } = arrivals;
    return dropped > 0 ? { stored, dropped, rejected } : { stored, rejected };
  }

  #row(event: unknown, schema: LearnedSchema, nowMs: number, frame: RowFrame): string {
    return boundedRow(this.#normaliser.normalise(event, schema, nowMs), frame);
  }

  async #arrivals(settings: CompiledSettings, own: Destination, nowMs: number): Promise<Arrivals> {
    return new Arrivals(settings, own, await this.#sinks.open(settings.rules, nowMs));
  }
}
