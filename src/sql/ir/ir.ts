/**
 * The compiler's own typed tree. Only what stands here can be printed, and every name in it was
 * resolved: this is what makes the sandbox hold by construction.
 */
import type { SchemaNode } from '../../lake/schema/schema.ts';
import type { SqlError } from '../common/sql-error.ts';
import type { Aggregation, ScalarFunction } from './function.ts';
import type { ReadableType, SqlType } from './types.ts';

/** int64, timestamp and datetime are bigint, date is `YYYY-MM-DD`. */
export type ConstValue = null | boolean | bigint | number | string;

export type ComparisonOperator = '=' | '!=' | '<' | '<=' | '>' | '>=';
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '&' | '|' | '^' | '<<' | '>>' | '%';

/** What a text is known to be: any text, or how JSON writes a number (an INT64) or a boolean. */
export type TextContent = 'text' | 'number' | 'integer' | 'boolean';

/** A step into a JSON value: a key of an object, or the place in a list, counted from zero. */
export type JsonStep = string | number;
export type JsonPath = readonly JsonStep[];

/** A column of a relation in some FROM clause. */
export interface Column {
  /** Printed name of the relation. */
  readonly relation: string;
  /** Printed name of the column. */
  readonly name: string;
  /** What it is called in messages, where its name says nothing. */
  readonly label?: string;
}

/**
 * A JSON value that is read as nothing yet: names go on into it, and its use decides what it is read as. It
 * says where the value lies; what must be put out for that, and by which query, is found out later.
 */
export interface JsonExpr {
  readonly op: 'json';
  readonly type: SqlType;
  /** The JSON text that it lies in. */
  readonly text: Expr;
  readonly path: JsonPath;
  /** What the source's events have shown at this path; undefined where nothing is known. */
  readonly node: SchemaNode | undefined;
}

