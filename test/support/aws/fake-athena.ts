import {
  type AthenaClient,
  GetQueryExecutionCommand,
  GetQueryResultsCommand,
  type QueryExecutionStatistics,
  type QueryExecutionStatus,
  StartQueryExecutionCommand,
  type StartQueryExecutionCommandInput,
  StopQueryExecutionCommand,
} from '@aws-sdk/client-athena';
import type { Clock } from '../../../src/platform/clock.ts';
import { serviceError } from './failures.ts';

export type Operation =
  | 'StartQueryExecution'
  | 'GetQueryExecution'
  | 'GetQueryResults'
  | 'StopQueryExecution';

/** How one execution goes. */
export interface Plan {
  /** States shown by successive polls before the end; repeated for ever with `endless`. */
  readonly before?: readonly ('QUEUED' | 'RUNNING')[];
  readonly endless?: boolean;
  readonly end?: Omit<QueryExecutionStatus, 'CompletionDateTime'>;
  readonly rows?: readonly (readonly (string | null)[])[];
  readonly columns?: readonly string[];
  readonly statistics?: QueryExecutionStatistics;
}

interface Execution {
  readonly id: string;
  readonly text: string | undefined;
  /** Workgroup and database, which one token cannot change either. */
  readonly place: string;
  readonly plan: Plan;
  polls: number;
  status: QueryExecutionStatus;
}

/**
 * Athena in memory: executions found again by token, states that pass from poll to poll, results in
 * pages with a header row in front. It runs no SQL; each new execution follows the next plan, or
 * `plan(text)`.
 */
export class FakeAthena {
  readonly starts: StartQueryExecutionCommandInput[] = [];
  readonly calls: Operation[] = [];
  readonly stopped: string[] = [];
  /** Called on every call, before it takes effect. */
  onCall: (operation: Operation) => void = () => {};
  readonly #name: string;
  readonly #clock: Clock;
  readonly #plan: (text: string) => Plan;
  readonly #failures: Partial<Record<Operation, Error[]>> = {};
  readonly #byToken = new Map<string, Execution>();
  readonly #byId = new Map<string, Execution>();

  /** @param name begins the ids of executions, which are unique in an account for ever. */
  constructor(
    clock: Clock,
    plan: Plan | readonly Plan[] | ((text: string) => Plan) = {},
    name = 'execution',
  ) {
    this.#name = name;
    this.#clock = clock;
    if (typeof plan === 'function') {
      this.#plan = plan;
    } else {
      const plans = [plan].flat();
      this.#plan = () => plans.shift() ?? {};
    }
  }

  get client(): Pick<AthenaClient, 'send'> {
    return { send: async (command: unknown) => this.#send(command) } as Pick<AthenaClient, 'send'>;
  }

  /** Number of executions that were really begun. */
  get executions(): number {
    return this.#byId.size;
  }

  /** Id of the execution that was begun last; of the first one before that. */
  get latest(): string {
    return `${this.#name}-${this.#byId.size || 1}`;
  }

  /** Makes the next calls of an operation fail, one per error. */
  fail(operation: Operation, ...errors: readonly Error[]): void {
    this.#failures[operation] = [...(this.#failures[operation] ?? []), ...errors];
  }

  #send(command: unknown): object {
    if (command instanceof StartQueryExecutionCommand) {
      this.starts.push(command.input);
      this.#begin('StartQueryExecution');
      return { QueryExecutionId: this.#start(command.input).id };
    }
    if (command instanceof GetQueryExecutionCommand) {
      this.#begin('GetQueryExecution');
      const execution = this.#find(command.input.QueryExecutionId);
      this.#poll(execution);
      return {
        QueryExecution: {
          QueryExecutionId: execution.id,
          Status: execution.status,
          Statistics: execution.plan.statistics,
        },
      };
    }
    if (command instanceof GetQueryResultsCommand) {
      this.#begin('GetQueryResults');
      const { QueryExecutionId, MaxResults = 1_000, NextToken } = command.input;
      return page(this.#find(QueryExecutionId), MaxResults, NextToken);
    }
    if (command instanceof StopQueryExecutionCommand) {
      this.#begin('StopQueryExecution');
      this.#stop(this.#find(command.input.QueryExecutionId));
      return {};
    }
    throw new TypeError('FakeAthena does not know this command');
  }

  #begin(operation: Operation): void {
    this.calls.push(operation);
    this.onCall(operation);
    const failure = this.#failures[operation]?.shift();
    if (failure !== undefined) throw failure;
  }

  #start(input: StartQueryExecutionCommandInput): Execution {
    const { QueryString: text = '', ClientRequestToken: token = '' } = input;
    if (token.length < 32 || token.length > 128 || text === '' || text.length > 262_144) {
      throw serviceError('InvalidRequestException');
    }
    const known = this.#byToken.get(token);
    if (known !== undefined) {
      if (known.text !== text || known.place !== placeOf(input)) {
        throw serviceError('InvalidRequestException', 400, 'Idempotent parameters do not match');
      }
      return known;
    }
    const id = `${this.#name}-${this.#byId.size + 1}`;
    const execution: Execution = {
      id,
      text,
      place: placeOf(input),
      plan: this.#plan(text),
      polls: 0,
      status: { State: 'QUEUED' },
    };
    this.#byToken.set(token, execution);
    this.#byId.set(id, execution);
    return execution;
  }

  #poll(execution: Execution): void {
    if (execution.status.CompletionDateTime !== undefined) return;
    const { before = [], endless = false, end = { State: 'SUCCEEDED' } } = execution.plan;
    const state = endless
      ? (before[execution.polls % before.length] ?? 'RUNNING')
      : before[execution.polls];
    execution.polls += 1;
    execution.status =
      state === undefined
        ? { ...end, CompletionDateTime: new Date(this.#clock.now()) }
        : { State: state };
  }

  #stop(execution: Execution): void {
    this.stopped.push(execution.id);
    if (execution.status.CompletionDateTime === undefined) {
      execution.status = {
        State: 'CANCELLED',
        StateChangeReason: 'Query cancelled by user',
        CompletionDateTime: new Date(this.#clock.now()),
      };
    }
  }

  #find(id: string | undefined): Execution {
    const execution = this.#byId.get(id ?? '');
    if (execution === undefined) {
      throw serviceError('InvalidRequestException', 400, `QueryExecution ${id} was not found`);
    }
    return execution;
  }
}

function page(execution: Execution, maxResults: number, nextToken: string | undefined): object {
  if (execution.status.State !== 'SUCCEEDED' || maxResults < 1 || maxResults > 1_000) {
    throw serviceError('InvalidRequestException');
  }
  const { columns = ['c0'], rows = [] } = execution.plan;
  const all = [columns, ...rows];
  const from = Number(nextToken ?? 0);
  const to = from + maxResults;
  return {
    ResultSet: {
      Rows: all.slice(from, to).map((cells) => ({
        Data: cells.map((cell) => (cell === null ? {} : { VarCharValue: cell })),
      })),
    },
    ...(to < all.length ? { NextToken: String(to) } : {}),
  };
}

function placeOf({ WorkGroup, QueryExecutionContext: context }: StartQueryExecutionCommandInput) {
  return JSON.stringify([WorkGroup, context?.Database]);
}
