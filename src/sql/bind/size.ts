import { SqlError } from '../common/sql-error.ts';

/**
 * Levels of expressions and queries within each other, through CTEs and endpoints: a text of few levels
 * may read another, and that one a third. Engines stop at about twice as many.
 */
const MAX_LEVELS = 500;

/** CTEs and endpoints of one statement: DuckDB plans them within each other. */
const MAX_CTES = 200;

/** CTEs and endpoints that read each other in a row: Trino 449 analyses each within its reader. */
const MAX_CTE_CHAIN = 50;

/** How far the binding of one statement has come. */
export class StatementSize {
  #levels = 0;
  #ctes = 0;
  /** CTEs that are being bound, each for the one before it. */
  #chain = 0;

  /**
   * Runs what binds one level more.
   *
   * @throws SqlError `sql_too_large`
   */
  nested<T>(bind: () => T): T {
    this.#levels += 1;
    if (this.#levels > MAX_LEVELS) {
      const message = `The query and what it reads nest more than ${MAX_LEVELS} levels deep: simplify it`;
      throw new SqlError('sql_too_large', message);
    }
    const bound = bind();
    this.#levels -= 1;
    return bound;
  }

  /**
   * Runs what binds a CTE.
   *
   * @throws SqlError `sql_too_large`
   */
  cte<T>(bind: () => T): T {
    this.#ctes += 1;
    this.#chain += 1;
    if (this.#chain > MAX_CTE_CHAIN) {
      const message = `More than ${MAX_CTE_CHAIN} common table expressions and endpoints read each other in a row: merge some of them`;
      throw new SqlError('sql_too_large', message);
    }
    if (this.#ctes > MAX_CTES) {
      const message = `The query reads more than ${MAX_CTES} common table expressions and endpoints: merge some of them`;
      throw new SqlError('sql_too_large', message);
    }
    const bound = bind();
    this.#chain -= 1;
    return bound;
  }
}
