import { PROMOTED_COLUMNS, type PromotedColumn } from '../../lake/columns.ts';
import type { AddedColumn } from '../print/print-scan.ts';
import type { JsonPath } from '../tree.ts';
import { pathKey } from './json-path.ts';

const SHIPPED = new Map(PROMOTED_COLUMNS.map((column) => [pathKey(column.path), column]));

/** The promoted columns by the paths that they copy. */
export class PromotedPaths {
  readonly #added: ReadonlyMap<string, AddedColumn>;
  readonly columns: readonly PromotedColumn[];

  constructor(added: readonly AddedColumn[] = []) {
    this.#added = new Map(added.map((item) => [pathKey(item.column.path), item]));
    this.columns = [...PROMOTED_COLUMNS, ...added.map(({ column }) => column)];
  }

  at(path: JsonPath): PromotedColumn | undefined {
    const key = pathKey(path);
    return SHIPPED.get(key) ?? this.#added.get(key)?.column;
  }

  /** Arrival from which on events have the column filled, microseconds; infinite for always and never. */
  filledFromUs({ path }: PromotedColumn): number {
    const added = this.#added.get(pathKey(path));
    return added === undefined
      ? Number.NEGATIVE_INFINITY
      : (added.filledFromUs ?? Number.POSITIVE_INFINITY);
  }
}
