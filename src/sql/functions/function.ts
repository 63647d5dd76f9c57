import type { SqlError } from '../error.ts';
import type { ConstValue, Expr } from '../tree.ts';
import type { SqlType } from '../types.ts';
import type { Documented } from './doc.ts';

/** Prints a call for one engine from its printed arguments. */
export type Form = (args: readonly string[]) => string;

/** A call of an engine's function with the same arguments. */
export const calls =
  (name: string): Form =>
  (args) =>
    `${name}(${args.join(', ')})`;

/** One form for both engines. */
export const both = (form: Form): Pick<ScalarFunction, 'athena' | 'duckdb'> => ({
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

/** A scalar function as the printer sees it. */
export interface ScalarFunction {
  /** Name in BigQuery, lower case. */
  readonly name: string;
  readonly athena: Form;
  readonly duckdb: Form;
  /** Of functions of a time that give a time: how far the result can be from their first argument. */
  readonly moves?: TimeMove;
}

/** Microseconds by which a time can get later or earlier at most. */
export interface TimeMove {
  readonly ahead: number;
  readonly behind: number;
}

/** A scalar function that binds by its signature alone. */
export interface SimpleFunction extends ScalarFunction, Documented {
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

/** A function whose arguments need more than a signature: date parts, conditional evaluation. */
export interface SpecialFunction extends Documented {
  /** How many arguments it takes, at least and at most. */
  readonly takes: readonly [least: number, most: number];
  /** Said behind the refusal of one argument more, where a caller may have reason to expect one. */
  readonly noMore?: string;
  readonly bind: (call: SpecialCall) => Expr;
}

/** What a special function may ask of the call that it binds. */
export interface SpecialCall {
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

export interface AggregateFunction extends Documented {
  readonly parameters: readonly ParameterKind[];
  readonly required: number;
  /** Result type from the types of the bound arguments. */
  readonly result: (args: readonly SqlType[]) => SqlType;
  readonly athena: AggregateForm;
  readonly duckdb: AggregateForm;
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

export interface AggregateParts {
  readonly args: readonly string[];
  /** Type of the result. */
  readonly type: SqlType;
  readonly distinct: boolean;
  /** Condition of rows to aggregate, if any. */
  readonly filter: string | undefined;
  readonly ignoreNulls: boolean;
  /** `ORDER BY ..` inside the call, or empty. */
  readonly orderBy: string;
  readonly limit: number | undefined;
  /** ` OVER (..)`, or empty. */
  readonly over: string;
}

export type AggregateForm = (parts: AggregateParts) => string;

/** What follows the closing parenthesis of an aggregate: FILTER, then OVER. */
export function tail(parts: AggregateParts, condition?: string): string {
  const conditions = [parts.filter, condition].filter((text) => text !== undefined);
  const filter = conditions.length === 0 ? '' : ` FILTER (WHERE ${conditions.join(' AND ')})`;
  return `${filter}${parts.over}`;
}
