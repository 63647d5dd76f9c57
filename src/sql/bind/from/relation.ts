import type { Expr } from '../../ir/ir.ts';

/** A column that `*` stands for. */
export interface RelationColumn {
  /** Undefined for one that was given no name. */
  readonly label: string | undefined;
  readonly expr: () => Expr;
}

/** What a name in FROM stands for, while expressions over it are bound. */
export interface Relation {
  /** Columns for `*`, in order. */
  columns(): readonly RelationColumn[];
  /** A column that is known to exist; names are compared without case, as in BigQuery. */
  find(name: string): Expr | undefined;
  /** Set once an outer join may put NULLs in place of its rows. */
  optional: boolean;
  /** The row itself, where it is a value that may be NULL. */
  readonly value?: Expr;
  /** A column that may exist: events of a source may carry any field. */
  inferColumn?(name: string): Expr;
}
