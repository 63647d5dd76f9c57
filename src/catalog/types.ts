/**
 * What the registry keeps. Field names are Logflare's, because its clients send
 * and read them.
 */

import type { AccessKeys } from '../access/access-key.ts';
import type { SourceSchema } from './source-schema.ts';

/** Copies the events of a source that an LQL text fits to another source. */
export interface RoutingRule {
  /** UUID v4, the public identifier. */
  readonly token: string;
  readonly lql_string: string;
  /** Token of the source that gets the copies. */
  readonly sink: string;
}

/** What a source does with its events before they are stored; null does nothing. */
export interface SourceSettings {
  /** Lines `from:to`, paths after key renaming. */
  readonly transform_copy_fields: string | null;
  /** Lines, each the path of a field that is not stored. */
  readonly transform_drop_fields: string | null;
  /** Comma-separated paths of what the message is made of. */
  readonly custom_event_message_keys: string | null;
  /** Events that this LQL text fits are not stored. */
  readonly drop_lql_string: string | null;
  readonly rules: readonly RoutingRule[];
}

/** A log source: the table that its events are queried as is called by its name. */
export interface Source extends SourceSettings {
  /** UUID v4, the public identifier. */
  readonly token: string;
  readonly name: string;
  readonly description: string | null;
  /** Events per second that may be stored; null stands for the deployment's default. */
  readonly api_quota: number | null;
  /** Days that events are kept; null keeps them as long as the deployment keeps any. */
  readonly retention_days: number | null;
  /** Whether events that are refused are shown to the source's managers, contents and all. */
  readonly keep_rejected_events: boolean;
  readonly insertedAt: string;
  readonly updatedAt: string;
}

export type ParameterType = 'string' | 'int64' | 'float64' | 'bool' | 'timestamp';

/** A declared parameter of an endpoint. */
export interface ParameterDeclaration {
  readonly name: string;
  readonly type: ParameterType;
  readonly required: boolean;
  readonly enum?: readonly (string | number)[];
  readonly default?: string | number | boolean;
  readonly description?: string;
}

/** A column with its type in BigQuery's spelling. */
export interface ParsedColumn {
  readonly name: string;
  readonly type: string;
}

/**
 * What a saved query takes, shows and reads. Types are those that its sources had shown when it was
 * saved last.
 */
export interface ParsedQuery {
  /** Declared, inherited and implied ones: all that a call may give. */
  readonly parameters: readonly ParameterDeclaration[];
  /** Sources by the names they had, those of endpoints that it reads included. */
  readonly sources: readonly { readonly name: string; readonly token: string }[];
  /** Endpoints that it reads as tables, at any depth. */
  readonly endpoints: readonly { readonly name: string; readonly token: string }[];
  /** Columns of its own rows. */
  readonly columns: readonly ParsedColumn[];
  /** Its CTEs, which callers may query where it is sandboxable. */
  readonly tables: readonly { readonly name: string; readonly columns: readonly ParsedColumn[] }[];
  /** Whether some of it was left out, because there is more than is kept. */
  readonly truncated: boolean;
}

/** A saved query. */
export interface Endpoint {
  /** UUID v4, the public identifier. */
  readonly token: string;
  readonly name: string;
  readonly description: string | null;
  readonly query: string;
  readonly language: 'bq_sql';
  readonly parameters: readonly ParameterDeclaration[];
  /** Source names in the query, with the UUIDs they had when it was saved. */
  readonly source_mapping: Readonly<Record<string, string>>;
  /** Null for one that was saved before there was a parsed form. */
  readonly parsed: ParsedQuery | null;
  readonly sandboxable: boolean;
  /** Whether a caller's SQL may say `*` instead of naming columns. */
  readonly allow_wildcards: boolean;
  /** Whether it may use a table's name as a value, which is the whole row; null: as `allow_wildcards`. */
  readonly allow_whole_rows: boolean | null;
  readonly cache_duration_seconds: number;
  readonly proactive_requerying_seconds: number;
  readonly max_limit: number;
  readonly enable_auth: boolean;
  readonly redact_pii: boolean;
  /** `array` renders every object as an array of one, as BigQuery's repeated records. */
  readonly nested_records: 'object' | 'array';
  readonly labels: string | null;
  /** Grows with every change that can change an answer; part of every cache key. */
  readonly version: number;
  readonly insertedAt: string;
  readonly updatedAt: string;
}

