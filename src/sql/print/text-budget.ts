import { SqlError } from '../error.ts';

/** Most that Athena takes of one statement, UTF-8 bytes. What runs on a laptop is to run there too. */
const MAX_STATEMENT_BYTES = 262_144;

/** Refuses a statement while it is printed, before the text takes memory. */
export class TextBudget {
  #held = 0;

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
    if (this.#held > MAX_STATEMENT_BYTES) {
      throw tooLarge();
    }
    return text;
  }
}

/** @throws SqlError `sql_too_large` for a statement that is longer than the engines take. */
export function checkStatement(text: string): string {
  if (Buffer.byteLength(text) > MAX_STATEMENT_BYTES) {
    throw tooLarge();
  }
  return text;
}

function tooLarge(): SqlError {
  return new SqlError(
    'sql_too_large',
    `The query is more than ${MAX_STATEMENT_BYTES} bytes long once compiled, which is the most that can run: nest fewer functions in each other, or shorten its lists and texts`,
  );
}
