import { structField } from '../../ir/expr-builders.ts';
import type { Expr } from '../../ir/ir.ts';
import type { Relation, RelationColumn } from './relation.ts';

/** The elements of an ARRAY of STRUCTs in FROM: their fields are columns. */
export class ElementRelation implements Relation {
  readonly value: Expr;
  optional = false;

  /** @param value The element, of a STRUCT type. */
  constructor(value: Expr) {
    this.value = value;
  }

  columns(): RelationColumn[] {
    return structColumns(this.value);
  }

  find(name: string): Expr | undefined {
    const lower = name.toLowerCase();
    return this.columns()
      .find(({ label }) => label?.toLowerCase() === lower)
      ?.expr();
  }
}

/** The fields of a STRUCT as columns; none of another type. */
export function structColumns(struct: Expr): RelationColumn[] {
  const fields = struct.type.kind === 'struct' ? struct.type.fields : [];
  return fields.map(({ name, type }, index) => ({
    label: name === '' ? undefined : name,
    expr: () => structField(struct, index, type),
  }));
}
