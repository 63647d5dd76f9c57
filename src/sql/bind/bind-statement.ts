import type { Catalog } from '../common/catalog.ts';
import { SqlError } from '../common/sql-error.ts';
import { constant } from '../ir/expr-builders.ts';
import type { Expr, Ir, QueryNode } from '../ir/ir.ts';
import { Names } from '../ir/names.ts';
import { BOOL, FLOAT64, INT64, STRING, TIMESTAMP } from '../ir/types.ts';
import { parseLql } from '../lql/lql.ts';
import type { AstQuery } from '../parse/ast.ts';
import { parse } from '../parse/parse.ts';
import { type CompileContext, TableEnvironment } from './environment.ts';
import { Scope } from './scope.ts';
import { bindQuery } from './select/bind-query.ts';
import { StatementSize } from './size.ts';

/** Value of a parameter after its declaration was applied; undeclared ones are strings. */
export type ParameterValue =
  | { readonly type: 'string'; readonly value: string | null }
  | { readonly type: 'int64'; readonly value: bigint | null }
  | { readonly type: 'float64'; readonly value: number | null }
  | { readonly type: 'bool'; readonly value: boolean | null }
  /** Microseconds since the epoch. */
  | { readonly type: 'timestamp'; readonly value: number | null };

export interface StatementInput {
  /** The endpoint's own text. */
  readonly sql: string;
  /** A consumer's text: bound over the endpoint's CTEs and nothing else. */
  readonly consumerSql?: string;
  /** Whether `consumerSql` may say `*`; it may if this is not given. */
  readonly consumerWildcards?: boolean;
  /** Whether it may use a table's name as a value; as `consumerWildcards` if this is not given. */
  readonly consumerWholeRows?: boolean;
  /** The same in LQL; `consumerSql` wins. */
  readonly consumerLql?: string;
  /** Whether `consumerLql` gives whole rows, the newest first; it gives columns if this is not given. */
  readonly consumerNewest?: boolean;
  readonly catalog: Catalog;
  /** Values by name; a name that the text uses but is missing here is a NULL string. */
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  /** What CURRENT_TIMESTAMP means, microseconds since the epoch. */
  readonly nowUs: number;
  /** Rows the answer may have: 1 to 10,000. */
  readonly maxRows: number;
  /** Also binds CTEs that the query does not reach, so that a text is checked whole when saved. */
  readonly checkAll?: boolean;
}

/** A statement with names resolved, types found and constants computed. */
export interface BoundStatement {
  readonly ir: Ir;
  /** Sentences for the author, such as fields that no event has shown yet. */
  readonly warnings: readonly string[];
}

/** @throws SqlError for what does not parse, names what it may not, or uses what is not supported. */
export function bindStatement(input: StatementInput): BoundStatement {
  const context = compileContext(input);
  const root = bindRoot(input, context);
  const limit = Math.min(root.limit ?? input.maxRows, input.maxRows);
  const { ctes, scans, names } = context;
  const ir = { root: { ...root, limit }, ctes, scans, names: names.count, passes: [] };
  return { ir, warnings: [...context.warnings] };
}

/** Binds the endpoint's query, or the consumer's over the endpoint's CTEs. */
function bindRoot(input: StatementInput, compile: CompileContext): QueryNode {
  const endpoint = parseSaved(input.sql);
  const consumer = consumerQuery(input, endpoint, compile);
  const sources = TableEnvironment.ofSources(input.catalog);
  if (consumer === undefined) {
    // As it will be bound when it runs, and only then what it does not read.
    const root = bind(endpoint, input.sql, sources, compile);
    if (input.checkAll) sources.withCtes(endpoint.ctes, input.sql).bindAll(compile);
    return root;
  }
  const isLql = input.consumerSql === undefined;
  const wildcards = input.consumerWildcards ?? true;
  const sealed = TableEnvironment.forConsumer(sources.withCtes(endpoint.ctes, input.sql), {
    wildcards: isLql || wildcards,
    wholeRows: isLql || (input.consumerWholeRows ?? wildcards),
    language: isLql ? 'lql' : 'sql',
  });
  const root = bind(consumer.query, consumer.text, sealed, compile);
  // Nothing to graft onto: the text is checked, and the endpoint's own query answers (Logflare 1.50).
  return endpoint.ctes.length === 0 ? bind(endpoint, input.sql, sources, compile) : root;
}

/** Trees of saved queries by their text: the same few are compiled over and over, and never changed. */
const saved = new Map<string, AstQuery>();
const MAX_SAVED = 200;

/** Parses a saved query, or remembers its tree. */
export function parseSaved(sql: string): AstQuery {
  const known = saved.get(sql);
  if (known !== undefined) return known;
  const query = parse(sql);
  if (saved.size >= MAX_SAVED) saved.clear();
  saved.set(sql, query);
  return query;
}

function consumerQuery(
  { consumerSql, consumerLql, consumerNewest: newest = false }: StatementInput,
  endpoint: AstQuery,
  { nowUs }: CompileContext,
): { readonly query: AstQuery; readonly text: string } | undefined {
  if (consumerSql !== undefined) return { query: parse(consumerSql), text: consumerSql };
  if (consumerLql === undefined) return undefined;
  const tables = endpoint.ctes.map((cte) => cte.name.text);
  return { query: parseLql(consumerLql, { tables, nowUs, newest }), text: consumerLql };
}

function bind(
  ast: AstQuery,
  text: string,
  environment: TableEnvironment,
  compile: CompileContext,
): QueryNode {
  return bindQuery(ast, { compile, text, environment, scope: new Scope() });
}

/** The state that one compilation begins with. */
export function compileContext(input: StatementInput): CompileContext {
  return {
    names: new Names(),
    size: new StatementSize(),
    parameter: (name) =>
      parameterLiteral(
        name,
        Object.hasOwn(input.parameters, name) ? input.parameters[name] : undefined,
      ),
    nowUs: BigInt(Math.trunc(input.nowUs)),
    ctes: [],
    warnings: new Set(),
    scans: [],
    endpoints: new Map(),
  };
}

/** Neither engine takes a NUL inside a statement, and lone surrogates are not UTF-8. */
function textParameter(name: string, value: string | null): string | null {
  if (value?.includes('\u0000')) {
    throw new SqlError('sql_type', `The parameter @${name} holds a NUL character`);
  }
  return value?.toWellFormed() ?? null;
}

function parameterLiteral(name: string, parameter: ParameterValue | undefined): Expr {
  switch (parameter?.type) {
    case 'int64':
      return constant(INT64, parameter.value);
    case 'float64':
      return constant(FLOAT64, parameter.value);
    case 'bool':
      return constant(BOOL, parameter.value);
    case 'timestamp':
      return constant(
        TIMESTAMP,
        parameter.value === null ? null : BigInt(Math.trunc(parameter.value)),
      );
    default:
      return {
        op: 'const',
        type: STRING,
        value: textParameter(name, parameter?.value ?? null),
        parameter: name,
      };
  }
}
