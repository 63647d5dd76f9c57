import type { SqlType } from './types.ts';

/** What a call is printed as for one engine, of its printed arguments. */
export type SqlTemplate = (args: readonly string[]) => string;

/** A scalar function as the tree knows it. */
export interface ScalarFunction {
  /** Name in BigQuery, lower case. */
  readonly name: string;
  readonly athena: SqlTemplate;
  readonly duckdb: SqlTemplate;
  /** Of functions of a time that give a time: how far the result can be from their first argument. */
  readonly displacement?: TimeDisplacement;
}

/** Microseconds by which a time can get later or earlier at most. */
export interface TimeDisplacement {
  readonly ahead: number;
  readonly behind: number;
}

/** An aggregate or window function as the tree knows it. */
export interface Aggregation {
  /** Name in BigQuery, lower case. */
  readonly name: string;
  readonly athena: AggregateTemplate;
  readonly duckdb: AggregateTemplate;
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

export type AggregateTemplate = (parts: AggregateParts) => string;
