import type { ExecutionResult, Waiting } from '../../src/platform/execution.ts';
import type { EngineQuery, QueryEngine } from '../../src/query/execution/query-engine.ts';
import { shared } from '../e2e/support/server.ts';
import { type StoppedService, startAt } from '../e2e/support/stopped-clock.ts';
import { eventually } from '../query/support.ts';

/** Counts the runs of an engine, and makes them fail or wait when it is told to. */
export class WatchedEngine implements QueryEngine {
  readonly target: QueryEngine['target'];
  readonly durable: boolean;
  readonly #engine: QueryEngine;
  readonly #held = new Map<string, Promise<void>>();
  #before: () => Promise<void> = async () => {};
  runs = 0;

  constructor(engine: QueryEngine) {
    this.#engine = engine;
    this.target = engine.target;
    this.durable = engine.durable;
  }

  start(query: EngineQuery, waiting: Waiting): Promise<string> {
    this.runs++;
    const before = this.#before();
    // Told to the caller who waits for the rows.
    before.catch(() => {});
    const started = this.#engine.start(query, waiting);
    this.#held.set(query.token, before);
    return started;
  }

  async collect(id: string, width: number, waiting: Waiting): Promise<ExecutionResult> {
    await this.#held.get(id);
    return this.#engine.collect(id, width, waiting);
  }

  cancel(id: string): Promise<void> {
    return this.#engine.cancel(id);
  }

  /** Lets the next run fail. */
  failOnce(error: Error): void {
    this.#before = async () => {
      this.#before = async () => {};
      throw error;
    };
  }

  /** Keeps runs waiting until the result is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#before = () => promise;
    return () => {
      this.#before = async () => {};
      resolve();
    };
  }

  /** Waits until so many runs have begun. */
  async started(runs: number): Promise<void> {
    await eventually(() => {
      if (this.runs < runs) throw new Error(`${this.runs} runs have begun, not ${runs}.`);
    });
  }
}

export interface WatchedService extends StoppedService {
  readonly engine: WatchedEngine;
}

/** The service on the local engine, with a clock that stands still, for all tests of a file. */
export function watchedService(): () => WatchedService {
  return shared(async (dataDirectory) => {
    const engines: WatchedEngine[] = [];
    const service = await startAt('2026-02-03T14:25:36.789Z', dataDirectory, {
      watch: (engine) => {
        const watched = new WatchedEngine(engine);
        engines.push(watched);
        return watched;
      },
    });
    const [engine] = engines;
    if (engine === undefined) throw new Error('The service has no engine.');
    return { ...service, engine };
  });
}
