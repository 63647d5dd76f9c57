import type { EventSink } from '../../../lake/rows/event-sink.ts';
import { ServiceError } from '../../../platform/errors.ts';
import { assertRow } from '../log/row-json.ts';
import type { Wal } from '../log/wal.ts';
import type { SegmentFlusher } from './segment-flusher.ts';

/** A query holds the log that waits for conversion in memory, so it must not grow without end. */
const MAX_BACKLOG_BYTES = 512 * 1024 * 1024;

/** Makes rows durable in the write-ahead log; see {@link Wal.append}. */
export class LocalSink implements EventSink {
  readonly #wal: Wal;
  readonly #flusher: SegmentFlusher;

  constructor(wal: Wal, flusher: SegmentFlusher) {
    this.#wal = wal;
    this.#flusher = flusher;
  }

  async write(rows: readonly string[]): Promise<void> {
    rows.forEach(assertRow);
    if (this.#flusher.backlogBytes > MAX_BACKLOG_BYTES) {
      throw new ServiceError(
        'sink_unavailable',
        503,
        'The log store is behind with filing events. Send the events again later.',
        { retryAfterSeconds: 30 },
      );
    }
    await this.#wal.append(rows);
  }
}
