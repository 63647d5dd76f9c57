import type { SourceSchema, TypeMask } from '../../catalog/source-schema.ts';
import { quoteName, quoteText } from '../../platform/sql-text.ts';
import { SLOT_COLUMNS, slotColumn } from '../layout/columns.ts';
import { ABANDONED_TEXT, DOCUMENTED_NUMBER, JsonType } from '../schema/schema.ts';
import { parseEntry, type SlotType } from '../schema/slots.ts';

/** Columns of every view before the slots. */
const FIRST = ['id', 'timestamp', 'timestamp_us', 'event_message', 'project'] as const;

/** Columns of every view after the slots: the JSON, the arrival, and what partitions prune by. */
const LAST = ['metadata', 'body', 'ingested_at', 'dt', 'hour'] as const;

const SLOTS = SLOT_COLUMNS.map(({ name }) => name);

/** Names that no field gets: other columns', and those of the slots, which thereby stay free for the last resort. */
const RESERVED = ['source_id', ...FIRST, ...LAST, ...SLOTS];

/** Glue takes names of up to 255 characters; the rest is for a suffix. */
const MAX_LENGTH = 200;

const METADATA = /^metadata\./;

/** Bits of the learned types that a slot's type stands for. */
const BITS: Readonly<Record<Exclude<SlotType, 'object'>, TypeMask>> = {
  string: JsonType.string,
  number: JsonType.int | JsonType.float,
  boolean: JsonType.bool,
};

const SCALAR = BITS.string | BITS.number | BITS.boolean;

/** Columns of the view of all events. */
export const EVENT_COLUMNS: readonly string[] = ['source_id', ...FIRST, ...SLOTS, ...LAST];

/** A path of a source whose values have slots. */
interface Field {
  readonly path: string;
  /** What its events have shown; lists and objects included. */
  readonly mask: TypeMask;
  readonly slots: { readonly type: keyof typeof BITS; readonly column: string }[];
}

/**
 * What a source's view selects of the view of all events: each path with slots is a column of its name
 * and type. The name of a path stays when others come after it.
 */
export function selectedColumns(schema: SourceSchema): string[] {
  const taken = new Set(RESERVED);
  const fields = fieldsOf(schema).map((field) => {
    const name = nameOf(field, taken);
    taken.add(name);
    return `${expressionOf(field)} AS ${quoteName(name)}`;
  });
  return [...FIRST.map(quoteName), ...fields, ...LAST.map(quoteName)];
}

/** In the order in which the paths got their first slot. */
function fieldsOf({ types, slots }: SourceSchema): Field[] {
  const fields = new Map<string, Field>();
  for (const [slot, entry] of slots.entries()) {
    const { path, type } = parseEntry(entry);
    if (type === 'object') continue;
    const field = fields.get(path) ?? { path, mask: types[path] ?? 0, slots: [] };
    field.slots.push({ type, column: slotColumn(slot) });
    fields.set(path, field);
  }
  return [...fields.values()];
}

function nameOf({ path, slots }: Field, taken: ReadonlySet<string>): string {
  const full = readable(path);
  const column = slots[0]?.column ?? '';
  const candidates = [readable(path.replace(METADATA, '')), full, `${full}_${column}`];
  return candidates.find((name) => !taken.has(name)) ?? column;
}

function readable(path: string): string {
  return path.toLowerCase().replaceAll('.', '_').slice(0, MAX_LENGTH);
}

/** Of the type that all values of the path have or are documented to have, or text where they have several. */
function expressionOf({ path, mask, slots }: Field): string {
  const [{ type, column } = { type: undefined, column: '' }, ...others] = slots;
  const covered = slots.reduce((bits, slot) => bits | BITS[slot.type], 0);
  // Slots may have run out before the path showed another type, or lack a text that was too long.
  const isWhole = (mask & SCALAR & ~covered) === 0 && (mask & ABANDONED_TEXT) === 0;
  const number = (mask & JsonType.float) === 0 ? 'bigint' : 'double';
  if (others.length > 0 || !isWhole) {
    const texts = [
      ...slots.map((slot) => quoteName(slot.column)),
      ...(isWhole ? [] : [jsonText(path)]),
    ];
    const values = texts.map((text) =>
      (mask & DOCUMENTED_NUMBER) === 0 ? text : `TRY_CAST(${text} AS ${number})`,
    );
    return values.length === 1 ? (values[0] ?? '') : `COALESCE(${values.join(', ')})`;
  }
  const sqlType = type === 'number' ? number : type;
  return sqlType === 'string' ? quoteName(column) : `TRY_CAST(${quoteName(column)} AS ${sqlType})`;
}

function jsonText(path: string): string {
  const inside = path.replace(METADATA, '');
  const column = inside === path ? 'body' : 'metadata';
  return `json_extract_scalar(${quoteName(column)}, ${quoteText(`$.${inside}`)})`;
}
