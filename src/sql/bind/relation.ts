import type { Expr } from '../tree.ts';

/** What a name in FROM stands for, while expressions over it are bound. */
export interface Relation {
  /** Columns for `*`, in order. */
  columns(): readonly { readonly label: string; readonly expr: () => Expr }[];
  /** A column that is known to exist; names are compared without case, as in BigQuery. */
  find(name: string): Expr | undefined;
  /** Set once an outer join may put NULLs in place of its rows. */
  optional: boolean;
  /** The row itself, where it is a value that may be NULL. */
  readonly value?: Expr;
  /** A column that may exist: events of a source may carry any field. */
  assume?(name: string): Expr;
}
