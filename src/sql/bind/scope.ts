import type { Expr, JsonExpr } from '../ir/ir.ts';
import type { Relation } from './from/relation.ts';

/**
 * What FROM brings in: a relation, an alias of JSON that needs no join, the element of an array, or a
 * column that USING merged.
 */
export interface ScopeEntry {
  /** Alias, or the table's own name; undefined for an UNNEST without alias and for a merged column. */
  readonly name: string | undefined;
  readonly target:
    | { readonly kind: 'relation'; readonly relation: Relation }
    | { readonly kind: 'json'; readonly json: JsonExpr }
    | { readonly kind: 'value'; readonly expr: Expr }
    /** A column that USING made of one on either side of a join. */
    | { readonly kind: 'merged'; readonly label: string; readonly expr: () => Expr };
  /** Columns, in lower case, that USING has merged: only with the entry's name before them are they read. */
  readonly merged: Set<string>;
}

/** Names that expressions of one SELECT may use; subqueries see those of the outer ones too. */
export class Scope {
  readonly parent: Scope | undefined;
  readonly entries: ScopeEntry[] = [];

  constructor(parent?: Scope) {
    this.parent = parent;
  }

  add(name: string | undefined, target: ScopeEntry['target']): void {
    this.entries.push({ name, target, merged: new Set() });
  }

  /** Takes a column out of what bare names and `*` mean: USING has put another in its place. */
  hide(entry: ScopeEntry, column: string): void {
    if (entry.target.kind === 'value' || entry.target.kind === 'merged') {
      this.entries.splice(this.entries.indexOf(entry), 1);
    } else {
      entry.merged.add(column.toLowerCase());
    }
  }

  /** The entry of a name, compared without case; later entries win, as a nearer UNNEST does. */
  entry(name: string): ScopeEntry | undefined {
    const lower = name.toLowerCase();
    return this.entries.findLast((entry) => entry.name?.toLowerCase() === lower);
  }
}
