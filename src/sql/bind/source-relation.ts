import { type LakeType, MAX_FUTURE_US, type PromotedColumn } from '../../lake/columns.ts';
import { JsonType, type SchemaNode } from '../../lake/schema.ts';
import { isNull, not } from '../build.ts';
import type { CatalogSource } from '../catalog.ts';
import { ALL_TIMES } from '../time-range.ts';
import type { Document, Expr, JsonExpr, JsonPath, SourceNode } from '../tree.ts';
import {
  BOOL,
  DYNAMIC,
  FLOAT64,
  INT64,
  isReadable,
  type SqlType,
  STRING,
  sameType,
  TIMESTAMP,
} from '../types.ts';
import { nodeAt } from './json-path.ts';
import type { PromotedPaths } from './promoted-paths.ts';
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
  readonly node: SourceNode;
  optional = false;
  readonly #source: CatalogSource;
  readonly #metadata: JsonExpr;
  /** Told of each top-level field that no event of the source has shown. */
  readonly #unseen: (field: string) => void;
  readonly promoted: PromotedPaths;

  constructor(
    source: CatalogSource,
    alias: string,
    promoted: PromotedPaths,
    unseen: (field: string) => void,
  ) {
    this.promoted = promoted;
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

  /** Reads a lake column. */
  read(column: string, type: SqlType): Expr {
    // Events are JSON, which has no NaN.
    const place = { relation: this.node.alias, name: column };
    return { op: 'column', type, column: place, neverNaN: true };
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

  scalar(path: JsonPath, type: SqlType): Expr {
    const json: Expr = { op: 'json_path', type, text: this.text(), path };
    const promoted = this.#promoted(path, 'value');
    const copy = promoted && this.#copy(promoted, path, type);
    return promoted === undefined || copy === undefined
      ? json
      : this.#cheapest(promoted, copy, json);
  }

  /** A promoted column read as a type; undefined where it may hold less than the JSON. */
  #copy(promoted: PromotedColumn, path: JsonPath, type: SqlType): Expr | undefined {
    const column = this.#relation.read(promoted.name, lakeType(promoted.type));
    if (sameType(column.type, type)) {
      return this.#fits(path, promoted) ? column : undefined;
    }
    return column.type.kind === 'string' && isReadable(type)
      ? { op: 'read_text', type, text: column }
      : undefined;
  }

  isObject(path: JsonPath): Expr {
    const json: Expr = { op: 'json_is_object', type: BOOL, text: this.text(), path };
    const promoted = this.#promoted(path, 'object');
    return promoted === undefined
      ? json
      : this.#cheapest(promoted, not(isNull(this.#relation.read(promoted.name, BOOL))), json);
  }

  /** Columns of text say nothing of the type: they hold any value. */
  declaredType(path: JsonPath): SqlType | undefined {
    const promoted = this.#promoted(path, 'value');
    return promoted !== undefined && promoted.type !== 'string' && this.#fits(path, promoted)
      ? lakeType(promoted.type)
      : undefined;
  }

  declaresObject(path: JsonPath): boolean {
    return this.#promoted(path, 'object') !== undefined;
  }

  knownKeys(path: JsonPath): readonly string[] {
    const full = [...this.#prefix, ...path];
    const learned = this.#relation.schema(full)?.children.keys() ?? [];
    const declared = this.#relation.promoted.columns
      .filter((c) => c.path.length > full.length && full.every((part, i) => c.path[i] === part))
      .map((c) => c.path[full.length] ?? '');
    return [...new Set([...learned, ...declared])];
  }

  #promoted(path: JsonPath, holds: PromotedColumn['holds']): PromotedColumn | undefined {
    const found = this.#relation.promoted.at([...this.#prefix, ...path]);
    return found?.holds === holds ? found : undefined;
  }

  /** Events may be an hour ahead of their arrival: those of later times arrived after the column came. */
  #cheapest(promoted: PromotedColumn, column: Expr, json: Expr): Expr {
    const filledFromUs = this.#relation.promoted.filledFromUs(promoted);
    if (filledFromUs === Number.NEGATIVE_INFINITY) {
      return column;
    }
    const { node: source } = this.#relation;
    const fromUs = filledFromUs + MAX_FUTURE_US;
    return { op: 'promoted', type: column.type, column, json, source, fromUs };
  }

  /** A column holds all that is of its type, but for fractions in one of whole numbers. */
  #fits(path: JsonPath, promoted: PromotedColumn): boolean {
    const mask = this.#relation.schema([...this.#prefix, ...path])?.mask ?? 0;
    return promoted.type !== 'bigint' || (mask & JsonType.float) === 0;
  }
}

function lakeType(type: LakeType): SqlType {
  switch (type) {
    case 'bigint':
      return INT64;
    case 'double':
      return FLOAT64;
    case 'boolean':
      return BOOL;
    case 'timestamp':
      return TIMESTAMP;
    default:
      return STRING;
  }
}
