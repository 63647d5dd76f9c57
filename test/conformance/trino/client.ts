import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import type { WireRow } from '../../../src/platform/execution.ts';
import { parseJson } from '../../../src/platform/json/json.ts';
import type { TrinoAddress } from './server.ts';

const Failure = z.object({ message: z.string(), errorName: z.string(), errorType: z.string() });
const Page = z.object({
  id: z.string(),
  nextUri: z.string().optional(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
  data: z.array(z.array(z.unknown())).optional(),
  stats: z.object({
    processedRows: z.number(),
    physicalInputBytes: z.number(),
    completedSplits: z.number(),
  }),
  error: Failure.optional(),
});

const QueryInfo = z.object({
  finalQueryInfo: z.boolean(),
  queryStats: z.object({
    operatorSummaries: z.array(z.object({ operatorType: z.string(), inputPositions: z.number() })),
  }),
});

export interface TrinoResult {
  /** Trino's name of the query. */
  readonly id: string;
  readonly names: readonly string[];
  /** Trino's names of the column types, lengths left out: `varchar`, `bigint` ... */
  readonly types: readonly string[];
  readonly rows: readonly WireRow[];
  /** Rows that the scans gave. */
  readonly rowsRead: number;
  /** Bytes that were read from files. */
  readonly bytesRead: number;
}

/** A part of a query as it ran, all of its workers together. */
export interface TrinoOperator {
  /** `TableScanOperator`, `HashBuilderOperator` ... */
  readonly type: string;
  /** Rows that it took in. */
  readonly rows: number;
}

/** A query that Trino refused or that failed while it ran. */
export class TrinoError extends Error {
  /** `DIVISION_BY_ZERO`, `SYNTAX_ERROR` ... */
  readonly code: string;
  /** Whether the statement or the data are at fault, and not the engine. */
  readonly isUsersFault: boolean;

  constructor({ message, errorName, errorType }: z.infer<typeof Failure>, sql: string) {
    super(`${errorName}: ${message}\n${sql}`);
    this.name = 'TrinoError';
    this.code = errorName;
    this.isUsersFault = errorType === 'USER_ERROR';
  }
}

/** Speaks Trino's client protocol, as the JDBC driver and the command line do. */
export class TrinoClient {
  readonly #address: TrinoAddress;
  readonly #schema: string;

  /** @param schema that queries run in; it comes to be with its first table. */
  constructor(address: TrinoAddress, schema = 'lake') {
    this.#address = address;
    this.#schema = schema;
  }

  /** Makes a Glue table, given as its `TableInput`, a table of the schema that queries run in. */
  async createTable(tableInput: unknown): Promise<void> {
    const body = JSON.stringify(tableInput);
    const response = await fetch(this.#address.tables + this.#schema, { method: 'POST', body });
    if (!response.ok) throw new Error(`Trino did not take the table: ${await response.text()}`);
  }

  /**
   * @param signal cancels the query.
   * @throws TrinoError; the signal's reason when it was cancelled.
   */
  async query(sql: string, signal?: AbortSignal): Promise<TrinoResult> {
    const headers = {
      'X-Trino-User': 'conformance',
      'X-Trino-Catalog': 'hive',
      'X-Trino-Schema': this.#schema,
      'X-Trino-Time-Zone': 'UTC',
    };
    let page = await read(`${this.#address.trino}/v1/statement`, {
      method: 'POST',
      body: sql,
      headers,
    });
    const rows: WireRow[] = [];
    let names: readonly string[] = [];
    let types: readonly string[] = [];
    for (;;) {
      if (page.error !== undefined) throw new TrinoError(page.error, sql);
      names = page.columns?.map(({ name }) => name) ?? names;
      types = page.columns?.map(({ type }) => type.replace(/\(.*\)$/, '')) ?? types;
      rows.push(...(page.data ?? []).map((row) => row.map(cellText)));
      if (page.nextUri === undefined) {
        const { processedRows, physicalInputBytes } = page.stats;
        const [rowsRead, bytesRead] = [processedRows, physicalInputBytes];
        return { id: page.id, names, types, rows, rowsRead, bytesRead };
      }
      if (signal?.aborted) {
        await fetch(page.nextUri, { method: 'DELETE', headers });
        throw signal.reason;
      }
      page = await read(page.nextUri, { headers });
    }
  }

  /** What ran for a query that has ended not long ago. */
  async operators(id: string): Promise<TrinoOperator[]> {
    const headers = { 'X-Trino-User': 'conformance' };
    for (;;) {
      const info = QueryInfo.parse(
        await readJson(`${this.#address.trino}/v1/query/${id}`, { headers }),
      );
      // Workers report for a moment after the last row.
      if (info.finalQueryInfo) {
        return info.queryStats.operatorSummaries.map(({ operatorType, inputPositions }) => ({
          type: operatorType,
          rows: inputPositions,
        }));
      }
      await setTimeout(50);
    }
  }
}

async function read(url: string, init: RequestInit): Promise<z.infer<typeof Page>> {
  return Page.parse(await readJson(url, init));
}

async function readJson(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`Trino answered ${response.status}: ${text.slice(0, 500)}`);
  return parseJson(text);
}

/** The text in which Athena would answer: integers of any size in decimal, the rest as it is. */
function cellText(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  // A whole number beyond 2^53: parseJson kept its digits.
  return JSON.stringify(value);
}
