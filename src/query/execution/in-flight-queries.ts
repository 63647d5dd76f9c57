import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Sleep } from '../../platform/concurrency/sleep.ts';
import { ServiceError } from '../../platform/errors.ts';
import { ExecutionGoesOn, RetryableFailure } from '../../platform/execution.ts';
import type { Logger } from '../../platform/log.ts';
import type { OutputColumn } from '../../sql/common/result-schema.ts';
import type { ResultStore, ResultTimes, StoredResult } from '../cache/result-cache-store.ts';
import { clientRequestToken } from '../plan/query-plan.ts';
import type { ExecutionLease, ExecutionLeases, StartedExecution } from './execution-leases.ts';
import { InFlightQuery, stillRunning } from './in-flight-query.ts';
import type { Outcome } from './outcome.ts';
import type { QueryEngine } from './query-engine.ts';
import { ABANDONED_MS, CALL_DEADLINE_MS, LEASE_POLL, RUN_LIMIT_MS } from './timeouts.ts';

/** A query to run, and for how long its caller waits. */
export interface QueryCall {
  /** Key of the rows: equal calls have equal keys. */
  readonly key: string;
  /** How long rows are fresh, milliseconds; 0 where none are kept. */
  readonly lifetimeMs: number;
  /** When the caller stops waiting, milliseconds since the epoch. */
  readonly deadline: number;
  /** Aborted when the caller has hung up. */
  readonly gone?: AbortSignal | undefined;
  /** Whose query it is, see `EngineQuery`. */
  readonly caller: string;
  /** @param startedAt what the query takes for the current time, milliseconds since the epoch. */
  compile(startedAt: number): Promise<CompiledStatement>;
}

/** What an engine is given, and the columns that it answers with. */
export interface CompiledStatement {
  readonly text: string;
  readonly columns: readonly OutputColumn[];
}

export interface InFlightDeps {
  readonly engine: QueryEngine;
  readonly results: ResultStore;
  readonly leases: ExecutionLeases;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sleep: Sleep;
}

/** An execution whose rows this process waits for. */
interface Collection {
  readonly execution: StartedExecution;
  readonly startedAt: number;
  /** Absent where no other process is led to the execution. */
  readonly lease: ExecutionLease | undefined;
  readonly compileMs: number;
}

/**
 * Runs queries, each once, however many callers in however many processes ask for it. A caller takes the
 * lease of a key, starts an execution and notes its id in the lease; every other caller finds the id there,
 * and all wait for the same execution. A caller whose time is up leaves, and lease and id stay: the next
 * equal call collects the rows, in this process or another. One of those who collect them keeps them and
 * records their cost.
 */
export class InFlightQueries {
  readonly #deps: InFlightDeps;
  readonly #byKey = new Map<string, InFlightQuery<Outcome>>();

  constructor(deps: InFlightDeps) {
    this.#deps = deps;
  }

  /**
   * Has the rows of a query made, or waits for those that are being made.
   *
   * @param isFresh whether rows that another process has kept meanwhile will do.
   * @throws whatever compiling or the engine throws, and what {@link InFlightQuery.wait} does.
   */
  share(call: QueryCall, isFresh: (times: ResultTimes) => boolean): InFlightQuery<Outcome> {
    const known = this.#byKey.get(call.key);
    if (known !== undefined && !known.isOverdue) return known;
    const query = new InFlightQuery<Outcome>(this.#deps, (self) => this.#run(call, isFresh, self));
    this.#byKey.set(call.key, query);
    query.onEnd(() => {
      if (this.#byKey.get(call.key) === query) this.#byKey.delete(call.key);
    });
    return query;
  }

  /**
   * Runs a query whose rows are not kept: every call runs, except that an execution which outlived its caller
   * answers the next equal call. Only such an execution has a lease.
   *
   * @throws as {@link share}.
   */
  async runAlone(call: QueryCall): Promise<Outcome> {
    const left = await this.#deps.leases.find(call.key);
    let collection: Collection | undefined;
    const query = new InFlightQuery<Outcome>(this.#deps, async (self) => {
      if (left?.execution !== undefined) {
        collection = { ...left, lease: left, execution: left.execution, compileMs: 0 };
        try {
          return await this.#collect(call, collection, self);
        } catch (error) {
          if (!(error instanceof RetryableFailure)) throw error;
        }
      }
      collection = await this.#start(call, this.#deps.clock.now(), self);
      return this.#collect(call, collection, self);
    });
    try {
      return await query.wait(call.deadline, call.gone);
    } catch (error) {
      if (query.isSettled || collection === undefined) throw error;
      throw await this.#leave(call, collection, error);
    }
  }

  /** @returns what a caller is told who leaves an execution whose rows are not kept. */
  async #leave(call: QueryCall, collection: Collection, error: unknown): Promise<unknown> {
    const { engine, leases } = this.#deps;
    const { execution, startedAt, lease } = collection;
    if (!engine.durable && call.gone?.aborted) {
      await engine.cancel(execution.id);
      return error;
    }
    if (lease === undefined) {
      await this.#attempt(call.key, leases.leave(call.key, startedAt, execution));
    }
    return engine.durable ? error : endsSoon();
  }

