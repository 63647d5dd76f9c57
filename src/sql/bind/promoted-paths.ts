import { PROMOTED_COLUMNS, type PromotedColumn } from '../../lake/columns.ts';
import type { AddedColumn } from '../print/print-scan.ts';

const SHIPPED = new Map(PROMOTED_COLUMNS.map((column) => [column.path.join('.'), column]));

/** The promoted columns by the paths that they copy. */
export class PromotedPaths {
  readonly #added: ReadonlyMap<string, AddedColumn>;
  readonly columns: readonly PromotedColumn[];

  constructor(added: readonly AddedColumn[] = []) {
    this.#added = new Map(added.map((item) => [item.column.path.join('.'), item]));
    this.columns = [...PROMOTED_COLUMNS, ...added.map(({ column }) => column)];
  }

  at(path: readonly string[]): PromotedColumn | undefined {
    const text = path.join('.');
    return SHIPPED.get(text) ?? this.#added.get(text)?.column;
  }

  /** Arrival from which on events have the column filled, microseconds; infinite for always and never. */
  filledFromUs({ path }: PromotedColumn): number {
    const added = this.#added.get(path.join('.'));
    return added === undefined
      ? Number.NEGATIVE_INFINITY
      : (added.filledFromUs ?? Number.POSITIVE_INFINITY);
  }
}
