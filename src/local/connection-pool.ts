import type { DuckDBConnection } from '@duckdb/node-api';

/** Thrown by {@link ConnectionPool.acquire} when too many wait already. */
export class PoolFullError extends Error {
  override readonly name = 'PoolFullError';
}

/** A fixed set of connections and a bounded queue for them. */
export class ConnectionPool {
  readonly #idle: DuckDBConnection[];
  readonly #size: number;
  readonly #maxWaiting: number;
  #waiting: ((connection: DuckDBConnection) => void)[] = [];
  #whenIdle: (() => void) | undefined;

  constructor(connections: readonly DuckDBConnection[], maxWaiting: number) {
    this.#idle = [...connections];
    this.#size = connections.length;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * @throws PoolFullError when the queue is full; the signal's reason when it is aborted before a
   *   connection is free.
   */
  async acquire(signal: AbortSignal): Promise<DuckDBConnection> {
    signal.throwIfAborted();
    const connection = this.#idle.pop();
    if (connection) {
      return connection;
    }
    if (this.#waiting.length >= this.#maxWaiting) {
      throw new PoolFullError('too many queries wait for a connection');
    }
    return new Promise((resolve, reject) => {
      const abandon = () => {
        this.#waiting = this.#waiting.filter((waiter) => waiter !== take);
        reject(signal.reason);
      };
      const take = (free: DuckDBConnection) => {
        signal.removeEventListener('abort', abandon);
        resolve(free);
      };
      signal.addEventListener('abort', abandon, { once: true });
      this.#waiting.push(take);
    });
  }

  release(connection: DuckDBConnection): void {
    const next = this.#waiting.shift();
    if (next) {
      next(connection);
      return;
    }
    this.#idle.push(connection);
    if (this.#idle.length === this.#size) {
      this.#whenIdle?.();
    }
  }

  /** Resolves when every connection has been given back. */
  async drained(): Promise<void> {
    if (this.#idle.length < this.#size) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
  }
}