  async #run(
    call: QueryCall,
    isFresh: (times: ResultTimes) => boolean,
    query: InFlightQuery<Outcome>,
  ): Promise<Outcome> {
    const { results, leases } = this.#deps;
    for (let mayRepeat = true; ; ) {
      const held = await this.#lease(call.key, query);
      const times = await results.times(call.key);
      // A query whose rows are there is over, though its process did not live to say so.
      const isOver = times?.startedAt === held.startedAt;
      if (times !== undefined && isFresh(times)) {
        // Another process has replaced the rows while this one waited for the lease.
        const result = await results.read(call.key);
        if (result !== undefined) {
          if (isOver || !held.isTakeover) await leases.end(held);
          return { state: 'hit', result, cost: undefined, recordsCost: false };
        }
      }
      const lease = isOver ? await leases.restart(held) : held;
      if (lease === undefined) continue;
      try {
        return await this.#collect(call, await this.#collectionOf(lease, call, query), query);
      } catch (error) {
        // How another caller's execution failed is of no interest where a new one may end differently.
        const isRepeated = mayRepeat && lease.isTakeover && error instanceof RetryableFailure;
        if (!isRepeated) throw error;
        mayRepeat = false;
      }
    }
  }

  /** Takes the lease of a key, or finds the execution that has been started under it. */
  async #lease(key: string, query: InFlightQuery<Outcome>): Promise<ExecutionLease> {
    const { leases, clock, sleep } = this.#deps;
    for (let pause: number = LEASE_POLL.firstMs; ; ) {
      const lease = (await leases.acquire(key)) ?? (await leases.find(key));
      if (lease !== undefined) return lease;
      await sleep(pause);
      if (query.until <= clock.now()) throw stillRunning();
      pause = Math.min(pause * LEASE_POLL.factor, LEASE_POLL.capMs);
    }
  }

  /** The execution of a lease, which is started and noted if there is none. */
  async #collectionOf(
    lease: ExecutionLease,
    call: QueryCall,
    query: InFlightQuery<Outcome>,
  ): Promise<Collection> {
    if (lease.execution !== undefined) {
      return { ...lease, lease, execution: lease.execution, compileMs: 0 };
    }
    const { leases } = this.#deps;
    try {
      const started = await this.#start(call, lease.startedAt, query);
      // Where others cannot be led to the execution, it is this process's own.
      const isNoted = await this.#attempt(call.key, leases.note(lease, started.execution));
      return isNoted === true ? { ...started, lease } : started;
    } catch (error) {
      await this.#attempt(call.key, leases.end(lease));
      throw error;
    }
  }

  async #start(
    call: QueryCall,
    startedAt: number,
    query: InFlightQuery<Outcome>,
  ): Promise<Collection> {
    const { engine, clock } = this.#deps;
    query.startedAt = startedAt;
    query.tell('starting');
    const compileFrom = clock.now();
    const { text, columns } = await call.compile(startedAt);
    const compileMs = clock.now() - compileFrom;
    const id = await engine.start(
      {
        text,
        width: columns.length,
        token: clientRequestToken(call.key, startedAt, text),
        caller: call.caller,
        keepMs: call.lifetimeMs > 0 ? RUN_LIMIT_MS : ABANDONED_MS,
      },
      query,
    );
    query.tell('running');
    return { execution: { id, columns }, startedAt, lease: undefined, compileMs };
  }

  async #collect(
    call: QueryCall,
    { execution, startedAt, lease, compileMs }: Collection,
    query: InFlightQuery<Outcome>,
  ): Promise<Outcome> {
    const { engine, leases, clock } = this.#deps;
    const { id, columns } = execution;
    query.startedAt = startedAt;
    try {
      const { rows, endedAt, ...took } = await engine.collect(id, columns.length, query);
      const result = { columns, rows, startedAt, createdAt: Math.min(endedAt, clock.now()) };
      // Should the table not settle it, the cost is recorded twice rather than never.
      const isClaimed =
        lease === undefined ||
        (await this.#attempt(call.key, leases.claim(lease, execution, randomUUID())));
      const recordsCost = isClaimed ?? true;
      const isKept = call.lifetimeMs > 0 && (!recordsCost || (await this.#keep(call, result)));
      if (lease !== undefined && recordsCost) await this.#attempt(call.key, leases.end(lease));
      const cost = { ...took, compileMs };
      return { state: isKept ? 'miss' : 'off', result, cost, recordsCost };
    } catch (error) {
      const goesOn = error instanceof ExecutionGoesOn;
      // The next equal call collects it.
      if (goesOn && !query.isOverdue) throw error;
      if (goesOn) await engine.cancel(id);
      if (lease !== undefined) await this.#attempt(call.key, leases.end(lease));
      throw goesOn ? tookTooLong() : error;
    }
  }

  /** Rows are answered even when they cannot be kept: they were paid for. */
  async #keep({ key, lifetimeMs }: QueryCall, result: StoredResult): Promise<boolean> {
    const { results, logger } = this.#deps;
    try {
      return await results.write(key, result, result.createdAt + 2 * lifetimeMs);
    } catch (error) {
      logger.error('rows could not be written to the cache', { key, error });
      return false;
    }
  }

  /** A lease that cannot be updated runs out by itself, so that is logged and no more. */
  async #attempt<T>(key: string, update: Promise<T>): Promise<T | undefined> {
    try {
      return await update;
    } catch (error) {
      this.#deps.logger.warn('the lease of a query could not be updated', { key, error });
      return undefined;
    }
  }
}

function tookTooLong(): ServiceError {
  return new ServiceError(
    'query_timeout',
    504,
    `The query was ended after ${RUN_LIMIT_MS / 60_000} minutes. Narrow its time range, or ask for fewer ` +
      'rows or columns.',
  );
}

function endsSoon(): ServiceError {
  return new ServiceError(
    'query_timeout',
    504,
    `The query needs more than ${CALL_DEADLINE_MS / 1_000} seconds and goes on running for ` +
      `${ABANDONED_MS / 1_000} more. Send the same request again until then to get its result.`,
  );
}
