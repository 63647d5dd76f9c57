import type { Endpoint } from '../catalog/types.ts';
import type { Clock } from '../platform/clock.ts';
import { type Sleep, systemSleep } from '../platform/concurrency/sleep.ts';
import { isTemporary } from '../platform/dynamo/dynamo-failure.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import type { SqlTarget } from '../sql/common/result-schema.ts';
import type { CompiledQuery } from '../sql/compile.ts';
import { acceptedAge } from './cache/cache-control.ts';
import type { ResultStore } from './cache/result-cache-store.ts';
import { decodeRows, type ResultRow } from './decoding/decode.ts';
import type { ExecutionLeases } from './execution/execution-leases.ts';
import { InFlightQueries, type QueryCall } from './execution/in-flight-queries.ts';
import type { CacheState, Outcome } from './execution/outcome.ts';
import type { QueryEngine } from './execution/query-engine.ts';
import { CALL_DEADLINE_MS } from './execution/timeouts.ts';
import type { CallInput } from './parameters/parameters.ts';
import { type CompileDeps, checkDraft, compileCall, type QueryDraft } from './plan/compile-call.ts';
import { type CompositionDeps, composedEndpoints } from './plan/endpoint-references.ts';
import { memoize } from './plan/memoize.ts';
import {
  cacheKey,
  decodeParameters,
  encodeParameters,
  planQuery,
  type QueryPlan,
} from './plan/query-plan.ts';
import { ResultCache } from './result-cache.ts';
import { noQueryLog, type QueryLog } from './usage/query-log-record.ts';
import { CallRecorder, languageOf, usageOf } from './usage/usage.ts';
import type { WarmEntry, WarmQueryStore } from './warming/warm-list.ts';

export interface EndpointServiceDeps extends CompileDeps {
  readonly engine: QueryEngine;
  readonly results: ResultStore;
  readonly leases: ExecutionLeases;
  readonly warm: WarmQueryStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sleep?: Sleep;
  /** Told of every call. Default: no log is kept. */
  readonly queryLog?: QueryLog;
  /**
   * Whether calls are run without the cache while its table does not take what is written to it, and
   * not refused. Nothing then keeps equal calls of several processes apart. Default false.
   */
  readonly runsWithoutCache?: boolean;
}

export interface EndpointCall {
  readonly input: CallInput;
  readonly redact: boolean;
  /** The `Cache-Control` header of the request. */
  readonly cacheControl?: string | undefined;
  /** Id of the caller's access key; undefined without one. */
  readonly keyId?: string | undefined;
  /** Aborted when the caller has hung up. */
  readonly gone?: AbortSignal | undefined;
  /** What the record says that the call was for. Default `call`. */
  readonly origin?: 'call' | 'query' | 'alert';
  /** Whether the caller's LQL gives whole rows, the newest first, and not columns. Default false. */
  readonly newest?: boolean;
  /** When the caller stops waiting, milliseconds since the epoch. Default {@link CALL_DEADLINE_MS} from now. */
  readonly deadline?: number;
}

export interface EndpointAnswer {
  readonly rows: readonly ResultRow[];
  readonly cache: CacheState;
  /** Whole seconds since the rows were made. */
  readonly ageSeconds: number;
  /** Whole seconds for which the rows stay fresh; undefined when they must not be kept. */
  readonly freshSeconds: number | undefined;
  readonly bytesScanned: number;
  /** Milliseconds. */
  readonly timing: {
    readonly compile: number;
    readonly queue: number;
    readonly engine: number;
    readonly decode: number;
  };
}

/** The two printed statements, the columns of the answer, and what is scanned. */
export interface Explanation extends Pick<CompiledQuery, 'columns' | 'scans' | 'warnings'> {
  readonly athena: string;
  readonly duckdb: string;
}

export interface ParsedText {
  /** Names of the `@parameters`, those of endpoints that it reads included. */
  readonly parameters: readonly string[];
  /** The text as it was given: other endpoints are read by name, not pasted in. */
  readonly expanded_query: string;
  /** Endpoints that it reads as tables, at any depth. */
  readonly endpoints: readonly string[];
}

export type { QueryDraft, SqlCompiler } from './plan/compile-call.ts';

/** Runs saved queries: binds, looks into the cache, compiles, runs, decodes. */
export class EndpointService {
  readonly #deps: EndpointServiceDeps;
  readonly #cache: ResultCache;
  readonly #inFlight: InFlightQueries;
  readonly #recorder: CallRecorder;
  readonly #parameterNames: (sql: string) => string[];
  readonly #composition: CompositionDeps;

