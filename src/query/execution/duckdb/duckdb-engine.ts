import { type DuckDBConnection, StatementType } from '@duckdb/node-api';
import type { Clock } from '../../../platform/clock.ts';
import { systemSleep } from '../../../platform/concurrency/sleep.ts';
import { queryTooLarge } from '../../../platform/errors.ts';
import {
  ExecutionGoesOn,
  type ExecutionResult,
  type Waiting,
  type WireRow,
} from '../../../platform/execution.ts';
import type { Logger } from '../../../platform/log.ts';
import type { EngineQuery, QueryEngine } from '../query-engine.ts';
import { ConnectionPool } from './connection-pool.ts';
import { busy, lost, MAX_WAITING_PER_CALLER, stopping, toServiceError } from './duckdb-errors.ts';
import { readWireRows } from './duckdb-rows.ts';
import { DEFAULT_LOCAL_LIMITS, type LocalLimits } from './local-limits.ts';
import { MemoryGuard } from './memory-guard.ts';

/** Queries that may wait for one of the connections. */
const MAX_WAITING = 32;
/** Below what a caller waits for, so that a query which did not begin is not said to go on. */
const MAX_WAITING_MS = 20_000;
const MIB = 1024 ** 2;
/** An interrupt that arrives between two statements is lost, so it is repeated until one hits. */
const INTERRUPT_EVERY_MS = 20;
/** Executions whose callers have gone, with the rows of those that have ended. */
const MAX_LEFT = 8;
/** The longest delay of a timer; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface DuckdbEngineOptions {
  readonly connections: readonly DuckDBConnection[];
  /** All that statements may name. */
  readonly tables: readonly QueriedTable[];
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Given the text of an error, takes damaged files that it names out of the tables. A query runs again
   * when there were any.
   *
   * @default never are any
   */
  readonly repair?: (error: string) => Promise<boolean>;
  /** Default: those of a laptop. */
  readonly limits?: Pick<LocalLimits, 'queryMemoryMiB' | 'resultMiB' | 'queriesPerKey'>;
}

/** What the engine needs of a table of the lake. */
export interface QueriedTable {
  /** As statements name it, quotes included. */
  readonly name: string;
  /** Makes all acknowledged rows visible, where they are not anyway. */
  load?(): Promise<void>;
  /** Keeps what is visible now readable until the function that it returns is called. */
  pin(): () => void;
  readonly bytes: number;
}

/** A statement under way, or its rows until a caller has them. */
interface Execution {
  readonly result: Promise<ExecutionResult>;
  readonly abort: AbortController;
  readonly keepMs: number;
  /** Callers that wait for the rows. */
  waiters: number;
  /** Whether callers have gone without them. */
  isLeft: boolean;
  /** Gives it up unless a caller comes again. */
  idle?: NodeJS.Timeout;
}

/** Runs statements printed for DuckDB on a fixed set of connections. */
export class DuckdbEngine implements QueryEngine {
  readonly target = 'duckdb';
  readonly durable = false;
  readonly #pool: ConnectionPool;
  readonly #tables: readonly QueriedTable[];
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #memory: MemoryGuard;
  readonly #maxResultBytes: number;
  readonly #repair: (error: string) => Promise<boolean>;
  /** By token, which is their id. */
  readonly #executions = new Map<string, Execution>();
  #closed: Promise<void> | undefined;

