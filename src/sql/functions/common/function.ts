import type { SqlError } from '../../common/sql-error.ts';
import type {
  AggregateParts,
  Aggregation,
  ScalarFunction,
  SqlTemplate,
} from '../../ir/function.ts';
import type { ConstValue, Expr } from '../../ir/ir.ts';
import type { SqlType } from '../../ir/types.ts';
import type { Documented } from './doc.ts';

/** A call of an engine's function with the same arguments. */
export const calls =
  (name: string): SqlTemplate =>
  (args) =>
    `${name}(${args.join(', ')})`;

/** One template for both engines. */
export const both = (form: SqlTemplate): Pick<ScalarFunction, 'athena' | 'duckdb'> => ({
  athena: form,
  duckdb: form,
});

/** What an argument must be; `number` is int64 or float64, `same` one common type. */
export type ParameterKind =
  | 'string'
  | 'int64'
  | 'float64'
  | 'bool'
  | 'timestamp'
  | 'datetime'
  | 'date'
  | 'number'
  | 'same'
  | 'any'
  /** Anything with an order; JSON is read as STRING. */
  | 'ordered';

/**
 * A scalar function that binds by its signature alone. To add one, write it into the list of its folder,
 * which `../table.ts` reads; its examples are its tests and its documentation.
 *
 * @example
 * {
 *   name: 'sign',
 *   parameters: ['float64'],
 *   required: 1,
 *   result: FLOAT64,
 *   doc: doc('SIGN(x FLOAT64) -> FLOAT64', '-1, 0 or 1.', [example('SIGN(-2.5)', -1)]),
 *   ...both(calls('SIGN')),
 * }
 */
export interface SignatureFunction extends ScalarFunction, Documented {
  readonly parameters: readonly ParameterKind[];
  /** How many of the parameters must be given; the last one repeats when `variadic`. */
  readonly required: number;
  readonly variadic?: boolean;
  readonly result: SqlType | 'same';
  /**
   * Computes the call at compile time when all arguments are constants, none of them NULL; undefined
   * leaves it to the engine.
   */
  readonly fold?: (args: readonly Exclude<ConstValue, null>[]) => ConstValue | undefined;
}

/**
 * A function whose arguments need more than a signature: date parts, conditional evaluation.
 *
 * @example
 * {
 *   name: 'if',
 *   takes: [3, 3],
 *   doc: doc('IF(condition BOOL, then T, else T) -> T', 'One of two.', [example('IF(TRUE, 1, 2)', 1)]),
 *   bind: (call) => {
 *     const type = call.commonType([call.arg(1), call.arg(2)]);
 *     const when = call.argAs(0, BOOL);
 *     return caseWhen([{ when, result: call.argAs(1, type) }], call.argAs(2, type), type);
 *   },
 * }
 */
export interface CustomBoundFunction extends Documented {
  /** How many arguments it takes, at least and at most. */
  readonly takes: readonly [least: number, most: number];
  /** Said behind the refusal of one argument more, where a caller may have reason to expect one. */
  readonly noMore?: string;
  readonly bind: (call: FunctionCall) => Expr;
}

/** What a special function may ask of the call that it binds. */
export interface FunctionCall {
  readonly name: string;
  readonly safe: boolean;
  readonly count: number;
  /** Binds an argument. */
  arg(index: number): Expr;
  /** Binds an argument and converts it. */
  argAs(index: number, type: SqlType): Expr;
  /** A bare word argument in upper case, such as a date part. */
  word(index: number): string;
  /** `INTERVAL n unit`: the count as INT64 and the unit. */
  interval(index: number): { readonly amount: Expr; readonly unit: string };
  coerce(expr: Expr, type: SqlType): Expr;
  /** An explicit conversion, constants computed. */
  cast(expr: Expr, type: SqlType): Expr;
  commonType(exprs: readonly Expr[]): SqlType;
  nowUs(): bigint;
  /** The error of this call. */
  fail(message: string): SqlError;
}

export interface AggregateFunction extends Aggregation, Documented {
  readonly parameters: readonly ParameterKind[];
  readonly required: number;
  /** Result type from the types of the bound arguments. */
  readonly result: (args: readonly SqlType[]) => SqlType;
  /** Only with OVER. */
  readonly windowOnly?: boolean;
  /** Looks at the order of the whole partition: its window can have no ROWS and no RANGE. */
  readonly noFrame?: boolean;
  /**
   * What DISTINCT does: `alike`, as the result is the same without; `refused`; `window`, in windows
   * too, which Trino itself cannot do. Without this it works except in windows.
   */
  readonly distinct?: 'alike' | 'refused' | 'window';
  /** `ORDER BY` and `LIMIT` between the parentheses. */
  readonly orderAllowed?: boolean;
  /** `IGNORE NULLS` and `RESPECT NULLS`, if it takes either. */
  readonly nulls?: readonly ('ignore' | 'respect')[];
  /** A sentence if the bound arguments are not what it takes. */
  readonly check?: (args: readonly Expr[]) => string | undefined;
}

/** What follows the closing parenthesis of an aggregate: FILTER, then OVER. */
export function tail(parts: AggregateParts, condition?: string): string {
  const conditions = [parts.filter, condition].filter((text) => text !== undefined);
  const filter = conditions.length === 0 ? '' : ` FILTER (WHERE ${conditions.join(' AND ')})`;
  return `${filter}${parts.over}`;
}