  constructor(deps: EndpointServiceDeps) {
    this.#deps = deps;
    const timed = { ...deps, sleep: deps.sleep ?? systemSleep };
    this.#inFlight = new InFlightQueries(timed);
    this.#cache = new ResultCache(timed, this.#inFlight);
    this.#recorder = new CallRecorder(deps.queryLog ?? noQueryLog, deps.engine);
    this.#parameterNames = memoize((sql) => deps.compiler.parameterNames(sql));
    const { registry, compiler } = deps;
    const freeNames = memoize((sql) => compiler.freeNames(sql));
    const tableNames = memoize((sql) => compiler.tableNames(sql));
    this.#composition = { registry, compiler: { freeNames, tableNames } };
  }

  /**
   * Answers a call. The caller has been authorised.
   *
   * @throws ServiceError 400 for what the caller got wrong (`missing_parameter`, `invalid_parameter`,
   *   `unknown_parameter`, `source_deleted`, SqlError), 504 `query_timeout` after
   *   25 seconds, and whatever the engine throws.
   */
  async run(endpoint: Endpoint, call: EndpointCall): Promise<EndpointAnswer> {
    const { origin = 'call' } = call;
    const language = languageOf(endpoint, call.input, origin);
    const usage = usageOf(endpoint, language, call.keyId);
    try {
      const { answer, cost } = await this.#answer(endpoint, call);
      await this.#recorder.answered(usage, origin, {
        ...answer,
        state: answer.cache,
        rows: answer.rows.length,
        cost,
      });
      return answer;
    } catch (error) {
      await this.#recorder.failed(usage, origin, error);
      throw error;
    }
  }

  async #answer(endpoint: Endpoint, call: EndpointCall) {
    const { clock } = this.#deps;
    const arrivedAt = clock.now();
    const composed = await composedEndpoints(endpoint, this.#composition);
    const plan = planQuery(endpoint, composed, call.input, this.#parameterNames, call.newest);
    const plannedAt = clock.now();
    const key = cacheKey(plan);
    const [outcome] = await Promise.all([
      this.#resolve(plan, key, arrivedAt, call).catch(rethrow),
      this.#noteRead(plan, key),
    ]);
    const decodeFrom = clock.now();
    const rows = decodeRows(outcome.result.columns, outcome.result.rows, {
      redact: call.redact,
      nestedRecords: endpoint.nested_records,
    });
    const answer = {
      rows,
      ...this.#freshness(outcome, endpoint),
      bytesScanned: outcome.cost?.bytesScanned ?? 0,
      timing: {
        compile: plannedAt - arrivedAt + (outcome.cost?.compileMs ?? 0),
        queue: outcome.cost?.queueMs ?? 0,
        engine: outcome.cost?.engineMs ?? 0,
        decode: clock.now() - decodeFrom,
      },
    };
    return { answer, cost: outcome.recordsCost ? outcome.cost : undefined };
  }

  /**
   * Replaces the rows of a call that was made before, as the warmer asks for it.
   *
   * @param deadline milliseconds since the epoch until which to wait.
   * @returns `busy` when another process has replaced them, `running` when the deadline passed first.
   * @throws ServiceError as {@link run}.
   */
  async refresh(
    endpoint: Endpoint,
    entry: WarmEntry,
    deadline: number,
  ): Promise<'refreshed' | 'busy' | 'running'> {
    const { consumer } = entry;
    const usage = usageOf(endpoint, consumer?.language ?? 'none', undefined);
    try {
      const composed = await composedEndpoints(endpoint, this.#composition);
      const plan = { endpoint, composed, consumer, parameters: decodeParameters(entry.parameters) };
      const outcome = await this.#refreshed(plan, deadline);
      if (typeof outcome === 'string') return outcome;
      const { state, result, cost, recordsCost } = outcome;
      await this.#recorder.answered(usage, 'warmer', {
        state,
        rows: result.rows.length,
        ageSeconds: 0,
        cost: recordsCost ? cost : undefined,
        timing: { compile: cost?.compileMs ?? 0, decode: 0 },
      });
      return 'refreshed';
    } catch (error) {
      await this.#recorder.failed(usage, 'warmer', error);
      throw error;
    }
  }

  #refreshed(plan: QueryPlan, deadline: number) {
    const { proactive_requerying_seconds: interval } = plan.endpoint;
    return this.#cache.refresh({
      ...this.#queryCall(plan, cacheKey(plan), deadline),
      notBefore: this.#deps.clock.now() - interval * 1_000 + 1,
      acceptsStale: false,
    });
  }

  /**
   * What a call would run, for the query's author: the statements for both engines, and what they
   * read. Nothing runs.
   *
   * @throws ServiceError as {@link run}.
   */
  async explain(endpoint: Endpoint, input: CallInput): Promise<Explanation> {
    const composed = await composedEndpoints(endpoint, this.#composition);
    const plan = planQuery(endpoint, composed, input, this.#parameterNames);
    const nowUs = this.#deps.clock.now() * 1_000;
    const compileFor = (target: SqlTarget) =>
      compileCall(plan, { ...this.#deps, engine: { target } }, nowUs);
    const [athena, duckdb] = await Promise.all([compileFor('athena'), compileFor('duckdb')]);
    const { columns, scans, warnings } = athena;
    return { athena: athena.text, duckdb: duckdb.text, columns, scans, warnings };
  }

  /**
   * Checks a text that is not saved, and says what it takes and reads.
   *
   * @throws SqlError
   */
  async parse(sql: string): Promise<ParsedText> {
    const text = { query: sql, source_mapping: {} };
    const composed = await composedEndpoints(text, this.#composition);
    await this.checkQuery({ query: sql, parameters: [], sandboxable: false, max_limit: 1_000 });
    const texts = [sql, ...composed.map(({ query }) => query)];
    return {
      parameters: [...new Set(texts.flatMap((each) => this.#parameterNames(each)))],
      expanded_query: sql,
      endpoints: composed.map(({ name }) => name),
    };
  }

  /** See {@link checkDraft}. */
  readonly checkQuery = (draft: QueryDraft) =>
    checkDraft(draft, this.#deps, this.#deps.clock.now() * 1_000);

  #resolve(
    plan: QueryPlan,
    key: string,
    arrivedAt: number,
    { cacheControl, keyId, gone, deadline = arrivedAt + CALL_DEADLINE_MS }: EndpointCall,
  ): Promise<Outcome> {
    // How old rows the caller takes, seconds.
    const accepted = acceptedAge(cacheControl);
    const query = this.#queryCall(plan, key, deadline, keyId);
    const alone = { ...query, lifetimeMs: 0, gone };
    if (query.lifetimeMs <= 0) return this.#inFlight.runAlone(alone);
    const oldest = Math.min(query.lifetimeMs, (accepted ?? Number.POSITIVE_INFINITY) * 1_000);
    const cached = this.#cache.resolve({
      ...query,
      notBefore: arrivedAt - oldest + 1,
      // RFC 9111 5.2.1.1: who limits the age does not want older rows, whatever happens.
      acceptsStale: accepted === undefined,
    });
    if (!this.#deps.runsWithoutCache) return cached;
    return cached.catch((error) => {
      if (!isTemporary(error)) throw error;
      const { token } = plan.endpoint;
      this.#deps.logger.warn('a query runs without the cache', { endpoint: token, error });
      return this.#inFlight.runAlone(alone);
    });
  }

  /** @param keyId calls without a key, and those of the warmer, count for their endpoint. */
  #queryCall(plan: QueryPlan, key: string, deadline: number, keyId?: string): QueryCall {
    return {
      key,
      lifetimeMs: plan.endpoint.cache_duration_seconds * 1_000,
      deadline,
      caller: keyId ?? plan.endpoint.token,
      compile: (startedAt) => compileCall(plan, this.#deps, startedAt * 1_000),
    };
  }

  /** An answer does not fail because the warmer will not hear of it. */
  async #noteRead({ endpoint, consumer, parameters }: QueryPlan, key: string): Promise<void> {
    const { cache_duration_seconds: duration, proactive_requerying_seconds: interval } = endpoint;
    if (duration <= 0 || interval <= 0) return;
    const call = {
      key,
      endpoint: endpoint.token,
      version: endpoint.version,
      parameters: encodeParameters(parameters),
      consumer,
    };
    try {
      await this.#deps.warm.recordRead(call, duration * 1_000);
    } catch (error) {
      const { token } = endpoint;
      this.#deps.logger.warn('a read could not be noted for warming', { endpoint: token, error });
    }
  }

  #freshness({ state, result }: Outcome, endpoint: Endpoint) {
    const ageMs = Math.max(0, this.#deps.clock.now() - result.createdAt);
    const leftMs = Math.max(0, endpoint.cache_duration_seconds * 1_000 - ageMs);
    return {
      cache: state,
      ageSeconds: Math.floor(ageMs / 1_000),
      freshSeconds: state === 'off' ? undefined : Math.floor(leftMs / 1_000),
    };
  }
}

/** The cache table has the leases that keep equal calls together, so without it there is no answer. */
function rethrow(error: unknown): never {
  if (!isTemporary(error)) throw error;
  throw new ServiceError(
    'cache_unavailable',
    503,
    'The cache of results does not answer at the moment. Try again.',
    { cause: error, retryAfterSeconds: 1 },
  );
}