  constructor(options: DuckdbEngineOptions) {
    const { limits = DEFAULT_LOCAL_LIMITS } = options;
    this.#pool = new ConnectionPool(options.connections, {
      perCaller: limits.queriesPerKey,
      maxWaiting: MAX_WAITING,
      maxWaitingPerCaller: MAX_WAITING_PER_CALLER,
    });
    this.#memory = new MemoryGuard(limits.queryMemoryMiB * MIB, options.logger);
    this.#repair = options.repair ?? (async () => false);
    this.#maxResultBytes = limits.resultMiB * MIB;
    this.#tables = options.tables;
    this.#clock = options.clock;
    this.#logger = options.logger;
  }

  /**
   * See {@link QueryEngine.start}. A caller has as many executions at a time as `queriesPerKey` says; the
   * others wait while those of other callers pass.
   */
  async start(query: EngineQuery): Promise<string> {
    if (this.#closed !== undefined) throw stopping();
    const { token: id } = query;
    if (!this.#executions.has(id)) {
      const execution = this.#begin(query);
      this.#executions.set(id, execution);
      this.#release(id, execution);
    }
    return id;
  }

  /**
   * See {@link QueryEngine.collect}. The rows are had once, by all who wait for them then; a failure says that
   * another execution may end differently where this process knows of none under this id.
   *
   * `bytesScanned` is an upper bound: the size of all files and pending rows that the statement can
   * reach. DuckDB tells what it really read only in a file that it writes, and a full disk would
   * then fail queries too.
   */
  async collect(id: string, _width: number, waiting: Waiting): Promise<ExecutionResult> {
    const execution = this.#executions.get(id);
    if (execution === undefined) throw lost();
    clearTimeout(execution.idle);
    execution.waiters += 1;
    try {
      return await this.#resultOf(id, execution, waiting);
    } finally {
      execution.waiters -= 1;
      execution.isLeft = true;
      this.#release(id, execution);
    }
  }

  /** See {@link QueryEngine.cancel}. */
  async cancel(id: string): Promise<void> {
    const execution = this.#executions.get(id);
    if (execution !== undefined && execution.waiters <= 1) this.#giveUp(id, execution);
  }

  /** Ends running queries; they fail as `engine_throttled`, because another try may succeed. */
  close(): Promise<void> {
    if (this.#closed === undefined) {
      for (const { idle, abort } of this.#executions.values()) {
        clearTimeout(idle);
        abort.abort(stopping());
      }
      this.#closed = this.#pool.drained();
    }
    return this.#closed;
  }

  #begin(query: EngineQuery): Execution {
    const abort = new AbortController();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    abort.signal.addEventListener('abort', () => reject(abort.signal.reason), { once: true });
    // A statement heeds its interruption late where it is at work on a large vector.
    const result = Promise.race([this.#execute(query, abort), aborted]);
    // It may fail before a caller asks for its rows.
    result.catch(() => {});
    return { result, abort, keepMs: query.keepMs, waiters: 0, isLeft: false };
  }

  /** Waits as long as a caller does; the rows are forgotten when one has them. */
  async #resultOf(id: string, { result }: Execution, waiting: Waiting): Promise<ExecutionResult> {
    const hasEnded = result.then(
      () => true,
      () => true,
    );
    for (;;) {
      const remainingMs = waiting.until - this.#clock.now();
      if (remainingMs <= 0) throw new ExecutionGoesOn();
      const awake = new AbortController();
      const pause = systemSleep(Math.min(remainingMs, MAX_TIMER_MS), awake.signal);
      const isThere = await Promise.race([hasEnded, pause]);
      awake.abort();
      if (isThere) {
        this.#executions.delete(id);
        return result;
      }
    }
  }

  /** Keeps an execution for which no caller waits for a while; of those that were left no more than a few. */
  #release(id: string, execution: Execution): void {
    if (execution.waiters > 0 || this.#executions.get(id) !== execution) return;
    execution.idle = setTimeout(() => this.#giveUp(id, execution), execution.keepMs);
    // The oldest go first.
    this.#executions.delete(id);
    this.#executions.set(id, execution);
    const left = [...this.#executions].filter(([, each]) => each.isLeft && each.waiters === 0);
    for (const [oldest, each] of left.slice(0, -MAX_LEFT)) this.#giveUp(oldest, each);
  }

  #giveUp(id: string, execution: Execution): void {
    clearTimeout(execution.idle);
    this.#executions.delete(id);
    execution.abort.abort(lost());
  }

  async #execute(query: EngineQuery, abort: AbortController): Promise<ExecutionResult> {
    const queuedAt = performance.now();
    const { signal } = abort;
    const { caller } = query;
    try {
      const connection = await this.#acquire(caller, abort);
      try {
        for (const table of this.#tables) await table.load?.();
        const startedAt = performance.now();
        // Before the transaction, whose view of the files is fixed when it begins.
        const pins = this.#tables.map((table) => table.pin());
        const unwatch = this.#memory.watch(() => abort.abort(queryTooLarge()));
        try {
          const rows = await readInterruptibly(connection, query, signal, this.#maxResultBytes);
          return {
            rows,
            bytesScanned: this.#reachableBytes(query),
            queueMs: startedAt - queuedAt,
            engineMs: performance.now() - startedAt,
            endedAt: this.#clock.now(),
          };
        } finally {
          unwatch();
          for (const unpin of pins) unpin();
        }
      } finally {
        this.#pool.release(caller, connection);
      }
    } catch (error) {
      // Each time there is a file less that could fail.
      if (!signal.aborted && (await this.#isRepaired(error))) return this.#execute(query, abort);
      throw toServiceError(error, signal, this.#logger);
    }
  }

  async #isRepaired(error: unknown): Promise<boolean> {
    if (!String(error).includes('.parquet')) return false;
    try {
      return await this.#repair(String(error));
    } catch (cause) {
      this.#logger.error('files of the lake could not be checked', { error: cause });
      return false;
    }
  }

  async #acquire(caller: string, abort: AbortController): Promise<DuckDBConnection> {
    const tooLong = setTimeout(() => abort.abort(busy()), MAX_WAITING_MS);
    try {
      return await this.#pool.acquire(caller, abort.signal);
    } finally {
      clearTimeout(tooLong);
    }
  }

  #reachableBytes({ text }: EngineQuery): number {
    const tables = this.#tables.filter(({ name }) => text.includes(name));
    return tables.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

/** One statement in one transaction, so that it sees one state of the lake from start to end. */
async function readInterruptibly(
  connection: DuckDBConnection,
  query: EngineQuery,
  signal: AbortSignal,
  maxBytes: number,
): Promise<WireRow[]> {
  let repeat: NodeJS.Timeout | undefined;
  const interrupt = () => {
    connection.interrupt();
    repeat = setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS);
  };
  await connection.run('BEGIN TRANSACTION READ ONLY');
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', interrupt, { once: true });
    return await readRows(connection, query, maxBytes);
  } finally {
    signal.removeEventListener('abort', interrupt);
    clearInterval(repeat);
    await connection.run('ROLLBACK');
  }
}

async function readRows(
  connection: DuckDBConnection,
  query: EngineQuery,
  maxBytes: number,
): Promise<WireRow[]> {
  // The compiler prints one SELECT and nothing else.
  const extracted = await connection.extractStatements(query.text);
  if (extracted.count !== 1) throw new Error(`there are ${extracted.count} statements, not one`);
  const statement = await extracted.prepare(0);
  try {
    if (statement.statementType !== StatementType.SELECT) {
      throw new Error('the statement is no SELECT');
    }
    if (statement.columnCount !== query.width) {
      throw new Error(
        `the statement has ${statement.columnCount} columns, not as many as declared`,
      );
    }
    // Not `stream`: a failure after its first chunks looks like the end of the rows (seen with 1.5).
    return await readWireRows(await statement.run(), maxBytes);
  } finally {
    statement.destroySync();
  }
}
