import type { CatalogSource } from '../../common/catalog.ts';
import { ALL_TIMES, type Expr, type JsonExpr, type ScanNode } from '../../ir/ir.ts';
import { nodeAt } from '../../ir/json-path.ts';
import { DYNAMIC, type SqlType, STRING, TIMESTAMP } from '../../ir/types.ts';
import type { Relation } from './relation.ts';

/** Columns that every source has; `timestamp` is read from its exact form. */
const FIXED: Readonly<
  Record<string, { readonly column: string; readonly type: SqlType; readonly neverNull: boolean }>
> = {
  id: { column: 'id', type: STRING, neverNull: true },
  timestamp: { column: 'timestamp_us', type: TIMESTAMP, neverNull: true },
  event_message: { column: 'event_message', type: STRING, neverNull: false },
  project: { column: 'project', type: STRING, neverNull: false },
};

/** A scan of one source: its fixed columns, and any other field its events may carry. */
export class SourceRelation implements Relation {
  readonly node: ScanNode;
  optional = false;
  readonly #source: CatalogSource;
  readonly #metadata: JsonExpr;
  /** Told of each top-level field that no event of the source has shown. */
  readonly #unseen: (field: string) => void;

  constructor(source: CatalogSource, alias: string, unseen: (field: string) => void) {
    const { id, name, schema } = source;
    const rest = { columns: undefined, times: ALL_TIMES };
    this.node = { alias, source: name, sourceId: id, schema, ...rest };
    this.#source = source;
    this.#unseen = unseen;
    this.#metadata = this.#json('metadata', [], ['metadata']);
  }

  columns(): { label: string; expr: () => Expr }[] {
    const learned = [...this.#source.schema.children.keys()].filter(
      (name) => !Object.hasOwn(FIXED, name) && name !== 'metadata',
    );
    return ['id', 'timestamp', 'event_message', 'metadata', 'project', ...learned].map((label) => ({
      label,
      expr: () => this.find(label) ?? this.inferColumn(label),
    }));
  }

  find(name: string): Expr | undefined {
    const lower = name.toLowerCase();
    const fixed = Object.hasOwn(FIXED, lower) ? FIXED[lower] : undefined;
    if (fixed !== undefined) {
      const neverNull = fixed.neverNull && !this.optional;
      return {
        ...this.#column(fixed.column, fixed.type),
        ...(neverNull ? { neverNull: true } : {}),
      };
    }
    if (lower === 'metadata') return this.#metadata;
    const key = matchKey([...this.#source.schema.children.keys()], name);
    return key === undefined ? undefined : this.#json('body', [key], [key]);
  }

  inferColumn(name: string): Expr {
    this.#unseen(name);
    return this.#json('body', [name], [name]);
  }

  #column(name: string, type: SqlType): Extract<Expr, { op: 'column' }> {
    // Events are JSON, which has no NaN.
    const column = { relation: this.node.alias, name };
    return { op: 'column', type, column, neverNaN: true, isStored: true };
  }

  /** @param place Where it lies in an event. */
  #json(column: 'metadata' | 'body', path: readonly string[], place: readonly string[]): JsonExpr {
    const node = nodeAt(this.#source.schema, place);
    return { op: 'json', type: DYNAMIC, text: this.#column(column, STRING), path, node };
  }
}

/** The key as it is spelled: exact, else the only one that differs in case alone. */
export function matchKey(keys: readonly string[], name: string): string | undefined {
  if (keys.includes(name)) return name;
  const lower = name.toLowerCase();
  const folded = keys.filter((key) => key.toLowerCase() === lower);
  return folded.length === 1 ? folded[0] : undefined;
}
