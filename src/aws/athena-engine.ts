import { createHash } from 'node:crypto';
import type { AthenaClient, QueryExecution } from '@aws-sdk/client-athena';
import { AthenaCalls } from '../platform/athena/athena-api.ts';
import {
  executionFailed,
  loggable,
  mayEndDifferently,
  timedOut,
} from '../platform/athena/athena-errors.ts';
import { type Sleep, systemSleep } from '../platform/concurrency/backoff.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Clock, EngineQuery, EngineResult, Logger, QueryEngine } from '../ports.ts';
import { hasEnded, readResult } from './athena-execution.ts';
import { Beginning } from './beginning.ts';
import { SharedWait } from './shared-wait.ts';

export interface AthenaEngineDeps {
  /** Build it with `athenaClient()`: the SDK's own retries must be off. */
  readonly client: Pick<AthenaClient, 'send'>;
  /** Decides scan limit and result location. */
  readonly workGroup: string;
  /** Glue database of unqualified table names. */
  readonly database: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sleep?: Sleep;
  readonly random?: () => number;
  /**
   * Lets Athena answer from its results of the last so many minutes (1 to 10,080) where the text is
   * the same. Off by default, and the service leaves it off: it does not notice new data, so rows of a
   * query without a cache would be old, and those of one with a cache older than their `Age` says. Equal
   * texts within a cache duration are answered from the result cache anyway.
   */
  readonly reuseResultsMinutes?: number;
}

/** Longest StartQueryExecution text. */
const MAX_TEXT_BYTES = 262_144;
/** Short queries answer fast, long ones poll at a rate that leaves the account's 100 calls/s alone. */
const POLL = { firstMs: 100, factor: 1.5, capMs: 1_000 } as const;
/** Dead executions that one call steps over; also what ends the loop if our clock runs ahead. */
const MAX_RESTARTS = 10;

/**
 * Runs statements on Amazon Athena.
 *
 * The deadline of an {@link EngineQuery} decides when its execution is cancelled, since Athena bills
 * what a query scans whether or not anyone reads the answer. A caller that wants to answer earlier
 * and let the execution go on passes a later deadline and stops waiting on its own.
 *
 * Executions outlive this process. Their token makes a later or parallel start return the same one, so
 * calling again picks up where the last caller left. Callers within this process share one run, which
 * is cancelled when the last of their deadlines has passed.
 */
export class AthenaEngine implements QueryEngine {
  readonly target = 'athena';
  readonly runsApart = true;
  readonly #calls: AthenaCalls;
  readonly #workGroup: string;
  readonly #database: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #sleep: Sleep;
  readonly #reuseResultsMinutes: number | undefined;
  readonly #inFlight = new Map<string, InFlight>();

  constructor(deps: AthenaEngineDeps) {
    this.#calls = new AthenaCalls(deps.client, deps.logger, deps.random ?? Math.random);
    this.#workGroup = deps.workGroup;
    this.#database = deps.database;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
    this.#sleep = deps.sleep ?? systemSleep;
    this.#reuseResultsMinutes = deps.reuseResultsMinutes;
  }

  /**
   * @throws ServiceError also `sql_too_large` (400), and `scan_limit_exceeded` (400) when the query
   *   reads more than the workgroup allows.
   */
  async run(query: EngineQuery): Promise<EngineResult> {
    checkLength(query.text);
    if (query.deadline <= this.#clock.now()) {
      throw timedOut();
    }
    // The text is part of the key because handing out another statement's rows is the worst outcome;
    // Athena itself refuses a token that comes back with another text.
    const key = `${query.token} ${query.text}`;
    const inFlight = this.#inFlight.get(key);
    if (inFlight !== undefined) {
      inFlight.beginning.tell(query.onStarted);
      return inFlight.wait.join(query.deadline);
    }
    const wait = new SharedWait<EngineResult>(this.#clock, this.#sleep);
    const beginning = new Beginning();
    this.#inFlight.set(key, { wait, beginning });
    beginning.tell(query.onStarted);
    const answer = wait.join(query.deadline);
    this.#execute(query, { wait, beginning })
      .finally(() => this.#inFlight.delete(key))
      .then(
        (result) => wait.resolve(result),
        (error) => wait.reject(error),
      );
    return answer;
  }

  async #execute(query: EngineQuery, { wait, beginning }: InFlight): Promise<EngineResult> {
    const began = this.#clock.now();
    let token = query.token;
    for (let restarts = 0; ; restarts++) {
      wait.check(timedOut);
      const id = await this.#start(query.text, token, wait);
      beginning.happened({ id, state: () => this.#state(id) });
      const execution = await this.#finished(id, wait);
      const status = execution.Status ?? {};
      if (status.State === 'SUCCEEDED') {
        const read = { id, execution, width: query.columns.length };
        return readResult(read, { calls: this.#calls, logger: this.#logger }, wait);
      }
      const failure = executionFailed(status);
      // Running into the scan limit is the caller's doing, not a fault to wake somebody for.
      this.#logger[failure.status < 500 ? 'warn' : 'error']('athena execution failed', {
        executionId: id,
        state: status.State,
        errorType: status.AthenaError?.ErrorType,
        reason: loggable(status.StateChangeReason),
      });
      // A token leads to its first execution even after that was cancelled or failed, and would fail
      // this call for what happened to an earlier one. The next token follows from the dead
      // execution, so that parallel callers meet again in one new execution.
      const endedEarlier = (status.CompletionDateTime?.getTime() ?? Infinity) < began;
      if (!endedEarlier || !mayEndDifferently(status) || restarts === MAX_RESTARTS) {
        throw failure;
      }
      token = createHash('sha256').update(`${token} ${id}`).digest('hex');
    }
  }

  #start(text: string, token: string, wait: SharedWait<EngineResult>): Promise<string> {
    const reuse = this.#reuseResultsMinutes;
    return this.#calls.start(
      {
        QueryString: text,
        ClientRequestToken: token,
        WorkGroup: this.#workGroup,
        QueryExecutionContext: { Database: this.#database },
        ...(reuse === undefined
          ? {}
          : {
              ResultReuseConfiguration: {
                ResultReuseByAgeConfiguration: { Enabled: true, MaxAgeInMinutes: reuse },
              },
            }),
      },
      wait,
    );
  }

  /** Polls until the execution has ended; cancels it when nobody waits any more. */
  async #finished(id: string, wait: SharedWait<EngineResult>): Promise<QueryExecution> {
    let delayMs: number = POLL.firstMs;
    try {
      for (;;) {
        const execution = await this.#calls.execution(id, wait);
        if (execution !== undefined && hasEnded(execution.Status?.State)) {
          return execution;
        }
        await wait.pause(delayMs, timedOut);
        delayMs = Math.min(POLL.capMs, delayMs * POLL.factor);
      }
    } catch (error) {
      await this.#calls.stop(id);
      throw error;
    }
  }

  async #state(id: string): Promise<'queued' | 'running' | 'ended'> {
    const state = await this.#calls.glance(id);
    if (state === 'QUEUED') return 'queued';
    return hasEnded(state) ? 'ended' : 'running';
  }
}

/** A run that callers of this process wait for. */
interface InFlight {
  readonly wait: SharedWait<EngineResult>;
  readonly beginning: Beginning;
}

function checkLength(text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_TEXT_BYTES) {
    throw new ServiceError(
      'sql_too_large',
      400,
      `The query is ${bytes} bytes long once compiled, and ${MAX_TEXT_BYTES} is the most that can run. Shorten it.`,
    );
  }
}
