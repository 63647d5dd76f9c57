import { SqlError } from '../common/sql-error.ts';
import type { AstQuery } from './ast.ts';
import { Cursor } from './cursor.ts';
import { parseQuery } from './query.ts';

/**
 * Parses one BigQuery query. Only a query: what begins with any other keyword is refused by name, and
 * so is whatever follows the first statement.
 *
 * @throws SqlError `sql_empty`, `sql_not_select`, `sql_multiple_statements`, `sql_syntax`,
 *   `sql_unsupported`, `sql_too_large`.
 */
export function parse(sql: string): AstQuery {
  const c = new Cursor(sql);
  while (c.takeOp(';')) {
    // empty statements before the query
  }
  if (c.atEnd) throw new SqlError('sql_empty', 'The query is empty: write a SELECT statement');
  const start = c.token;
  if (start.kind === 'word' && start.key !== 'SELECT' && start.key !== 'WITH') {
    const message = `Only SELECT queries allowed: ${start.key.slice(0, 40)} is not a query`;
    throw new SqlError('sql_not_select', message);
  }
  const query = parseQuery(c);
  if (!c.atEnd && !c.isOp(';')) throw c.unexpected('the end of the statement');
  while (c.takeOp(';')) {
    // trailing semicolons
  }
  if (!c.atEnd) {
    throw new SqlError('sql_multiple_statements', 'Only one statement is allowed per query');
  }
  return query;
}
