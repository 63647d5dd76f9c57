import { PROMOTED_COLUMNS, type PromotedColumn } from '../columns.ts';
import { JsonType, type SourceSchema, schemaAt, sourceSchema } from '../schema.ts';

/** Columns of every view before the promoted ones. */
const FIRST = ['id', 'timestamp', 'timestamp_us', 'event_message', 'project'] as const;

/** Columns of every view after the promoted ones: the JSON, the arrival, and what partitions prune by. */
const LAST = ['metadata', 'body', 'ingested_at', 'dt', 'hour'] as const;

/**
 * Promoted columns for people: what says that a path is an object only helps the compiler.
 *
 * @param added those of the fields that the deployment itself promotes, as far as both tables have them.
 */
export function readableColumns(added: readonly PromotedColumn[]): readonly PromotedColumn[] {
  return [...PROMOTED_COLUMNS, ...added].filter(({ holds }) => holds === 'value');
}

const SCALAR = JsonType.string | JsonType.int | JsonType.float | JsonType.bool;

/** Names of a view's columns in order, around its promoted ones. */
export function columnNames(promoted: readonly PromotedColumn[]): string[] {
  return [...FIRST, ...promoted.map(({ name }) => name), ...LAST];
}

/** The promoted columns whose path has shown a value in the events of a source. */
export function shownColumns(
  schema: SourceSchema,
  added: readonly PromotedColumn[],
): PromotedColumn[] {
  const root = sourceSchema(schema);
  return readableColumns(added).filter(
    ({ path }) => ((schemaAt(root, path)?.mask ?? 0) & SCALAR) !== 0,
  );
}
