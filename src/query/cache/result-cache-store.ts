import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DeleteCommand, GetCommand, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../platform/clock.ts';
import {
  type CacheTable,
  conditional,
  NOT_LATER,
  resultKey,
  toEpochSeconds,
} from '../../platform/dynamo/cache-table.ts';
import { HotResults, type StoredBytes } from './hot-results.ts';
import { packJson, unpackJson, type WireResult } from './result-codec.ts';

/** Milliseconds since the epoch. */
export interface ResultTimes {
  /** When the run began: the rows show no event that came later. */
  readonly startedAt: number;
  /** When the run had ended. Ages count from here. */
  readonly createdAt: number;
}

/** Rows of one run. */
export interface StoredResult extends WireResult, ResultTimes {}

/** DynamoDB's items hold 400 KB with attribute names. */
const CHUNK_BYTES = 350 * 1024;

/** Most compressed bytes kept per result; more than a Lambda can answer with, which is 6 MB of text. */
export const MAX_RESULT_BYTES = 8 * 1024 * 1024;

/** A reader that loses a race with this many rewrites of its rows in a row reports a miss. */
const READ_ATTEMPTS = 5;

interface Head extends ResultTimes {
  readonly generation: string;
  readonly size: number;
  /** Absent where the bytes lie in chunks. */
  readonly bytes?: Uint8Array;
}

/**
 * Rows of cached calls, on DynamoDB. It knows no freshness: whether rows are still good is for the
 * reader to say.
 *
 * Rows that are too large for one item lie in chunks under a generation of their own, written before
 * the head that names the generation. A reader therefore sees one generation or the other, never a
 * mixture, and never a gap while rows are being replaced.
 */
export class ResultStore {
  readonly #table: CacheTable;
  readonly #hot: HotResults;
  readonly #maxBytes: number;
  readonly #onWritten: (key: string, bytes: number) => Promise<void>;

  /**
   * @param deps `maxBytes`: compressed bytes kept per result. @default MAX_RESULT_BYTES
   *   `onWritten`: told of rows that are kept, and their compressed bytes; must not throw.
   */
  constructor(deps: {
    client: DynamoDBDocumentClient;
    table: string;
    clock: Clock;
    maxBytes?: number;
    onWritten?: (key: string, bytes: number) => Promise<void>;
  }) {
    this.#onWritten = deps.onWritten ?? (async () => {});
    this.#table = deps;
    this.#hot = new HotResults(deps.clock);
    this.#maxBytes = deps.maxBytes ?? MAX_RESULT_BYTES;
  }

  /** Rows that this process has just read (see {@link HotResults}); another may have replaced them since. */
  async recent(key: string): Promise<StoredResult | undefined> {
    const hot = this.#hot.get(key);
    return hot && unpacked(hot);
  }

  async read(key: string): Promise<StoredResult | undefined> {
    const readAt = this.#table.clock.now();
    let seen: string | undefined;
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      const head = await this.#head(key);
      // The same head again means that its chunks are gone for good, not that they were replaced.
      if (head === undefined || head.generation === seen) return undefined;
      seen = head.generation;
      const bytes = head.bytes ?? (await this.#chunks(key, head.generation));
      if (bytes.byteLength !== head.size) continue;
      const stored = { bytes, startedAt: head.startedAt, createdAt: head.createdAt };
      this.#hot.put(key, stored, readAt);
      return unpacked(stored);
    }
    return undefined;
  }

  /** The times of a key's rows, without the rows. */
  async times(key: string): Promise<ResultTimes | undefined> {
    return this.#head(key, 'startedAt, createdAt');
  }

