/**
 * OR of the bits of JSON types (`JsonType` in `src/lake/schema/schema.ts`), and of `ABANDONED_TEXT` and
 * `DOCUMENTED_NUMBER` as the registry keeps it.
 */
export type TypeMask = number;

/**
 * Flat form: dotted path to mask. Elements of a list are the path with `[]` appended
 * (`metadata.tags[]`, `metadata.items[].name`). Keys cannot hold dots after renaming.
 */
export type FlatSchema = Readonly<Record<string, TypeMask>>;

/** What the registry keeps of a source's events. */
export interface SourceSchema {
  readonly types: FlatSchema;
  /** Entries of its `SlotMap`, in the order of the slots. */
  readonly slots: readonly string[];
}

/** Of a source without events. */
export const NOTHING_SHOWN: SourceSchema = { types: {}, slots: [] };
