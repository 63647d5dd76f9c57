import type { SchemaNode } from '../lake/schema.ts';
import type { OutputColumn, SqlTarget } from './output.ts';

/** A source as the compiler sees it. */
export interface CatalogSource {
  /** UUID. */
  readonly id: string;
  readonly name: string;
  readonly schema: SchemaNode;
}

/** Everything a query may name. */
export interface Catalog {
  source(name: string): CatalogSource | undefined;
}

/** Value of a parameter after its declaration was applied; undefined declarations are strings. */
export type ParameterValue =
  | { readonly type: 'string'; readonly value: string | null }
  | { readonly type: 'int64'; readonly value: bigint | null }
  | { readonly type: 'float64'; readonly value: number | null }
  | { readonly type: 'bool'; readonly value: boolean | null }
  /** Microseconds since the epoch. */
  | { readonly type: 'timestamp'; readonly value: number | null };

export interface CompileInput {
  /** The endpoint's own text. */
  readonly sql: string;
  /** A consumer's text: bound over the endpoint's CTEs and nothing else. */
  readonly consumerSql?: string;
  readonly catalog: Catalog;
  /** Values by name; a name that the text uses but is missing here is a NULL string. */
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  /** What CURRENT_TIMESTAMP means, microseconds since the epoch. */
  readonly nowUs: number;
  readonly target: SqlTarget;
  /** Rows the answer may have: 1 to 10,000. */
  readonly maxRows: number;
  /** How the landing table is called in the target's FROM, already quoted. */
  readonly table: string;
  /** Longest time between an event's arrival and the hour its file is filed under, seconds. */
  readonly bufferSeconds: number;
}

export interface CompiledQuery {
  readonly text: string;
  readonly columns: readonly OutputColumn[];
  /** Sentences for the author, such as fields that no event has shown yet. */
  readonly warnings: readonly string[];
  /** Names of the sources that the statement reads. */
  readonly sources: readonly string[];
}

/**
 * Compiles BigQuery SQL to one statement for the target.
 *
 * @throws SqlError when the text does not parse, names what it may not, or uses what is not
 *   supported; the message says what, where, and what to write instead.
 */
export declare function compile(input: CompileInput): CompiledQuery;

/**
 * Names of the `@parameters` of a text, in order of first appearance. Strings and comments do not
 * count.
 *
 * @throws SqlError when the text does not parse.
 */
export declare function parameterNames(sql: string): string[];
