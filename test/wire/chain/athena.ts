import * as z from 'zod';
import type { Clock } from '../../../src/platform/clock.ts';
import { TrinoClient } from '../../conformance/trino/client.ts';
import type { TrinoAddress } from '../../conformance/trino/server.ts';
import { AthenaExecution, type Fate, type ResultTable } from './athena-execution.ts';
import {
  type CallTreatment,
  type JsonServer,
  ServiceFault,
  startJsonServer,
} from './json-server.ts';

export interface AthenaOptions {
  readonly trino: TrinoAddress;
  readonly clock: Clock;
  readonly workGroups: readonly string[];
}

// Limits as the service model of Athena has them.
const StartInput = z.object({
  QueryString: z.string().min(1).max(262_144),
  ClientRequestToken: z.string().min(32).max(128),
  WorkGroup: z.string(),
  QueryExecutionContext: z.object({ Database: z.string() }),
});
const IdInput = z.object({ QueryExecutionId: z.string() });
const ResultsInput = z.object({
  QueryExecutionId: z.string(),
  MaxResults: z.number().int().min(1).max(1_000).default(1_000),
  NextToken: z.string().optional(),
});

/**
 * Athena on loopback, speaking its protocol: starts that a token makes the same, states, pages, stops.
 * The statements run on a real Trino, in the schema that the request names as its database.
 */
export class AthenaServer {
  /** Calls that arrived, in order. */
  readonly calls: string[] = [];
  /** Why calls were refused as invalid, in order. */
  readonly refusals: string[] = [];
  /** Executions in the order of their start. */
  readonly executions: AthenaExecution[] = [];
  /** What happens to the next call; asked anew for each, with the count of that operation's calls. */
  treat: (operation: string, call: number) => CallTreatment = () => 'ok';
  /** Of the next executions, one each; the others run. */
  readonly fates: Fate[] = [];
  /** What becomes of an execution by its text; asked before it starts. The next of {@link fates}. */
  fateOf: (text: string) => Fate | undefined = () => this.fates.shift();
  /** Of the workgroups. */
  scanLimitBytes = Number.POSITIVE_INFINITY;
  readonly #options: AthenaOptions;
  readonly #byToken = new Map<string, AthenaExecution>();
  #server: JsonServer | undefined;

  private constructor(options: AthenaOptions) {
    this.#options = options;
  }

  static async start(options: AthenaOptions): Promise<AthenaServer> {
    const athena = new AthenaServer(options);
    athena.#server = await startJsonServer({
      call: (operation, input) => athena.#noting(() => athena.#call(operation, input)),
      treat: (operation) => {
        athena.calls.push(operation);
        return athena.treat(operation, athena.calls.filter((one) => one === operation).length);
      },
    });
    return athena;
  }

  get url(): string {
    return this.#server?.url ?? '';
  }

  /** Forgets calls and gives up every treatment and fate; executions stay. */
  reset(): void {
    this.calls.length = 0;
    this.refusals.length = 0;
    this.fates.length = 0;
    this.treat = () => 'ok';
    this.fateOf = () => this.fates.shift();
    this.scanLimitBytes = Number.POSITIVE_INFINITY;
  }

  async close(): Promise<void> {
    for (const execution of this.executions) execution.stop();
    await this.#server?.close();
  }

  #noting<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      if (error instanceof ServiceFault) this.refusals.push(error.message);
      throw error;
    }
  }

  #call(operation: string, input: unknown): unknown {
    switch (operation) {
      case 'StartQueryExecution':
        return { QueryExecutionId: this.#start(valid(StartInput, input)).id };
      case 'GetQueryExecution':
        return { QueryExecution: this.#find(input).describe() };
      case 'GetQueryResults':
        return page(this.#find(input), valid(ResultsInput, input));
      case 'StopQueryExecution':
        this.#find(input).stop();
        return {};
      default:
        throw new ServiceFault('UnknownOperationException', operation);
    }
  }

  #start(input: z.infer<typeof StartInput>): AthenaExecution {
    const { QueryString: text, ClientRequestToken: token, WorkGroup: workGroup } = input;
    const { clock, trino, workGroups } = this.#options;
    if (!workGroups.includes(workGroup)) throw invalid('WorkGroup is not found.');
    const known = this.#byToken.get(token);
    const { Database: database } = input.QueryExecutionContext;
    if (known !== undefined) {
      const isEqual =
        known.text === text && known.workGroup === workGroup && known.database === database;
      if (!isEqual) throw invalid('Idempotent parameters do not match');
      return known;
    }
    refuseQuotedNames(text);
    const { scanLimitBytes } = this;
    const execution = new AthenaExecution({
      text,
      database,
      workGroup,
      trino: new TrinoClient(trino, database),
      clock,
      scanLimitBytes,
      fate: this.fateOf(text),
    });
    this.#byToken.set(token, execution);
    this.executions.push(execution);
    return execution;
  }

  #find(input: unknown): AthenaExecution {
    const { QueryExecutionId: id } = valid(IdInput, input);
    const execution = this.executions.find((one) => one.id === id);
    if (execution === undefined) throw invalid(`QueryExecution ${id} was not found`);
    return execution;
  }
}

/** Rows of a page; the very first row is the header. */
function page(
  { id, result }: AthenaExecution,
  { MaxResults: most, NextToken: token }: z.infer<typeof ResultsInput>,
): object {
  if (result === undefined) throw invalid('Query has not yet finished.');
  const [of, start = '0'] = token === undefined ? [id] : token.split('/');
  if (of !== id) throw invalid('The next token is not of this query.');
  const all = [result.names, ...result.rows];
  const from = Number(start);
  const to = from + most;
  return {
    UpdateCount: 0,
    ResultSet: {
      Rows: all.slice(from, to).map((cells) => ({
        Data: cells.map((cell) => (cell === null ? {} : { VarCharValue: cell })),
      })),
      ResultSetMetadata: { ColumnInfo: columnInfo(result) },
    },
    ...(to < all.length ? { NextToken: `${id}/${to}` } : {}),
  };
}

function columnInfo({ names, types }: ResultTable): object[] {
  return names.map((Name, column) => ({ CatalogName: 'hive', Name, Type: types[column] }));
}

/** OPTIMIZE and VACUUM are not read by Trino's grammar: names are bare there. */
function refuseQuotedNames(text: string): void {
  const column = /^(?:OPTIMIZE|VACUUM)\b/.test(text) ? text.search(/["`]/) : -1;
  if (column >= 0) {
    throw invalid(
      `line 1:${column + 1}: mismatched input '${text[column]}'. Expecting: <identifier>`,
    );
  }
}

function valid<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error));
  return parsed.data;
}

function invalid(message: string): ServiceFault {
  return new ServiceFault('InvalidRequestException', message);
}
