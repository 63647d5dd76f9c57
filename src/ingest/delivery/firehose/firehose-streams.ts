import { type Backoff, fullJitter } from '../../../platform/concurrency/backoff.ts';
import { systemSleep } from '../../../platform/concurrency/sleep.ts';
import {
  FirehoseStream,
  type FirehoseStreamDeps,
  type PutLimits,
  type UndeliveredRecords,
} from './firehose-stream.ts';

export interface FirehoseStreamsDeps extends Omit<FirehoseStreamDeps, 'stream'> {
  /** Delivery stream name; or several, of streams that write the same table. */
  readonly stream: string | readonly string[];
}

const BACKOFF: Backoff = { baseMs: 100, capMs: 2_000 };

/**
 * Delivery streams that write one table, so that their quotas add up. Each put begins with the stream
 * after that of the last put, from a random first one, since no instance knows what others send. What a
 * stream refuses goes to the next one at once; only when all have refused is there a wait.
 */
export class FirehoseStreams {
  /** The names, for a log line. */
  readonly name: string;
  readonly #deps: FirehoseStreamsDeps;
  readonly #streams: readonly FirehoseStream[];
  readonly #random: () => number;
  #turn: number;

  constructor(deps: FirehoseStreamsDeps) {
    const names = typeof deps.stream === 'string' ? [deps.stream] : deps.stream;
    if (names.length === 0) throw new RangeError('No landing stream is named.');
    this.name = names.join(',');
    this.#deps = deps;
    this.#streams = names.map((stream) => new FirehoseStream({ ...deps, stream }));
    this.#random = deps.random ?? Math.random;
    this.#turn = Math.floor(this.#random() * names.length);
  }

  /**
   * Never rejects for a failure of Firehose.
   *
   * @param limits `attempts`: calls for the same records on each stream.
   * @returns what no stream has stored; undefined when everything is stored.
   */
  async put(
    records: readonly Uint8Array[],
    limits: PutLimits,
  ): Promise<UndeliveredRecords | undefined> {
    const first = this.#turn++;
    const [only] = this.#streams;
    if (only !== undefined && this.#streams.length === 1) return only.put(records, limits);
    let left: UndeliveredRecords = { records, kind: 'throttled', fields: {} };
    for (let round = 1; ; round++) {
      const refused = await this.#round(first, left.records, limits.deadline);
      if (refused === undefined) return undefined;
      const waitMs = fullJitter(BACKOFF, round, this.#random);
      left = { ...refused, fields: { ...refused.fields, records: records.length } };
      const last = round === limits.attempts || this.#deps.clock.now() + waitMs >= limits.deadline;
      if (refused.kind === 'permanent' || last) return left;
      this.#deps.logger.warn('firehose write retried', { ...left.fields, round, waitMs });
      await (this.#deps.sleep ?? systemSleep)(waitMs);
    }
  }

  /**
   * One call for the records on each stream, until one has stored them.
   *
   * @returns what is left. It is worth trying again when it is for one of the streams.
   */
  async #round(
    first: number,
    records: readonly Uint8Array[],
    deadline: number,
  ): Promise<UndeliveredRecords | undefined> {
    let left: UndeliveredRecords | undefined;
    for (const index of this.#streams.keys()) {
      const stream = this.#streams[(first + index) % this.#streams.length];
      const refused = await stream?.put(left?.records ?? records, { deadline, attempts: 1 });
      if (refused === undefined) return undefined;
      if (refused.kind === 'permanent') {
        this.#deps.logger.error('a landing stream takes no records', refused.fields);
      }
      // What one that is missing answers says nothing of the others.
      const { kind, fields } = left === undefined || left.kind === 'permanent' ? refused : left;
      left = { records: refused.records, kind, fields };
    }
    return left;
  }
}
