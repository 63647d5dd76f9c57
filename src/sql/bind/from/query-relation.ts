import { outputIsConstantPerQuery } from '../../ir/constant-per-query.ts';
import type { Expr, QueryNode } from '../../ir/ir.ts';
import { outputIsNeverNaN } from '../../ir/never-nan.ts';
import { outputIsNeverNull } from '../../ir/nullability.ts';
import { DYNAMIC, STRING } from '../../ir/types.ts';
import type { Relation, RelationColumn } from './relation.ts';

/** A CTE or derived table in FROM: the outputs of its query. */
export class QueryRelation implements Relation {
  readonly alias: string;
  readonly query: QueryNode;
  optional = false;

  constructor(alias: string, query: QueryNode) {
    this.alias = alias;
    this.query = query;
  }

  columns(): RelationColumn[] {
    return this.query.outputs.map(({ label, unnamed }, index) => ({
      label: unnamed ? undefined : label,
      expr: () => this.output(index),
    }));
  }

  find(name: string): Expr | undefined {
    const lower = name.toLowerCase();
    const index = this.query.outputs.findLastIndex(({ label }) => label.toLowerCase() === lower);
    return index === -1 ? undefined : this.output(index);
  }

  /** An output as an expression: JSON outputs as JSON. */
  output(index: number): Expr {
    const output = this.query.outputs[index];
    if (output === undefined) throw new Error(`a query has no output ${index}`);
    const { name, node } = output;
    const isJson = output.type.kind === 'dynamic';
    const column: Expr = {
      op: 'column',
      type: isJson ? STRING : output.type,
      column: { relation: this.alias, name },
      ...(outputIsConstantPerQuery(this.query, index) ? { oneValue: true } : {}),
      ...(outputIsNeverNaN(this.query, index) ? { neverNaN: true } : {}),
      ...(!this.optional && outputIsNeverNull(this.query, index) ? { neverNull: true } : {}),
    };
    return isJson ? { op: 'json', type: DYNAMIC, text: column, path: [], node } : column;
  }
}