  /**
   * Replaces the rows of a key, unless rows of a later run are there already; those of a run that is
   * yet to come were made before the clock was set back.
   *
   * @param keepUntil milliseconds since the epoch after which these rows are of no use any more.
   * @returns false when the rows are too large to be kept.
   */
  async write(key: string, result: StoredResult, keepUntil: number): Promise<boolean> {
    const bytes = await packJson({ columns: result.columns, rows: result.rows });
    if (bytes.byteLength > this.#maxBytes) return false;
    const ttl = toEpochSeconds(keepUntil);
    const generation = randomUUID();
    const inline = bytes.byteLength <= CHUNK_BYTES;
    if (!inline) await this.#writeChunks(key, generation, bytes, ttl);
    const { startedAt, createdAt } = result;
    this.#hot.forget(key);
    const head: Head = { generation, startedAt, createdAt, size: bytes.byteLength };
    const replaced = await conditional(
      this.#table.client.send(
        new PutCommand({
          TableName: this.#table.table,
          Item: { ...headKey(key), ttl, ...head, ...(inline ? { bytes } : {}) },
          ConditionExpression: NOT_LATER,
          ExpressionAttributeValues: { ':startedAt': startedAt, ':now': this.#table.clock.now() },
          ReturnValues: 'ALL_OLD',
        }),
      ),
    );
    const obsolete = replaced === undefined ? head : (replaced.Attributes as Head | undefined);
    if (obsolete !== undefined) await this.#deleteChunks(key, obsolete);
    if (replaced !== undefined) await this.#onWritten(key, bytes.byteLength);
    return true;
  }

  /** Removes the rows of a key. */
  async discard(key: string): Promise<void> {
    this.#hot.forget(key);
    const { Attributes: head } = await this.#table.client.send(
      new DeleteCommand({
        TableName: this.#table.table,
        Key: headKey(key),
        ReturnValues: 'ALL_OLD',
      }),
    );
    if (head !== undefined) await this.#deleteChunks(key, head as Head);
  }

  async #head(key: string, projection?: string): Promise<Head | undefined> {
    const { Item: item } = await this.#table.client.send(
      new GetCommand({
        TableName: this.#table.table,
        Key: headKey(key),
        ConsistentRead: true,
        ...(projection === undefined ? {} : { ProjectionExpression: projection }),
      }),
    );
    return item as Head | undefined;
  }

  /** One after the other: a partition takes 1,000 write units a second, and a chunk is 350. */
  async #writeChunks(
    key: string,
    generation: string,
    bytes: Uint8Array,
    ttl: number,
  ): Promise<void> {
    for (const [number, start] of chunkStarts(bytes.byteLength)) {
      await this.#table.client.send(
        new PutCommand({
          TableName: this.#table.table,
          Item: {
            ...chunkKey(key, generation, number),
            ttl,
            bytes: bytes.subarray(start, start + CHUNK_BYTES),
          },
        }),
      );
    }
  }

  async #chunks(key: string, generation: string): Promise<Uint8Array> {
    const pages = paginateQuery(
      { client: this.#table.client },
      {
        TableName: this.#table.table,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: {
          ':pk': resultKey(key),
          ':prefix': `chunk#${generation}#`,
        },
        ConsistentRead: true,
      },
    );
    const chunks: Uint8Array[] = [];
    for await (const page of pages) for (const item of page.Items ?? []) chunks.push(item.bytes);
    return Buffer.concat(chunks);
  }

  async #deleteChunks(key: string, { generation, size, bytes }: Head): Promise<void> {
    if (bytes !== undefined || size <= CHUNK_BYTES) return;
    for (const [number] of chunkStarts(size)) {
      await this.#table.client.send(
        new DeleteCommand({
          TableName: this.#table.table,
          Key: chunkKey(key, generation, number),
        }),
      );
    }
  }
}

async function unpacked({ bytes, startedAt, createdAt }: StoredBytes): Promise<StoredResult> {
  return { ...(await unpackJson<WireResult>(bytes)), startedAt, createdAt };
}

function headKey(key: string) {
  return { pk: resultKey(key), sk: 'head' };
}

/** Three digits, so that the sort key orders chunks as they follow each other. */
function chunkKey(key: string, generation: string, number: number) {
  return { pk: resultKey(key), sk: `chunk#${generation}#${String(number).padStart(3, '0')}` };
}

/** Number and first byte of every chunk. */
function chunkStarts(size: number): [number, number][] {
  return Array.from({ length: Math.ceil(size / CHUNK_BYTES) }, (_, i) => [i, i * CHUNK_BYTES]);
}
