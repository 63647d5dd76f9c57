import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DuckDBInstance, listValue } from '@duckdb/node-api';
import { FAILED_FILES, LANDING_FILES } from '../../../../lib/lake/lake-layout.ts';
import type { LakeColumn, LakeType } from '../../../../src/lake/layout/columns.ts';
import type { Clock } from '../../../../src/platform/clock.ts';
import { jsonDocuments } from './json-documents.ts';
import { convertDocument } from './openx.ts';
import { type FailedCall, type SourceRecord, Transformation } from './transformation.ts';

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
 * The half of Firehose that clients do not see: records are collected, transformed by the function, converted
 * to Parquet and written under the table's prefix, in the hour in which the oldest of them arrived. A record
 * that cannot be transformed or converted goes whole to the prefix of errors. What Firehose does by time, a
 * test has to ask for here.
 */
export class Delivery {
  /** Records that could not be transformed or converted, with the reason. */
  readonly failed: string[] = [];
  readonly transformation: Transformation;
  readonly #bucket: string;
  readonly #clock: Clock;
  readonly #columns: readonly LakeColumn[];
  #buffered: SourceRecord[] = [];
  #last: Promise<void> = Promise.resolve();

  /**
   * @param bucket directory that stands for the lake bucket.
   * @param columns of the landing table.
   * @param invoke calls the function that the stream is transformed by.
   */
  constructor(
    bucket: string,
    clock: Clock,
    columns: readonly LakeColumn[],
    invoke: (event: unknown) => Promise<unknown>,
  ) {
    this.transformation = new Transformation(invoke);
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

  /**
   * Writes what is buffered, and what is put back on the stream meanwhile; resolves when that, and what was
   * being written, is in the lake.
   */
  flush(): Promise<void> {
    this.#last = this.#last.then(async () => {
      while (!this.isEmpty) {
        const records = this.#buffered;
        this.#buffered = [];
        await this.#deliver(records);
      }
    });
    return this.#last;
  }

  async #deliver(records: readonly SourceRecord[]): Promise<void> {
    const [oldest] = records;
    if (oldest === undefined) return;
    const rows: string[] = [];
    const { transformed, failed } = await this.transformation.run(records);
    for (const { record, arrivedAt } of transformed) {
      try {
        rows.push(...this.#convert(record));
      } catch (error) {
        await this.#failConversion(record, arrivedAt, String(error));
      }
    }
    for (const one of failed) await this.#failProcessing(one);
    if (rows.length > 0) await this.#write(rows, path(LANDING_FILES, oldest.arrivedAt));
  }

  #convert(record: Buffer): string[] {
    return jsonDocuments(record.toString()).map((text) => convertDocument(text, this.#columns));
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

  async #failConversion(record: Buffer, arrivedAt: number, reason: string): Promise<void> {
    await this.#fail('format-conversion-failed', arrivedAt, reason, {
      attemptsMade: 1,
      arrivalTimestamp: arrivedAt,
      lastErrorCode: 'DataFormatConversion.MalformedData',
      lastErrorMessage: reason,
      rawData: record.toString('base64'),
    });
  }

  /** The record as it was sent, whatever the function has answered for it. */
  async #failProcessing({ source, attempts, code, message }: FailedCall): Promise<void> {
    const { record, arrivedAt } = source;
    await this.#fail('processing-failed', arrivedAt, code, {
      rawData: record.toString('base64'),
      errorCode: code,
      errorMessage: message,
      attemptsMade: attempts,
      arrivalTimestamp: arrivedAt,
      attemptEndingTimestamp: this.#clock.now(),
      lambdaArn: FUNCTION_ARN,
    });
  }

  /** AWS, "Handle failure in data transformation" and "in data format conversion": one line for each record. */
  async #fail(kind: string, arrivedAt: number, reason: string, line: object): Promise<void> {
    this.failed.push(reason);
    const prefix = FAILED_FILES.replace('!{firehose:error-output-type}', kind);
    const directory = join(this.#bucket, path(prefix, arrivedAt));
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, randomUUID()), `${JSON.stringify(line)}\n`);
  }
}

const FUNCTION_ARN = 'arn:aws:lambda:eu-west-1:123456789012:function:transformation:$LATEST';

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