export interface OrderItem {
  readonly expr: Expr;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export interface WindowSpec {
  readonly partitionBy: readonly Expr[];
  readonly orderBy: readonly OrderItem[];
  /** Printed as it stands: made of keywords and integers only. */
  readonly frame: string | undefined;
}

export interface AggregateExpr {
  readonly op: 'aggregate';
  readonly type: SqlType;
  readonly fn: Aggregation;
  readonly args: readonly Expr[];
  readonly distinct: boolean;
  readonly ignoreNulls: boolean;
  readonly filter: Expr | undefined;
  readonly orderBy: readonly OrderItem[];
  readonly limit: number | undefined;
  readonly over: WindowSpec | undefined;
}

export type Expr =
  /** A constant that does not exist; an error only if what holds it is ever printed. */
  | { readonly op: 'invalid'; readonly type: SqlType; readonly error: SqlError }
  | {
      readonly op: 'const';
      readonly type: SqlType;
      readonly value: ConstValue;
      /** The parameter that it is the value of, for messages. */
      readonly parameter?: string;
    }
  | {
      readonly op: 'column';
      readonly type: SqlType;
      readonly column: Column;
      /** The same in every row, as far as it is not NULL: see `one-value.ts`. */
      readonly oneValue?: true;
      /** No row has NULL here: COUNT of it counts rows, and the column need not be read. */
      readonly neverNull?: true;
      /** No row has NaN here: see `never-nan.ts`. */
      readonly neverNaN?: true;
      /** Of the lake: reading it never fails. */
      readonly isStored?: true;
    }
  | JsonExpr
  /** A path of a JSON text, read as a scalar of the type (dynamic: as JSON text). NULL if absent. */
  | {
      readonly op: 'json_path';
      readonly type: SqlType;
      readonly text: Expr;
      readonly path: JsonPath;
    }
  /** A text that holds what a JSON value says, read as a scalar of the type. NULL if it says none. */
  | {
      readonly op: 'read_text';
      readonly type: ReadableType;
      readonly text: Expr;
      readonly holds: TextContent;
    }
  | {
      readonly op: 'json_is_object';
      readonly type: SqlType;
      readonly text: Expr;
      readonly path: JsonPath;
    }
  /** The elements at a path: a list's, or the one object, as an array of JSON texts. */
  | {
      readonly op: 'json_elements';
      readonly type: SqlType;
      readonly text: Expr;
      readonly path: JsonPath;
    }
  | {
      readonly op: 'call';
      readonly type: SqlType;
      readonly fn: ScalarFunction;
      readonly args: readonly Expr[];
    }
  /**
   * Values that an expression says more than once, each evaluated once. The body is made of constants
   * and of `letVariable`s, and has no `let` of its own.
   */
  | {
      readonly op: 'let';
      readonly type: SqlType;
      readonly values: readonly Expr[];
      readonly body: Expr;
    }
  | { readonly op: 'and' | 'or'; readonly type: SqlType; readonly items: readonly Expr[] }
  | { readonly op: 'not'; readonly type: SqlType; readonly arg: Expr }
  | { readonly op: 'is_null'; readonly type: SqlType; readonly arg: Expr }
  | {
      readonly op: 'compare';
      readonly type: SqlType;
      readonly comparison: ComparisonOperator;
      readonly left: Expr;
      readonly right: Expr;
    }
  | {
      readonly op: 'not_distinct';
      readonly type: SqlType;
      readonly left: Expr;
      readonly right: Expr;
    }
  | {
      readonly op: 'arithmetic';
      readonly type: SqlType;
      readonly operator: ArithmeticOperator;
      readonly left: Expr;
      readonly right: Expr;
    }
  | { readonly op: 'concat'; readonly type: SqlType; readonly items: readonly Expr[] }
  | {
      readonly op: 'like';
      readonly type: SqlType;
      readonly arg: Expr;
      readonly pattern: Expr;
      readonly ignoreCase: boolean;
    }
  | {
      readonly op: 'case';
      readonly type: SqlType;
      /** If given, `when` is what it is compared with, of its type. */
      readonly operand?: Expr;
      readonly whens: readonly { readonly when: Expr; readonly result: Expr }[];
      readonly otherwise: Expr | undefined;
    }
  | { readonly op: 'cast'; readonly type: SqlType; readonly arg: Expr; readonly safe: boolean }
  | {
      readonly op: 'in_list';
      readonly type: SqlType;
      readonly arg: Expr;
      readonly items: readonly Expr[];
    }
  | {
      readonly op: 'in_query';
      readonly type: SqlType;
      readonly arg: Expr;
      readonly query: QueryNode;
    }
  /** Whether the condition is TRUE for any element; FALSE for no array. */
  | {
      readonly op: 'any_match';
      readonly type: SqlType;
      readonly array: Expr;
      /** What the condition knows the element as. */
      readonly element: Column;
      readonly condition: Expr;
    }
  | { readonly op: 'exists'; readonly type: SqlType; readonly query: QueryNode }
  | { readonly op: 'scalar_query'; readonly type: SqlType; readonly query: QueryNode }
  | { readonly op: 'array'; readonly type: SqlType; readonly items: readonly Expr[] }
  | { readonly op: 'struct'; readonly type: SqlType; readonly items: readonly Expr[] }
  | { readonly op: 'field'; readonly type: SqlType; readonly base: Expr; readonly index: number }
  /** `index` counts from zero; out of range is NULL when safe. */
  | {
      readonly op: 'element';
      readonly type: SqlType;
      readonly base: Expr;
      readonly index: Expr;
      readonly safe: boolean;
    }
  | AggregateExpr;

/** One output of a query: what clients see is `label`, what is printed is `name`. */
export interface Output {
  readonly label: string;
  /** The query gives it no name: the label is its place among those without one. */
  readonly unnamed?: true;
  readonly name: string;
  readonly type: SqlType;
  /** For JSON outputs, what events have shown of their inside. */
  readonly node: SchemaNode | undefined;
  /** Of a SELECT. Else the output is that of the query inside, or of both arms, at the same place. */
  readonly expr: Expr | undefined;
}

export interface SelectNode {
  readonly kind: 'select';
  readonly distinct: boolean;
  readonly from: FromNode | undefined;
  /** Conjuncts. */
  readonly where: readonly Expr[];
  readonly groupBy: readonly Expr[];
  readonly aggregated: boolean;
  readonly having: Expr | undefined;
}

export interface SetNode {
  readonly kind: 'set';
  readonly operation: 'union' | 'intersect' | 'except';
  readonly all: boolean;
  readonly left: QueryNode;
  readonly right: QueryNode;
}

export interface QueryNode {
  readonly kind: 'query';
  readonly body: SelectNode | SetNode | QueryNode;
  readonly outputs: readonly Output[];
  readonly orderBy: readonly OrderKey[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/** An ORDER BY of a query: one of its outputs, or an expression over its FROM. */
export interface OrderKey {
  readonly by: { readonly output: number } | { readonly expr: Expr };
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** What FROM reads under a printed name of its own, an alias. */
export type RelationNode =
  /** A scan of the statement, by its alias. */
  | { readonly kind: 'scan'; readonly alias: string }
  /** A CTE of the statement, by its name. */
  | { readonly kind: 'cte'; readonly alias: string; readonly cte: string }
  | { readonly kind: 'derived'; readonly alias: string; readonly query: QueryNode }
  | {
      readonly kind: 'unnest';
      readonly alias: string;
      readonly array: Expr;
      readonly column: string;
      readonly offset: string | undefined;
    };

export interface JoinNode {
  readonly kind: 'join';
  readonly join: 'inner' | 'left' | 'right' | 'full' | 'cross';
  readonly left: FromNode;
  readonly right: FromNode;
  readonly on: Expr | undefined;
}

export type FromNode = RelationNode | JoinNode;

/** A scan of the lake for one source. */
export interface ScanNode {
  readonly alias: string;
  /** The source's name. */
  readonly source: string;
  readonly sourceId: string;
  /** What its events have shown. */
  readonly schema: SchemaNode;
  /** Lake columns read; undefined until that is known, which is all that queries may read. */
  readonly columns: readonly string[] | undefined;
  /** Event times that can matter; prunes partitions. */
  readonly times: TimeRange;
}

/** Microseconds since the epoch; infinite where there is no bound. */
export interface TimeRange {
  readonly from: number;
  /** Not part of the range. */
  readonly before: number;
}

/** No bound. */
export const ALL_TIMES: TimeRange = {
  from: Number.NEGATIVE_INFINITY,
  before: Number.POSITIVE_INFINITY,
};

export interface CteNode {
  readonly name: string;
  readonly query: QueryNode;
}

/** A whole statement, bound. Nothing in it is ever changed: a pass makes another of it. */
export interface Ir {
  readonly root: QueryNode;
  /** CTEs that the statement reaches, each after those it reads. */
  readonly ctes: readonly CteNode[];
  readonly scans: readonly ScanNode[];
  /** How many names were made up so far. */
  readonly names: number;
  /** The passes that made it, in order. */
  readonly passes: readonly string[];
}
