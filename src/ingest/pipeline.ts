/** From decoded events to durable rows. */
import { isPlainObject } from '../json.ts';
import type { LearnedSchema } from '../lake/learned.ts';
import type { SchemaLearner } from '../lake/learner.ts';
import { landingRow, type RowFrame, rowFrame } from '../lake/row.ts';
import { type Clock, type EventSink, type Logger, MAX_ROW_BYTES } from '../ports.ts';
import type { Source } from '../registry/types.ts';
import { KnownRows } from './known-row.ts';
import { Normaliser } from './normalise.ts';
import { EventRefused } from './refused.ts';
import { Salvageable } from './salvage.ts';

export interface StoreOutcome {
  readonly stored: number;
  readonly rejected: readonly Rejection[];
}

export interface Rejection {
  /** Position in the batch, from 0. */
  readonly index: number;
  readonly reason: string;
}

/** The rows of one request, as they come about. */
interface Rows {
  readonly schema: LearnedSchema;
  readonly nowMs: number;
  readonly frame: RowFrame;
  readonly texts: string[];
  /** Why events were stored in another form than they were sent, by their position. */
  readonly salvaged: Map<number, string>;
}

/** The longest UTF-8 form of a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

export class IngestPipeline {
  readonly #sink: EventSink;
  readonly #learner: SchemaLearner;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #normaliser = new Normaliser();
  readonly #known = new KnownRows();

  constructor(deps: { sink: EventSink; learner: SchemaLearner; clock: Clock; logger: Logger }) {
    this.#sink = deps.sink;
    this.#learner = deps.learner;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
  }

  /**
   * Makes the events of one request durable, in one write; events that cannot be stored are left
   * out and reported, or stored in the form that a {@link Salvageable} has for that.
   *
   * @throws ServiceError what the sink throws: none of the events counts as stored then.
   */
  async store(source: Pick<Source, 'token'>, events: readonly unknown[]): Promise<StoreOutcome> {
    const schema = await this.#learner.open(source.token);
    const nowMs = this.#clock.now();
    const frame = rowFrame(source.token, nowMs);
    const texts: string[] = [];
    const rows: Rows = { schema, nowMs, frame, texts, salvaged: new Map() };
    const rejected: Rejection[] = [];
    for (const [index, event] of events.entries()) {
      const refusal = this.#add(event, index, rows);
      if (refusal !== undefined) {
        rejected.push({ index, reason: refusal.message });
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
    if (rows.salvaged.size > 0) {
      this.#logger.warn('Events stored in another form', {
        source: source.token,
        salvaged: rows.salvaged.size,
        of: events.length,
        first: rows.salvaged.values().next().value,
      });
    }
    if (texts.length > 0) {
      await Promise.all([this.#sink.write(texts), this.#learner.save(schema)]);
    }
    return { stored: texts.length, rejected };
  }

  /** Why the event was refused; undefined when its rows were added. */
  #add(event: unknown, index: number, rows: Rows): EventRefused | undefined {
    const isSalvageable = event instanceof Salvageable;
    try {
      rows.texts.push(this.#row(isSalvageable ? event.event : event, rows));
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

  #row(event: unknown, { schema, nowMs, frame }: Rows): string {
    const known = isPlainObject(event) ? this.#known.row(event, schema, nowMs, frame) : undefined;
    const row = known ?? landingRow(this.#normaliser.normalise(event, schema, nowMs), frame);
    if (row.length * MAX_BYTES_PER_UNIT > MAX_ROW_BYTES) {
      const bytes = Buffer.byteLength(row);
      if (bytes > MAX_ROW_BYTES) {
        throw new EventRefused(`takes ${bytes} bytes to store, and ${MAX_ROW_BYTES} is the most`);
      }
    }
    return row;
  }
}
