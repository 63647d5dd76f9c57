import type { PromotedColumn } from './columns.ts';

/** A column that a configuration adds, and since when every row has it. */
export interface AddedColumnEntry {
  readonly name: string;
  /** Of the field that it copies, with dots. */
  readonly path: string;
  /** Arrival from which on events have it filled, milliseconds since the epoch. */
  readonly filledFrom: number;
}

/** Whether an entry is a column's: the name tells the type, but two paths may share it, one after the other. */
export function isEntryOf(
  entry: Pick<AddedColumnEntry, 'name' | 'path'>,
  { name, path }: PromotedColumn,
): boolean {
  return entry.name === name && entry.path === path.join('.');
}
