import type { DuckDBConnection } from '@duckdb/node-api';

/** Thrown by {@link ConnectionPool.acquire} when too many wait already. */
export class PoolFullError extends Error {
  override readonly name = 'PoolFullError';
}

/** Thrown by {@link ConnectionPool.acquire} when too many of one caller wait already. */
export class CallerFullError extends Error {
  override readonly name = 'CallerFullError';
}

export interface PoolLimits {
  /** Connections that one caller may have at a time. */
  readonly perCaller: number;
  /** Callers' requests that may wait. */
  readonly maxWaiting: number;
  /** How many of these may be of one caller. */
  readonly maxWaitingPerCaller: number;
}

interface Waiter {
  readonly caller: string;
  readonly take: (connection: DuckDBConnection) => void;
}

/**
 * A fixed set of connections and a bounded queue for them. A caller that has as many as one may have
 * waits for one of these, while others pass.
 */
export class ConnectionPool {
  readonly #idle: DuckDBConnection[];
  readonly #size: number;
  readonly #limits: PoolLimits;
  /** Connections in use by caller. */
  readonly #held = new Map<string, number>();
  #waiting: Waiter[] = [];
  #whenIdle: (() => void) | undefined;

  constructor(connections: readonly DuckDBConnection[], limits: PoolLimits) {
    this.#idle = [...connections];
    this.#size = connections.length;
    this.#limits = limits;
  }

  /**
   * @throws PoolFullError or CallerFullError when the queue is full; the signal's reason when it is
   *   aborted before a connection is free.
   */
  async acquire(caller: string, signal: AbortSignal): Promise<DuckDBConnection> {
    signal.throwIfAborted();
    const connection = this.#mayHold(caller) ? this.#idle.pop() : undefined;
    if (connection) return this.#hold(caller, connection);
    const ofCaller = this.#waiting.filter((waiter) => waiter.caller === caller).length;
    if (ofCaller >= this.#limits.maxWaitingPerCaller) {
      throw new CallerFullError('too many queries of one caller wait for a connection');
    }
    if (this.#waiting.length >= this.#limits.maxWaiting) {
      throw new PoolFullError('too many queries wait for a connection');
    }
    return new Promise((resolve, reject) => {
      const abandon = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        caller,
        take: (free) => {
          signal.removeEventListener('abort', abandon);
          resolve(this.#hold(caller, free));
        },
      };
      signal.addEventListener('abort', abandon, { once: true });
      this.#waiting.push(waiter);
    });
  }

  /** @param caller who had the connection. */
  release(caller: string, connection: DuckDBConnection): void {
    const held = (this.#held.get(caller) ?? 0) - 1;
    if (held > 0) this.#held.set(caller, held);
    else this.#held.delete(caller);
    const next = this.#waiting.find((waiter) => this.#mayHold(waiter.caller));
    if (next) {
      this.#waiting = this.#waiting.filter((other) => other !== next);
      next.take(connection);
      return;
    }
    this.#idle.push(connection);
    if (this.#idle.length === this.#size) this.#whenIdle?.();
  }

  /** Resolves when every connection has been given back. */
  async drained(): Promise<void> {
    if (this.#idle.length < this.#size) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
  }

  #mayHold(caller: string): boolean {
    return (this.#held.get(caller) ?? 0) < this.#limits.perCaller;
  }

  #hold(caller: string, connection: DuckDBConnection): DuckDBConnection {
    this.#held.set(caller, (this.#held.get(caller) ?? 0) + 1);
    return connection;
  }
}
