import type { Registry } from '../../catalog/types.ts';
import type { EventSink } from '../../lake/rows/event-sink.ts';
import { writeOwnEvents } from '../../lake/rows/own-events.ts';
import type { SchemaInference } from '../../lake/schema/schema-inference.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Sleep, systemSleep } from '../../platform/concurrency/sleep.ts';
import type { Logger } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { WriteThrottle } from '../../platform/write-throttle.ts';
import { measure } from './query-log-metrics.ts';
import { QUERY_LOG_SOURCE, type QueryLog, type QueryLogRecord } from './query-log-record.ts';
import { wholeNumbers } from './query-log-schema.ts';

/** Milliseconds that an answer waits for its record at most. */
const PATIENCE_MS = 1_000;

/** Records that wait for their turn; beyond them, records are lost, which the log says. */
const MAX_WAITING = 1_000;

export interface QueryLogWriterDeps {
  readonly sink: EventSink;
  readonly registry: Pick<Registry, 'sourceByName'>;
  readonly inference: SchemaInference;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Milliseconds between two writes over time; default 0. Ten may follow each other at once; records beyond
   * them go with the next write, or by {@link QueryLogWriter.flush}.
   */
  readonly intervalMs?: number;
  readonly sleep?: Sleep;
}

/**
 * Counts calls, and writes each as an event of the source {@link QUERY_LOG_SOURCE}, as long as there is
 * one: who renames or deletes it ends the records. Rows go to the sink as they are, past settings and
 * rules of the source. What cannot be written in time is logged and let go.
 */
export class QueryLogWriter implements QueryLog {
  readonly #deps: QueryLogWriterDeps;
  #waiting: { readonly record: QueryLogRecord; readonly at: number }[] = [];
  readonly #allowance: WriteThrottle;

  constructor(deps: QueryLogWriterDeps) {
    this.#deps = deps;
    this.#allowance = new WriteThrottle(deps.intervalMs ?? 0);
  }

  async record(record: QueryLogRecord): Promise<void> {
    const { clock, logger, metrics } = this.#deps;
    measure(record, metrics);
    if (this.#waiting.length >= MAX_WAITING) {
      logger.warn('a record of a query was lost', { waiting: this.#waiting.length });
      return;
    }
    this.#waiting.push({ record, at: clock.now() });
    await this.flushDue();
  }

  /** Writes what waits if that may be written by now; for the end of a request. Never throws. */
  async flushDue(): Promise<void> {
    if (this.#allowance.waitMs(this.#deps.clock.now()) === 0) await this.flush();
  }

  /** Writes what still waits; for the end of the process, or of work for which no caller waits. Never throws. */
  async flush(): Promise<void> {
    const { clock, logger, sleep = systemSleep } = this.#deps;
    const records = this.#waiting;
    if (records.length === 0) return;
    this.#waiting = [];
    this.#allowance.take(clock.now());
    const lost = (error: unknown) =>
      logger.warn('records of queries could not be written', { lost: records.length, error });
    const written = new AbortController();
    await Promise.race([
      this.#write(records).catch(lost),
      // The write goes on without its caller.
      sleep(PATIENCE_MS, written.signal),
    ]);
    written.abort();
  }

  async #write(records: readonly { record: QueryLogRecord; at: number }[]): Promise<void> {
    const events = records.map(({ record, at }) => {
      return { at, message: messageOf(record), metadata: wholeNumbers(record) };
    });
    await writeOwnEvents(QUERY_LOG_SOURCE, events, this.#deps);
  }
}

function messageOf({ endpoint, status_code, error_code, cache }: QueryLogRecord): string {
  return [endpoint, status_code, error_code ?? cache].join(' ');
}
