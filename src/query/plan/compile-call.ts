import type { ParameterDeclaration, ParsedQuery } from '../../catalog/types.ts';
import type { CompiledQuery, CompileInput } from '../../sql/compile.ts';
import type { QueryDescription } from '../../sql/describe.ts';
import { sampleParameters } from '../parameters/parameters.ts';
import {
  type CompositionRegistry,
  composedCatalog,
  composedEndpoints,
  inheritedParameters,
} from './endpoint-references.ts';
import { parsedQuery } from './parsed-query.ts';
import type { ConsumerQuery, QueryPlan } from './query-plan.ts';

export interface SqlCompiler {
  /** May give a promise, where the compiler is loaded when it is first needed. */
  compile(input: CompileInput): CompiledQuery | Promise<CompiledQuery>;
  describe(input: CompileInput): QueryDescription | Promise<QueryDescription>;
  parameterNames(sql: string): string[];
  /** Every table named, CTEs included. */
  tableNames(sql: string): string[];
  /** Tables named that no CTE of the text has. */
  freeNames(sql: string): string[];
}

export interface CompileDeps {
  readonly registry: CompositionRegistry;
  readonly compiler: SqlCompiler;
  readonly engine: { readonly target: CompileInput['target'] };
  readonly lake: QueriedLake;
}

export interface QueriedLake {
  /** The landing table as the engine names it. */
  readonly table: string;
  /** How late its files may be, seconds. */
  readonly maxFilingDelaySeconds: number;
  readonly compacted?: {
    /** As the engine names it. */
    readonly table: string;
    /** See `Registry.watermark`. */
    watermark(): Promise<number | undefined>;
  };
}

/** An endpoint that is about to be saved. */
export interface QueryDraft {
  readonly query: string;
  readonly parameters: readonly ParameterDeclaration[];
  readonly sandboxable: boolean;
  readonly max_limit: number;
  /** What names meant when it was saved before, where they are to mean that still. */
  readonly source_mapping?: Readonly<Record<string, string>>;
}

export interface DraftCheck {
  /** The sources that the query reads, by the names it uses, to their UUIDs. */
  readonly source_mapping: Record<string, string>;
  /** Sentences for the author. */
  readonly warnings: readonly string[];
  readonly parsed: ParsedQuery;
}

/**
 * Compiles what a call runs.
 *
 * @param nowUs what the query takes for the current time, microseconds since the epoch.
 * @throws SqlError, or ServiceError 400 `source_deleted`, or what reading the registry throws.
 */
export async function compileCall(
  { endpoint, composed, consumer, parameters }: QueryPlan,
  deps: CompileDeps,
  nowUs: number,
): Promise<CompiledQuery> {
  return deps.compiler.compile({
    sql: endpoint.query,
    ...consumerInput(consumer),
    consumerWildcards: endpoint.allow_wildcards,
    consumerWholeRows: endpoint.allow_whole_rows ?? endpoint.allow_wildcards,
    // Only the endpoint's own text may name sources; a consumer's sees its CTEs.
    catalog: await composedCatalog(endpoint, composed, deps),
    parameters,
    nowUs,
    maxRows: endpoint.max_limit,
    ...(await targetOf(deps)),
  });
}

/**
 * Compiles a query as it would run, without running it.
 *
 * @throws SqlError, or ServiceError 400 `invalid_parameter` when a default does not fit its type.
 */
export async function checkDraft(
  draft: QueryDraft,
  deps: CompileDeps,
  nowUs: number,
): Promise<DraftCheck> {
  const { query, parameters, source_mapping = {} } = draft;
  const text = { query, source_mapping };
  const composed = await composedEndpoints(text, deps);
  const catalog = await composedCatalog(text, composed, deps);
  const input: CompileInput = {
    sql: query,
    catalog,
    parameters: sampleParameters(inheritedParameters(parameters, composed)),
    nowUs,
    maxRows: draft.max_limit,
    // Consumers reach CTEs that the endpoint's own query leaves out, and the sources behind them.
    checkAll: true,
    ...(await targetOf(deps)),
  };
  const { sources, warnings } = await deps.compiler.compile(input);
  const description = await deps.compiler.describe(input);
  const used = [draft, ...composed].flatMap((each) => deps.compiler.parameterNames(each.query));
  const parsed = parsedQuery(parameters, composed, [...new Set(used)], description);
  const mapping = sources.flatMap((name) => {
    const source = catalog.source(name);
    return source === undefined ? [] : [[name, source.id] as const];
  });
  return { source_mapping: Object.fromEntries(mapping), warnings, parsed };
}

function consumerInput(consumer: ConsumerQuery | undefined) {
  if (consumer === undefined) return {};
  return consumer.language === 'sql'
    ? { consumerSql: consumer.text }
    : { consumerLql: consumer.text, consumerNewest: consumer.newest ?? false };
}

async function targetOf({ engine, lake }: CompileDeps) {
  const { table, maxFilingDelaySeconds, compacted } = lake;
  const watermark = await compacted?.watermark();
  const target = { target: engine.target, table, maxFilingDelaySeconds };
  return compacted === undefined || watermark === undefined
    ? target
    : { ...target, compacted: { table: compacted.table, beforeUs: watermark * 1_000 } };
}
