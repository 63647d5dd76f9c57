import type { Expr, JsonExpr } from '../tree.ts';
import type { Relation } from './relation.ts';

/** A name in FROM: a relation, an alias of JSON that needs no join, or the element of an array. */
export interface ScopeEntry {
  /** Alias, or the table's own name; undefined for an UNNEST without alias. */
  readonly name: string | undefined;
  readonly target:
    | { readonly kind: 'relation'; readonly relation: Relation }
    | { readonly kind: 'json'; readonly json: JsonExpr }
    | { readonly kind: 'value'; readonly expr: Expr };
}

/** Names that expressions of one SELECT may use; subqueries see those of the outer ones too. */
export class Scope {
  readonly parent: Scope | undefined;
  readonly entries: ScopeEntry[] = [];

  constructor(parent?: Scope) {
    this.parent = parent;
  }

  add(name: string | undefined, target: ScopeEntry['target']): void {
    this.entries.push({ name, target });
  }

  /** The entry of a name, compared without case; later entries win, as a nearer UNNEST does. */
  entry(name: string): ScopeEntry | undefined {
    const lower = name.toLowerCase();
    return this.entries.findLast((entry) => entry.name?.toLowerCase() === lower);
  }
}
