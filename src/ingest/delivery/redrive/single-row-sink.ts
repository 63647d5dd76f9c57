import type { EventSink } from '../../../lake/rows/event-sink.ts';
import { ServiceError } from '../../../platform/errors.ts';
import { FirehoseStreams, type FirehoseStreamsDeps } from '../firehose/firehose-streams.ts';

export interface SingleRowSinkDeps extends FirehoseStreamsDeps {
  /** Milliseconds after which no further attempt starts. */
  readonly budgetMs: number;
}

/**
 * Puts each row on the stream as a record of its own. AWS documents several JSON objects in one record for the
 * conversion to Parquet; should it refuse those of a file all the same, one row a record leaves no doubt. It
 * costs 5 KB of Firehose for each row.
 */
export class SingleRowSink implements EventSink {
  readonly #stream: FirehoseStreams;
  readonly #deps: SingleRowSinkDeps;

  constructor(deps: SingleRowSinkDeps) {
    this.#deps = deps;
    this.#stream = new FirehoseStreams(deps);
  }

  async write(rows: readonly string[]): Promise<void> {
    const remainder = await this.#stream.put(
      rows.map((row) => Buffer.from(row)),
      { deadline: this.#deps.clock.now() + this.#deps.budgetMs },
    );
    if (remainder === undefined) return;
    this.#deps.logger.error('firehose write given up', remainder.fields);
    throw new ServiceError(
      'sink_unavailable',
      503,
      'Events cannot be stored: the stream does not take them. The log says why. Send the file again; copies have the same id.',
      { retryAfterSeconds: 5 },
    );
  }
}
