import type { SchemaNode } from '../../lake/schema/schema.ts';
import { outputIsNeverNaN } from '../never-nan.ts';
import { outputIsNeverNull } from '../never-null.ts';
import { outputHasOneValue } from '../one-value.ts';
import type { Document, Expr, JsonPath, QueryNode } from '../tree.ts';
import { BOOL, DYNAMIC, type SqlType, STRING } from '../types.ts';
import { nodeAt } from './json-path.ts';
import type { Names } from './names.ts';
import { documentAt, pushDown, type Wanted } from './pushdown.ts';
import type { Relation, RelationColumn } from './relation.ts';
import { readSlots } from './slots.ts';

/** A CTE or derived table in FROM: the outputs of its query, and what can be asked of its JSON. */
export class QueryRelation implements Relation {
  readonly alias: string;
  readonly query: QueryNode;
  readonly names: Names;
  optional = false;
  /** Outputs that users see; hidden ones come after them. */
  readonly #visible: number;

  constructor(alias: string, query: QueryNode, names: Names) {
    this.alias = alias;
    this.query = query;
    this.names = names;
    this.#visible = query.visible;
  }

  /** Notes that an output is read, by its printed name. */
  use(name: string): void {
    const index = this.query.outputs.findIndex((output) => output.name === name);
    this.query.used.add(index);
  }

  columns(): RelationColumn[] {
    return this.query.outputs.slice(0, this.#visible).map(({ label, unnamed }, index) => ({
      label: unnamed ? undefined : label,
      expr: () => this.output(index),
    }));
  }

  find(name: string): Expr | undefined {
    const lower = name.toLowerCase();
    for (let i = this.#visible - 1; i >= 0; i -= 1) {
      if (this.query.outputs[i]?.label.toLowerCase() === lower) {
        return this.output(i);
      }
    }
    return undefined;
  }

  /** An output as an expression: JSON outputs as documents. */
  output(index: number): Expr {
    const output = this.query.outputs[index];
    if (output === undefined) {
      throw new Error(`a query has no output ${index}`);
    }
    if (output.type.kind !== 'dynamic') {
      return this.read(index, output.type);
    }
    const document = new QueryDocument(this, index, output.node);
    return { op: 'json', type: DYNAMIC, document, path: [], node: output.node };
  }

  /** Reads an output as it is printed. */
  read(index: number, type: SqlType): Expr {
    const name = this.query.outputs[index]?.name ?? '';
    return {
      op: 'column',
      type,
      column: { relation: this.alias, name },
      ...(outputHasOneValue(this.query, index) ? { oneValue: true } : {}),
      ...(outputIsNeverNaN(this.query, index) ? { neverNaN: true } : {}),
      ...(!this.optional && outputIsNeverNull(this.query, index) ? { neverNull: true } : {}),
    };
  }
}

/** A JSON output: asks the query inside for what is wanted, and parses the text only if it must. */
class QueryDocument implements Document {
  readonly #relation: QueryRelation;
  readonly #index: number;
  readonly #node: SchemaNode | undefined;

  constructor(relation: QueryRelation, index: number, node: SchemaNode | undefined) {
    this.#relation = relation;
    this.#index = index;
    this.#node = node;
  }

  text(): Expr {
    return this.#relation.read(this.#index, STRING);
  }

  read(path: JsonPath, type: SqlType): Expr {
    const json: Expr = { op: 'json_path', type, text: this.text(), path };
    // JSON text of what lies inside is carried upwards only where no JSON is read for it.
    return type.kind === 'dynamic' && (path.length === 0 || !this.#hasSlots(path))
      ? json
      : (this.#pushed(path, { kind: 'scalar', type }) ?? json);
  }

  isObject(path: JsonPath): Expr {
    return (
      this.#pushed(path, { kind: 'is_object' }) ?? {
        op: 'json_is_object',
        type: BOOL,
        text: this.text(),
        path,
      }
    );
  }

  knownKeys(path: JsonPath): readonly string[] {
    const inner = documentAt(this.#relation.query, this.#index);
    if (inner !== undefined) {
      return inner.document.knownKeys([...inner.path, ...path]);
    }
    return [...(nodeAt(this.#node, path)?.children.keys() ?? [])];
  }

  #hasSlots(path: JsonPath): boolean {
    const node = nodeAt(this.#node, path);
    return readSlots(node, DYNAMIC, () => this.text()) !== undefined;
  }

  #pushed(path: JsonPath, wanted: Wanted): Expr | undefined {
    const { query, names } = this.#relation;
    const index = pushDown(query, this.#index, path, wanted, names);
    const type = wanted.kind === 'scalar' ? wanted.type : BOOL;
    return index === undefined ? undefined : this.#relation.read(index, type);
  }
}
