import type { AstExpr, Name } from '../parse/ast.ts';

/** A dotted name, `m.` already written out as `metadata.`; at least one part. */
export interface FieldPath {
  readonly at: number;
  readonly parts: readonly Name[];
}

export type LqlComparison = '=' | '>' | '>=' | '<' | '<=';

/** What a filter asks of a value. Values are literals of the syntax tree, never text. */
export type Test =
  | { readonly kind: 'compare'; readonly op: LqlComparison; readonly value: AstExpr }
  | { readonly kind: 'between'; readonly low: AstExpr; readonly high: AstExpr }
  | { readonly kind: 'in'; readonly values: readonly AstExpr[] }
  | { readonly kind: 'null' }
  | { readonly kind: 'contains'; readonly text: AstExpr }
  | { readonly kind: 'regex'; readonly pattern: AstExpr }
  /** About the elements of a list: one of them equals the value, or matches the pattern. */
  | { readonly kind: 'includes'; readonly value: AstExpr }
  | { readonly kind: 'includes_regex'; readonly pattern: AstExpr };

export interface Filter {
  readonly kind: 'filter';
  readonly at: number;
  readonly negated: boolean;
  readonly path: FieldPath;
  readonly test: Test;
}

export const AGGREGATES = ['avg', 'count', 'countd', 'max', 'sum', 'p50', 'p95', 'p99'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

export const PERIODS = ['second', 'minute', 'hour', 'day'] as const;
export type Period = (typeof PERIODS)[number];

export type Clause =
  | Filter
  | { readonly kind: 'from'; readonly at: number; readonly table: string }
  | {
      readonly kind: 'select';
      readonly at: number;
      readonly path: FieldPath;
      readonly alias?: Name;
    }
  | { readonly kind: 'select_star'; readonly at: number }
  /** `path` is undefined for `*`. */
  | {
      readonly kind: 'aggregate';
      readonly at: number;
      readonly aggregate: Aggregate;
      readonly path: FieldPath | undefined;
    }
  | { readonly kind: 'period'; readonly at: number; readonly period: Period };
