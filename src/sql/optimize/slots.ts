/** What lies at a path of a source's events, read from the slots that the path has. */
import { JsonType, type SchemaNode } from '../../lake/schema/schema.ts';
import type { SlotType } from '../../lake/schema/slots.ts';
import { coalesce } from '../ir/expr-builders.ts';
import type { Expr, TextContent } from '../ir/ir.ts';
import { isReadable, type SqlType, STRING } from '../ir/types.ts';

const SCALARS: readonly { readonly type: SlotType; readonly bits: number }[] = [
  { type: 'string', bits: JsonType.string },
  { type: 'number', bits: JsonType.int | JsonType.float },
  { type: 'boolean', bits: JsonType.bool },
];

/**
 * @param node what the source's events have shown at the path.
 * @param type STRING, INT64, FLOAT64 or BOOL; or dynamic, for JSON text.
 * @param column reads a slot.
 * @returns undefined where only the JSON tells: nothing is known of the path, a type that it has shown has
 *   no slot, or a list or an object is to be read.
 */
export function readSlots(
  node: SchemaNode | undefined,
  type: SqlType,
  column: (slot: number, type: SqlType) => Expr,
): Expr | undefined {
  const { mask = 0, slots = {} } = node ?? {};
  const isNested = (mask & (JsonType.object | JsonType.list)) !== 0;
  if (mask === 0 || (type.kind === 'dynamic' && isNested)) return undefined;
  // A source that was made anew may have shown other types before: their slots say so.
  const shown = SCALARS.filter(
    (scalar) => (mask & scalar.bits) !== 0 || slots[scalar.type] !== undefined,
  );
  const values = shown.map((scalar): Expr | undefined => {
    const slot = slots[scalar.type];
    if (slot === undefined) return undefined;
    const text = column(slot, STRING);
    if (isReadable(type)) {
      return { op: 'read_text', type, text, holds: contentOf(scalar.type, mask) };
    }
    if (type.kind !== 'dynamic') return text;
    return scalar.type === 'string'
      ? { op: 'cast', type, arg: text, safe: false }
      : column(slot, type);
  });
  return values.length > 0 && values.every((value) => value !== undefined)
    ? coalesce(values, type)
    : undefined;
}

function contentOf(type: SlotType, mask: number): TextContent {
  if (type === 'number') return (mask & JsonType.float) === 0 ? 'integer' : 'number';
  return type === 'boolean' ? 'boolean' : 'text';
}
