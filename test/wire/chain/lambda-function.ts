import { Worker } from 'node:worker_threads';
import type { ChainClock } from './clock.ts';

export interface FunctionOptions {
  readonly name: string;
  /** The bundle's ES module. */
  readonly bundle: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly clock: ChainClock;
  /** Gets what the function prints. */
  readonly onOutput: (text: string) => void;
}

/** How an invocation ends that has no answer. */
export class FunctionError extends Error {
  readonly kind: 'threw' | 'timed out' | 'ended';

  constructor(name: string, kind: FunctionError['kind'], details = '') {
    super(`The ${name} function ${kind}. ${details}`);
    this.name = 'FunctionError';
    this.kind = kind;
  }
}

type Outcome = { readonly answer: unknown } | { readonly error: string };

/**
 * A function as Lambda runs it: instances that begin with nothing in memory, take one event at a time,
 * stay for the next one, and end when an event takes longer than the function's timeout.
 */
export class LambdaFunction {
  readonly #options: FunctionOptions;
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();

  constructor(options: FunctionOptions) {
    this.#options = options;
  }

  /** Instances that were started so far. */
  coldStarts = 0;

  /** @throws FunctionError */
  async invoke(event: unknown): Promise<unknown> {
    const instance = this.#idle.pop() ?? this.#start();
    const outcome = await this.#outcome(instance, event);
    this.#idle.push(instance);
    if ('error' in outcome) throw new FunctionError(this.#options.name, 'threw', outcome.error);
    return outcome.answer;
  }

  /** Ends all instances: the next event meets a new one. */
  async close(): Promise<void> {
    this.#idle.length = 0;
    await Promise.all([...this.#all].map((instance) => instance.terminate()));
  }

  #start(): Worker {
    this.coldStarts += 1;
    const { bundle, environment, clock, onOutput } = this.#options;
    const instance = new Worker(new URL('./function-thread.ts', import.meta.url), {
      workerData: { bundle, clock: clock.memory },
      env: { ...environment },
      // Not what the test runner was started with.
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    instance.stdout.setEncoding('utf8').on('data', onOutput);
    instance.stderr.setEncoding('utf8').on('data', onOutput);
    this.#all.add(instance);
    instance.once('exit', () => this.#all.delete(instance));
    return instance;
  }

  async #outcome(instance: Worker, event: unknown): Promise<Outcome> {
    const { name, timeoutMs } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const fail = (error: unknown) => reject(new FunctionError(name, 'ended', String(error)));
    const timer = setTimeout(() => {
      void instance.terminate();
      reject(new FunctionError(name, 'timed out'));
    }, timeoutMs);
    instance.once('message', resolve).once('error', fail).once('exit', fail);
    instance.postMessage(event);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      instance.off('message', resolve).off('error', fail).off('exit', fail);
    }
  }
}
