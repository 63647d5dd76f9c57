/**
 * The landing table `log_events`: every consumer of its layout (sink rows, Glue table, local Parquet
 * files, SQL compiler) reads this file and nothing else.
 */

/** Column types by their Athena (Hive) name. */
export type LakeType = 'string' | 'bigint' | 'timestamp';

export interface LakeColumn {
  readonly name: string;
  readonly type: LakeType;
  readonly comment: string;
}

const column = (name: string, type: LakeType, comment: string): LakeColumn => ({
  name,
  type,
  comment,
});

/** Columns of text in both tables. */
export const SLOT_COUNT = 128;

/** `s000` to `s127`. */
export function slotColumn(slot: number): string {
  return `s${String(slot).padStart(3, '0')}`;
}

/** The slots as both tables have them. */
export const SLOT_COLUMNS: readonly LakeColumn[] = Array.from(
  { length: SLOT_COUNT },
  (_, slot): LakeColumn => ({
    name: slotColumn(slot),
    type: 'string',
    comment: 'a field of the source, see its view',
  }),
);

/** All data columns of `log_events`, partition columns excluded. */
export const LANDING_COLUMNS: readonly LakeColumn[] = [
  column('source_id', 'string', 'UUID of the source'),
  column('id', 'string', "the event's id"),
  column('timestamp', 'timestamp', 'event time, UTC, milliseconds, for people and pruning'),
  column('timestamp_us', 'bigint', 'event time, microseconds since the epoch, exact'),
  column('event_message', 'string', 'the message'),
  column('project', 'string', 'project, else metadata.project, else metadata.project_ref'),
  column('metadata', 'string', 'JSON text, key case and nesting kept'),
  column('body', 'string', 'JSON text of all other top-level fields'),
  ...SLOT_COLUMNS,
  column('ingested_at', 'timestamp', 'arrival at the service, UTC, milliseconds'),
];

/** Partition columns: the UTC hour in which a file's oldest row arrived. */
export const PARTITION_COLUMNS: readonly {
  readonly name: string;
  readonly type: 'date' | 'int';
}[] = [
  { name: 'dt', type: 'date' },
  { name: 'hour', type: 'int' },
];

/** Name of the landing table, in Glue and locally. */
export const LANDING_TABLE = 'log_events';

/** Events further ahead of the clock than this are refused (Logflare 1.50). Microseconds. */
export const MAX_FUTURE_US = 3_600_000_000;

/** Name of the table of compacted hours, in Glue and locally. */
export const COMPACTED_TABLE = 'log_events_compacted';

const COPY_COLUMNS: readonly LakeColumn[] = [
  column('landed_hour', 'timestamp', 'hour of the landing table that the row was copied from, UTC'),
  column(
    'content_hash',
    'bigint',
    'hash of source, id, message, metadata and body: with the time, what tells copies',
  ),
];

/**
 * What `timestamp` is called in the compacted table, which is partitioned by its day. Athena reads OPTIMIZE
 * and other statements by grammars of its own, in which that word needs quotes and quotes mean other things.
 */
export const COMPACTED_TIME = 'event_time';

/** A column of the landing table by its name in the compacted one. */
export function compactedName(landing: string): string {
  return landing === 'timestamp' ? COMPACTED_TIME : landing;
}

/**
 * All columns of `log_events_compacted`: those of the landing table, and where a row came from. Each has a name
 * that no engine wants quoted.
 */
export const COMPACTED_COLUMNS: readonly LakeColumn[] = [
  ...LANDING_COLUMNS.map((each) => ({ ...each, name: compactedName(each.name) })),
  ...COPY_COLUMNS,
];

/** What a laptop's files of compacted rows have: the names of the landing files, so that both are read together. */
export const COMPACTED_FILE_COLUMNS: readonly LakeColumn[] = [...LANDING_COLUMNS, ...COPY_COLUMNS];
