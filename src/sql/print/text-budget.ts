import type { SqlTarget } from '../common/result-schema.ts';
import { SqlError } from '../common/sql-error.ts';

/**
 * Longest statement, UTF-8 bytes. The first is Athena's own limit. DuckDB has none, and gets some longer
 * texts: it has no search in a list, so time zones are printed as trees.
 */
const MAX_BYTES: Readonly<Record<SqlTarget, number>> = { athena: 262_144, duckdb: 1_048_576 };

/** Refuses a statement while it is printed, before the text takes memory. */
export class TextBudget {
  readonly #target: SqlTarget;
  #held = 0;

  constructor(target: SqlTarget) {
    this.#target = target;
  }

  /** Characters of all texts that the statement is being put together of. */
  get held(): number {
    return this.#held;
  }

  /**
   * Counts a text that was put together of what was printed since `held` was as given.
   *
   * @throws SqlError `sql_too_large`.
   */
  hold(before: number, text: string): string {
    this.#held = before + text.length;
    if (this.#held > MAX_BYTES[this.#target]) throw tooLarge(this.#target);
    return text;
  }
}

/** @throws SqlError `sql_too_large` for a statement that is longer than the engines take. */
export function checkStatement(text: string, target: SqlTarget): string {
  if (Buffer.byteLength(text) > MAX_BYTES[target]) throw tooLarge(target);
  return text;
}

function tooLarge(target: SqlTarget): SqlError {
  return new SqlError(
    'sql_too_large',
    `The query is more than ${MAX_BYTES[target]} bytes long once compiled, which is the most that can run: nest fewer functions in each other, or shorten its lists and texts`,
  );
}
