import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DuckDBInstance, listValue } from '@duckdb/node-api';
import { FAILED_FILES, LANDING_FILES } from '../../../lib/lake/lake-layout.ts';
import { decodeRecord } from '../../../src/ingest/delivery/record/record-encoding.ts';
import type { LakeColumn, LakeType } from '../../../src/lake/layout/columns.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { jsonDocuments } from './json-documents.ts';
import { convertDocument } from './openx.ts';

interface Buffered {
  readonly record: Buffer;
  /** Milliseconds since the epoch. */
  readonly arrivedAt: number;
}

const SQL_TYPES: Readonly<Record<LakeType, string>> = {
  string: 'VARCHAR',
  bigint: 'BIGINT',
  timestamp: 'TIMESTAMP',
};

/** A list of JSON texts as rows of the landing table: all columns, and what a text lacks is NULL. */
function readRows(columns: readonly LakeColumn[]): string {
  const types = columns.map(({ name, type }) => [name, SQL_TYPES[type]]);
  return `CREATE TEMP TABLE delivered AS
  SELECT unnest(json_transform(line, '${JSON.stringify(Object.fromEntries(types))}'))
  FROM (SELECT unnest($1::VARCHAR[]) AS line)`;
}

/**
 * The half of Firehose that clients do not see: records are collected, converted to Parquet and
 * written under the table's prefix, in the hour in which the oldest of them arrived. A record that
 * cannot be converted goes whole to the prefix of errors. What Firehose does by time and size, a test
 * has to ask for here.
 */
export class Delivery {
  /** Records that could not be converted, with the reason. */
  readonly failed: string[] = [];
  readonly #bucket: string;
  readonly #clock: Clock;
  readonly #columns: readonly LakeColumn[];
  #buffered: Buffered[] = [];
  #last: Promise<void> = Promise.resolve();

  /**
   * @param bucket directory that stands for the lake bucket.
   * @param columns of the landing table.
   */
  constructor(bucket: string, clock: Clock, columns: readonly LakeColumn[]) {
    this.#columns = columns;
    this.#bucket = bucket;
    this.#clock = clock;
  }

  /** Takes a record that was acknowledged. */
  add(record: Buffer): void {
    this.#buffered.push({ record, arrivedAt: this.#clock.now() });
  }

  /** Whether a flush would write anything. */
  get isEmpty(): boolean {
    return this.#buffered.length === 0;
  }

  /** Writes what is buffered; resolves when that, and what was being written, is in the lake. */
  flush(): Promise<void> {
    const records = this.#buffered;
    this.#buffered = [];
    this.#last = this.#last.then(() => this.#deliver(records));
    return this.#last;
  }

  async #deliver(records: readonly Buffered[]): Promise<void> {
    const [oldest] = records;
    if (oldest === undefined) return;
    const rows: string[] = [];
    for (const { record, arrivedAt } of records) {
      try {
        rows.push(...this.#convert(record));
      } catch (error) {
        await this.#fail(record, arrivedAt, String(error));
      }
    }
    if (rows.length > 0) await this.#write(rows, path(LANDING_FILES, oldest.arrivedAt));
  }

  #convert(record: Buffer): string[] {
    return jsonDocuments(Buffer.from(decodeRecord(record).bytes).toString()).map((text) =>
      convertDocument(text, this.#columns),
    );
  }

  async #write(rows: readonly string[], prefix: string): Promise<void> {
    const file = join(this.#bucket, prefix, `landing-1-${randomUUID()}.parquet`);
    // Hidden from queries, as an object is until it is whole.
    const draft = join(this.#bucket, `.${randomUUID()}`);
    await mkdir(dirname(file), { recursive: true });
    const instance = await DuckDBInstance.create();
    const connection = await instance.connect();
    try {
      await connection.run(readRows(this.#columns), [listValue([...rows])]);
      await connection.run(`COPY delivered TO '${draft}' (FORMAT parquet, COMPRESSION gzip)`);
      await rename(draft, file);
    } finally {
      connection.closeSync();
      instance.closeSync();
      await rm(draft, { force: true });
    }
  }

  /** AWS, "Handle data transformation and format conversion failures": one line for each record. */
  async #fail(record: Buffer, arrivedAt: number, reason: string): Promise<void> {
    this.failed.push(reason);
    const prefix = FAILED_FILES.replace(
      '!{firehose:error-output-type}',
      'format-conversion-failed',
    );
    const directory = join(this.#bucket, path(prefix, arrivedAt));
    await mkdir(directory, { recursive: true });
    const line = {
      attemptsMade: 1,
      arrivalTimestamp: arrivedAt,
      lastErrorCode: 'DataFormatConversion.MalformedData',
      lastErrorMessage: reason,
      rawData: record.toString('base64'),
    };
    await writeFile(join(directory, randomUUID()), JSON.stringify(line));
  }
}

/** A prefix with its expressions put in, as far as ours have any. */
function path(prefix: string, at: number): string {
  const [day = '', time = ''] = new Date(at).toISOString().split('T');
  const values: Readonly<Record<string, string>> = { 'yyyy-MM-dd': day, HH: time.slice(0, 2) };
  return prefix.replace(/!\{timestamp:([^}]+)\}/g, (expression, pattern) => {
    const value = values[pattern];
    if (value === undefined) throw new Error(`The stand-in does not know ${expression}.`);
    return value;
  });
}
