import { slotColumn } from '../../lake/layout/columns.ts';
import type { SchemaNode } from '../../lake/schema/schema.ts';
import { isNull, not } from '../build.ts';
import type { CatalogSource } from '../catalog.ts';
import { ALL_TIMES } from '../time-range.ts';
import type { Document, Expr, JsonExpr, JsonPath, SourceNode } from '../tree.ts';
import { BOOL, DYNAMIC, type SqlType, STRING, TIMESTAMP } from '../types.ts';
import { nodeAt } from './json-path.ts';
import type { Relation } from './relation.ts';
import { readSlots } from './slots.ts';

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
  readonly node: SourceNode;
  optional = false;
  readonly #source: CatalogSource;
  readonly #metadata: JsonExpr;
  /** Told of each top-level field that no event of the source has shown. */
  readonly #unseen: (field: string) => void;

  constructor(source: CatalogSource, alias: string, unseen: (field: string) => void) {
    this.node = { alias, sourceId: source.id, columns: new Set(), times: ALL_TIMES };
    this.#source = source;
    this.#unseen = unseen;
    this.#metadata = this.#json('metadata', ['metadata'], []);
  }

  columns(): { label: string; expr: () => Expr }[] {
    const learned = [...this.#source.schema.children.keys()].filter(
      (name) => !Object.hasOwn(FIXED, name) && name !== 'metadata',
    );
    return ['id', 'timestamp', 'event_message', 'metadata', 'project', ...learned].map((label) => ({
      label,
      expr: () => this.find(label) ?? this.assume(label),
    }));
  }

  find(name: string): Expr | undefined {
    const lower = name.toLowerCase();
    const fixed = Object.hasOwn(FIXED, lower) ? FIXED[lower] : undefined;
    if (fixed !== undefined) {
      const column = this.read(fixed.column, fixed.type);
      const neverNull = fixed.neverNull && !this.optional && column.op === 'column';
      return neverNull ? { ...column, neverNull: true } : column;
    }
    if (lower === 'metadata') {
      return this.#metadata;
    }
    const key = matchKey([...this.#source.schema.children.keys()], name);
    return key === undefined ? undefined : this.#json('body', [], [key]);
  }

  assume(name: string): Expr {
    this.#unseen(name);
    return this.#json('body', [], [name]);
  }

  /** Reads a lake column, which messages may call otherwise. */
  read(column: string, type: SqlType, label = column): Expr {
    // Events are JSON, which has no NaN.
    const place = { relation: this.node.alias, name: column, label };
    return { op: 'column', type, column: place, neverNaN: true, isStored: true };
  }

  schema(path: JsonPath): SchemaNode | undefined {
    return nodeAt(this.#source.schema, path);
  }

  #json(column: 'metadata' | 'body', prefix: readonly string[], path: readonly string[]): JsonExpr {
    const document = new SourceDocument(this, column, prefix);
    return { op: 'json', type: DYNAMIC, document, path, node: this.schema([...prefix, ...path]) };
  }
}

/** The key as it is spelled: exact, else the only one that differs in case alone. */
export function matchKey(keys: readonly string[], name: string): string | undefined {
  if (keys.includes(name)) {
    return name;
  }
  const lower = name.toLowerCase();
  const folded = keys.filter((key) => key.toLowerCase() === lower);
  return folded.length === 1 ? folded[0] : undefined;
}

class SourceDocument implements Document {
  readonly #relation: SourceRelation;
  readonly #column: 'metadata' | 'body';
  /** Where the document's root lies in the event. */
  readonly #prefix: readonly string[];

  constructor(relation: SourceRelation, column: 'metadata' | 'body', prefix: readonly string[]) {
    this.#relation = relation;
    this.#column = column;
    this.#prefix = prefix;
  }

  text(): Expr {
    return this.#relation.read(this.#column, STRING);
  }

  read(path: JsonPath, type: SqlType): Expr {
    const slots = readSlots(this.#node(path), type, (slot, as) => this.#slot(slot, path, as));
    return slots ?? { op: 'json_path', type, text: this.text(), path };
  }

  isObject(path: JsonPath): Expr {
    const slot = this.#node(path)?.slots?.object;
    return slot === undefined
      ? { op: 'json_is_object', type: BOOL, text: this.text(), path }
      : not(isNull(this.#slot(slot, path, STRING)));
  }

  knownKeys(path: JsonPath): readonly string[] {
    return [...(this.#node(path)?.children.keys() ?? [])];
  }

  #slot(slot: number, path: JsonPath, type: SqlType): Expr {
    return this.#relation.read(slotColumn(slot), type, String([...this.#prefix, ...path].at(-1)));
  }

  #node(path: JsonPath): SchemaNode | undefined {
    return this.#relation.schema([...this.#prefix, ...path]);
  }
}
