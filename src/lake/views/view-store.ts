import type { MadeView } from './diff.ts';

/** Runs statements about views where the lake is queried. */
export interface ViewStatements {
  /**
   * Runs a statement to its end.
   *
   * @param deadline milliseconds since the epoch; what has not ended by then may go on
   * @throws ServiceError as `QueryEngine.run` does
   */
  run(text: string, deadline: number): Promise<void>;
}

/**
 * What is known of the views that were made: a partition of the registry.
 *
 * @throws ServiceError as the registry does, from every method.
 */
export interface ViewRecords {
  /** By name. */
  list(): Promise<readonly MadeView[]>;
  /** Notes that a view is about to change, so that a crash leaves no view without a record. */
  begin(name: string): Promise<void>;
  /** Notes that a view is in place. */
  finish(view: MadeView): Promise<void>;
  /** Notes that a view is gone. */
  forget(name: string): Promise<void>;
  /**
   * Takes the right to change views for so many milliseconds, unless another holds it.
   *
   * @returns the holder's id, for {@link release}
   */
  acquire(forMs: number): Promise<string | undefined>;
  /** Gives the right back; without effect when it has passed to another holder. */
  release(holder: string): Promise<void>;
}
