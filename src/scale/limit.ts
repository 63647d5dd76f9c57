import type { Demand } from './load.ts';

/**
 * Where a limit's number comes from. `documented`: AWS's guides, service models or answers that were read.
 * `unchecked`: known, and not read on the day of the list. `setting`, `code`: of this project. `assumed`:
 * to be replaced by what a real account measures.
 */
export type LimitSource = 'documented' | 'unchecked' | 'setting' | 'code' | 'assumed';

/** One quota or limit, as data. */
export interface Limit {
  readonly name: string;
  readonly unit: string;
  /** What there is of it, as deployed. */
  readonly most: number;
  readonly source: LimitSource;
  /** What a load takes of it, in the same unit. */
  readonly takes: (demand: Demand) => number;
  /** What happens beyond it: what a client sees, and what is lost. */
  readonly beyond: string;
  /** What moves it. */
  readonly moves: string;
}
