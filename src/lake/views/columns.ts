import { PROMOTED_COLUMNS, type PromotedColumn } from '../columns.ts';
import { type FlatSchema, JsonType, schemaAt, schemaFromFlat } from '../schema.ts';

/** Columns of every view before the promoted ones. */
const FIRST = ['id', 'timestamp', 'timestamp_us', 'event_message', 'project'] as const;

/** Columns of every view after the promoted ones: the JSON, the arrival, and what partitions prune by. */
const LAST = ['metadata', 'body', 'ingested_at', 'dt', 'hour'] as const;

/** Promoted columns for people: what says that a path is an object only helps the compiler. */
export const READABLE_COLUMNS: readonly PromotedColumn[] = PROMOTED_COLUMNS.filter(
  ({ holds }) => holds === 'value',
);

const SCALAR = JsonType.string | JsonType.int | JsonType.float | JsonType.bool;

/** Names of a view's columns in order, around its promoted ones. */
export function columnNames(promoted: readonly PromotedColumn[]): string[] {
  return [...FIRST, ...promoted.map(({ name }) => name), ...LAST];
}

/** The promoted columns whose path has shown a value in the events of a source. */
export function shownColumns(schema: FlatSchema): PromotedColumn[] {
  const root = schemaFromFlat(schema);
  return READABLE_COLUMNS.filter(({ path }) => ((schemaAt(root, path)?.mask ?? 0) & SCALAR) !== 0);
}
