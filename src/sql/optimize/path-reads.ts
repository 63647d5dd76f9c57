/** Reads of JSON at a path of a column, and what serves them in place of the column's JSON text. */
import { slotColumn } from '../../lake/layout/columns.ts';
import { isNull, not } from '../ir/expr-builders.ts';
import type { Column, Expr, JsonPath, QueryNode, ScanNode } from '../ir/ir.ts';
import { nodeAt } from '../ir/json-path.ts';
import { DYNAMIC, type SqlType, STRING } from '../ir/types.ts';
import { readSlots } from './slots.ts';

type OfJson = Extract<Expr, { op: 'json' | 'json_path' | 'json_is_object' }>;

/** A read of what lies at a path of a column of JSON text. */
export type PathRead = OfJson & { readonly text: Extract<Expr, { op: 'column' }> };

export function isPathRead(expr: Expr): expr is PathRead {
  return (
    (expr.op === 'json' || expr.op === 'json_path' || expr.op === 'json_is_object') &&
    expr.text.op === 'column'
  );
}

/** Reads the slots of a path; undefined where only the JSON tells. */
export function slotsInstead(read: PathRead, { alias, schema }: ScanNode): Expr | undefined {
  const prefix = read.text.column.name === 'metadata' ? ['metadata'] : [];
  const node = nodeAt(schema, [...prefix, ...read.path]);
  const slot = (number: number, type: SqlType): Expr => {
    const column: Column = { relation: alias, name: slotColumn(number) };
    return { op: 'column', type, column, neverNaN: true, isStored: true };
  };
  if (read.op !== 'json_is_object') return readSlots(node, read.type, slot);
  const mark = node?.slots?.object;
  return mark === undefined ? undefined : not(isNull(slot(mark, STRING)));
}

/**
 * Whether a query can compute a path of one of its JSON outputs as an output of its own. It cannot where it
 * groups, deduplicates or computes the JSON: the output would change its rows or make no sense.
 */
export function canCompute(query: QueryNode, index: number, read: PathRead): boolean {
  // JSON text of what lies inside is carried upwards only where no JSON is read for it.
  return read.type.kind === 'dynamic' && !hasSlots(query, index, read.path)
    ? false
    : hasJson(query, index);
}

function hasSlots(query: QueryNode, index: number, path: JsonPath): boolean {
  const node = nodeAt(query.outputs[index]?.node, path);
  const column = { relation: '', name: '' };
  return (
    path.length > 0 &&
    readSlots(node, DYNAMIC, (_, type) => ({ op: 'column', type, column })) !== undefined
  );
}

function hasJson({ body, outputs }: QueryNode, index: number): boolean {
  switch (body.kind) {
    case 'select':
      return !body.distinct && !body.aggregated && outputs[index]?.expr?.op === 'json';
    case 'query':
      return hasJson(body, index);
    case 'set':
      return (
        body.operation === 'union' &&
        body.all &&
        hasJson(body.left, index) &&
        hasJson(body.right, index)
      );
  }
}
