import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';

/** What DynamoDB would answer over HTTP. */
export interface StoreAnswer {
  readonly statusCode: number;
  readonly body: object;
}

type Callback = (error: unknown, result?: object) => void;

/** The parts of a LevelDB store that dynalite calls. */
type LevelMethod = (...args: unknown[]) => unknown;

/** What `dynalite/db` makes; the rest of dynalite is given it. */
interface DynaliteDb {
  readonly db: Record<'get' | 'put' | 'del' | 'batch', LevelMethod>;
  readonly lifecycleManager: { gracefulClose(): Promise<void> };
}

interface Validation {
  readonly types: object;
  readonly custom?: unknown;
}

interface Validations {
  checkTypes(input: object, types: object): object;
  checkValidations(input: object, types: object, custom: unknown, db: DynaliteDb): void;
}

const require = createRequire(import.meta.url);
const dynalite: { create(options: { path: string; createTableMs: number }): DynaliteDb } =
  require('dynalite/db');
const validations: Validations = require('dynalite/validations');

/** DynamoDB's operations that the service uses, as dynalite's files are named. */
const OPERATIONS = [
  'BatchGetItem',
  'BatchWriteItem',
  'CreateTable',
  'DeleteItem',
  'DescribeTable',
  'GetItem',
  'PutItem',
  'Query',
  'Scan',
  'UpdateItem',
] as const;

const actions = new Map(
  OPERATIONS.map((name) => {
    const file = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    const action: (db: DynaliteDb, input: object, done: Callback) => void = require(
      `dynalite/actions/${file}`,
    );
    const validation: Validation = require(`dynalite/validations/${file}`);
    return [name as string, { action, validation }];
  }),
);

/** How long calls under way may take to end before the store is closed under them. */
const CLOSING_MS = 1_000;

/** A call under way, for what goes wrong in a callback long after it was made. */
interface Call {
  fail(error: unknown): void;
}

const current = new AsyncLocalStorage<Call>();

/**
 * dynalite without its HTTP server: nothing outside of this process can reach it, and what goes wrong in it
 * fails the call that it goes wrong for.
 */
export class DynaliteStore {
  readonly #db: DynaliteDb;
  readonly #calls = new Set<Call>();
  readonly #onFault: (error: unknown) => void;

  /**
   * @param directory a LevelDB store that can be opened.
   * @param onFault told of exceptions of dynalite's own. What it had locked then stays locked until the
   *   store is opened anew.
   */
  constructor(directory: string, onFault: (error: unknown) => void) {
    this.#onFault = onFault;
    this.#db = dynalite.create({ path: directory, createTableMs: 0 });
    catchInCallbacks(this.#db.db);
  }

  /** Carries out one operation. Never throws: every failure is an answer, as DynamoDB would give it. */
  async call(operation: string, input: unknown): Promise<StoreAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<object>();
    const call: Call = { fail: reject };
    this.#calls.add(call);
    try {
      const found = actions.get(operation);
      if (found === undefined || typeof input !== 'object' || input === null) {
        return unknownOperation();
      }
      const { action, validation } = found;
      const checked = validations.checkTypes(input, validation.types);
      validations.checkValidations(checked, validation.types, validation.custom, this.#db);
      current.run(call, () =>
        action(this.#db, checked, (error, result) =>
          error ? reject(error) : resolve(result ?? {}),
        ),
      );
      return { statusCode: 200, body: await promise };
    } catch (error) {
      return answerOf(error) ?? this.#faultOf(error);
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Lets calls under way end, for a second, and frees the directory. */
  async close(): Promise<void> {
    const closesAt = performance.now() + CLOSING_MS;
    while (this.#calls.size > 0 && performance.now() < closesAt) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    for (const call of this.#calls) call.fail(closed());
    await this.#db.lifecycleManager.gracefulClose();
  }

  #faultOf(error: unknown): StoreAnswer {
    this.#onFault(error);
    return internalError('The store failed on this call.');
  }
}

/**
 * dynalite goes on in callbacks of the LevelDB store. What such a callback throws would end the process;
 * here it ends the call that it belongs to.
 */
function catchInCallbacks(level: DynaliteDb['db']): void {
  for (const method of ['get', 'put', 'del', 'batch'] as const) {
    const original = level[method];
    level[method] = (...args) => {
      const callback = args.at(-1);
      const call = current.getStore();
      if (typeof callback !== 'function' || call === undefined) return original(...args);
      const caught = (...results: unknown[]) => {
        try {
          callback(...results);
        } catch (error) {
          call.fail(error);
        }
      };
      return original(...args.slice(0, -1), caught);
    };
  }
}

/** Errors of DynamoDB's own have a status and a body; others are faults. */
function answerOf(error: unknown): StoreAnswer | undefined {
  const { statusCode, body } = (error ?? {}) as Partial<StoreAnswer>;
  return statusCode === undefined || body === undefined ? undefined : { statusCode, body };
}

function unknownOperation(): StoreAnswer {
  const body = { __type: 'com.amazon.coral.service#UnknownOperationException' };
  return { statusCode: 400, body };
}

/** One that clients try again. */
export function internalError(message: string): StoreAnswer {
  const __type = 'com.amazonaws.dynamodb.v20120810#InternalServerError';
  return { statusCode: 500, body: { __type, message } };
}

function closed(): Error {
  return Object.assign(new Error('The store is closed.'), internalError('The store is closed.'));
}
