import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../src/platform/clock.ts';
import { type TrinoClient, TrinoError, type TrinoResult } from '../../conformance/trino/client.ts';
import { athenaText } from './athena-values.ts';
import { onTrino } from './catalogs.ts';

/** How an execution ended, in Athena's words. */
export interface Ending {
  readonly State: 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  readonly StateChangeReason?: string;
  readonly AthenaError?: {
    readonly ErrorCategory: number;
    readonly ErrorType: number;
    readonly Retryable: boolean;
    readonly ErrorMessage: string;
  };
}

export interface ExecutionOptions {
  readonly text: string;
  readonly database: string;
  readonly workGroup: string;
  readonly trino: TrinoClient;
  readonly clock: Clock;
  /** Bytes that it may read. */
  readonly scanLimitBytes: number;
  readonly fate?: Fate | undefined;
}

/** What becomes of an execution: an end without running, a stay in the queue, or a long run and perhaps its end. */
export type Fate =
  | Ending
  | { readonly queuedUntil: Promise<void> }
  | { readonly runningUntil: Promise<Ending | undefined> };

export interface ResultTable {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** A value error is the user's, anything else the engine's (Athena's error catalog). */
const CATEGORY = { engine: 1, user: 2 } as const;

/** One query execution: queued, run by Trino, ended, and its result kept. */
export class AthenaExecution {
  readonly id = randomUUID();
  readonly text: string;
  readonly workGroup: string;
  readonly database: string;
  result: ResultTable | undefined;
  readonly #options: ExecutionOptions;
  readonly #submittedAt: number;
  readonly #abort = new AbortController();
  #ending: Ending | undefined;
  #endedAt = 0;
  #isQueued = true;
  #bytesRead = 0;

  constructor(options: ExecutionOptions) {
    this.text = options.text;
    this.workGroup = options.workGroup;
    this.database = options.database;
    this.#options = options;
    this.#submittedAt = options.clock.now();
    void this.#run();
  }

  /** `QueryExecution` of GetQueryExecution. */
  describe(): object {
    const ran = Math.max(0, this.#endedAt - this.#submittedAt);
    return {
      QueryExecutionId: this.id,
      Query: this.text,
      StatementType: 'DML',
      WorkGroup: this.workGroup,
      QueryExecutionContext: { Database: this.database },
      ResultConfiguration: { OutputLocation: `s3://results/api/${this.id}.csv` },
      EngineVersion: { EffectiveEngineVersion: 'Athena engine version 3' },
      Status: {
        ...(this.#ending ?? { State: this.#isQueued ? 'QUEUED' : 'RUNNING' }),
        SubmissionDateTime: this.#submittedAt / 1_000,
        ...(this.#ending && { CompletionDateTime: this.#endedAt / 1_000 }),
      },
      Statistics: {
        DataScannedInBytes: this.#bytesRead,
        QueryQueueTimeInMillis: 0,
        EngineExecutionTimeInMillis: ran,
        TotalExecutionTimeInMillis: ran,
      },
    };
  }

  /** What StopQueryExecution does; an execution that has ended stays as it is. */
  stop(): void {
    this.#end({ State: 'CANCELLED', StateChangeReason: 'Query cancelled by user' });
    this.#abort.abort();
  }

  async #run(): Promise<void> {
    const { fate, trino } = this.#options;
    if (fate !== undefined && 'State' in fate) {
      this.#end(fate);
      return;
    }
    if (fate !== undefined && 'queuedUntil' in fate) await fate.queuedUntil;
    this.#isQueued = false;
    if (fate !== undefined && 'runningUntil' in fate) {
      const ending = await fate.runningUntil;
      if (ending !== undefined) {
        this.#end(ending);
        return;
      }
    }
    try {
      let last: TrinoResult | undefined;
      for (const statement of onTrino(this.text, this.database)) {
        last = await trino.query(statement, this.#abort.signal);
      }
      if (last !== undefined) this.#take(last);
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#end(failure(error));
    }
  }

  #take({ names, types, rows, bytesRead }: TrinoResult): void {
    this.#bytesRead = bytesRead;
    if (bytesRead > this.#options.scanLimitBytes) {
      this.#end({ State: 'CANCELLED', StateChangeReason: OVER_SCAN_LIMIT });
      return;
    }
    const text = (value: string | null, column: number) => athenaText(types[column] ?? '', value);
    this.result = { names, types, rows: rows.map((row) => row.map(text)) };
    this.#end({ State: 'SUCCEEDED' });
  }

  #end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#endedAt = this.#options.clock.now();
    this.#ending = ending;
  }
}

/** As Athena says it of a query past its workgroup's limit. */
export const OVER_SCAN_LIMIT = 'Query cancelled! : Bytes scanned limit was exceeded';

function failure(error: unknown): Ending {
  if (!(error instanceof TrinoError)) throw error;
  const [message = ''] = error.message.split('\n');
  return {
    State: 'FAILED',
    StateChangeReason: message,
    AthenaError: {
      ErrorCategory: error.isUsersFault ? CATEGORY.user : CATEGORY.engine,
      ErrorType: 1_000,
      Retryable: false,
      ErrorMessage: message,
    },
  };
}