/** A copy of landed rows that compaction has begun and may not have ended. */
export interface CompactionIntent {
  /** Start of the landing hour, milliseconds since the epoch. */
  readonly hour: number;
  /** Event days that it copies, `yyyy-MM-dd`. */
  readonly days: readonly string[];
  /** The engine's idempotency token, under which a later process finds the same run. */
  readonly token: string;
  /** What the engine was given with it; absent where it runs in the process. */
  readonly statement?: string;
}

/** How far compaction got. Hours are starts of landing hours, milliseconds since the epoch. */
export interface CompactionProgress {
  /** Every landing hour before this one is complete in the compacted table. Never moves back. */
  readonly watermark: number;
  /** Rows that compacted hours held when they were counted last, by hour. */
  readonly landed: Readonly<Record<string, number>>;
  readonly started?: CompactionIntent;
  /** What else the job remembers; JSON that only the job reads. */
  readonly notes: Readonly<Record<string, JsonValue>>;
}

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue };

export interface CompactionState extends CompactionProgress {
  /** Differs with every write. */
  readonly version: string;
}

/** `fresh` goes past the read cache, which may be seconds behind what another instance wrote. */
export interface ReadOptions {
  readonly fresh?: boolean;
}

/** Sources, endpoints, access keys, inferred schemas and the state of compaction. Implemented on DynamoDB in `registry.ts`. */
export interface Registry extends AccessKeys {
  listSources(): Promise<readonly Source[]>;
  /** For messages: may be seconds old. */
  sourceNames(): Promise<readonly string[]>;
  sourceByToken(token: string, options?: ReadOptions): Promise<Source | undefined>;
  sourceByName(name: string): Promise<Source | undefined>;
  /** @throws ValidationError when the name is taken. */
  createSource(source: Source): Promise<void>;
  /**
   * @param base what the change was made from; when given, nothing is written over a newer state.
   * @throws ValidationError when the new name is taken; ServiceError `not_found`, `conflict` (409).
   */
  updateSource(source: Source, base?: Source): Promise<void>;
  deleteSource(token: string): Promise<void>;

  listEndpoints(): Promise<readonly Endpoint[]>;
  /** For messages: may be seconds old. */
  endpointNames(): Promise<readonly string[]>;
  endpointByToken(token: string, options?: ReadOptions): Promise<Endpoint | undefined>;
  endpointByName(name: string): Promise<Endpoint | undefined>;
  /** @throws ValidationError when the name is taken. */
  createEndpoint(endpoint: Endpoint): Promise<void>;
  /**
   * @param base what the change was made from; when given, nothing is written over a newer state.
   * @throws ValidationError when the new name is taken; ServiceError `not_found`, `conflict` (409).
   */
  updateEndpoint(endpoint: Endpoint, base?: Endpoint): Promise<void>;
  deleteEndpoint(token: string): Promise<void>;

  /**
   * What events of a source have shown, and the slots of their paths; empty when nothing was learned. It
   * outlives the source, as the rows do.
   */
  schema(sourceToken: string): Promise<SourceSchema>;
  /** Adds paths and type bits; never removes any, also under concurrent writers. */
  learn(sourceToken: string, added: Readonly<Record<string, number>>): Promise<void>;
  /**
   * Gives the next slots of a source to paths, unless others were given since `known` was read.
   *
   * @param known entries of the map that `added` goes on from.
   * @returns the entries as they are now: `known` and `added`, or what others made of them, to try again from.
   */
  assignSlots(
    sourceToken: string,
    known: readonly string[],
    added: readonly string[],
  ): Promise<readonly string[]>;

  /**
   * The landing hour before which queries read the compacted table, milliseconds since the epoch;
   * undefined before anything was compacted. May be minutes old, see `compaction-state.ts`.
   */
  watermark(): Promise<number | undefined>;
  /** The state as it is now; undefined before the first run. */
  readCompaction(): Promise<CompactionState | undefined>;
  /**
   * Puts `next` in the place of `previous`, which is what was read, or what the last write returned.
   *
   * @returns what is stored now.
   * @throws ServiceError `compaction_conflict` (409) when another run wrote in between.
   */
  writeCompaction(
    next: CompactionProgress,
    previous: CompactionState | undefined,
  ): Promise<CompactionState>;
}
