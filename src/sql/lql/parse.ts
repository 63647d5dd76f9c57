import { SqlError } from '../common/sql-error.ts';
import type { Clause } from './clause.ts';
import { parseClause } from './parse-clause.ts';
import type { Scanner } from './scanner.ts';

/** Characters; a query of 100 clauses fits many times over. */
export const MAX_LQL_LENGTH = 16_384;
/** Logflare's own bound. */
const MAX_CLAUSES = 100;

/**
 * Parses a text into its clauses; the empty text has none.
 *
 * @param nowUs what `now`, `today` and `last@5m` are relative to, microseconds since the epoch.
 * @throws SqlError `lql_syntax`, `lql_too_large`.
 */
export function parseClauses(reader: Scanner, nowUs: bigint): Clause[] {
  const { text } = reader;
  if (text.length > MAX_LQL_LENGTH) {
    const message = `The LQL query is ${text.length} characters long; at most ${MAX_LQL_LENGTH} are accepted.`;
    throw new SqlError('lql_too_large', message);
  }
  const nul = text.indexOf('\u0000');
  if (nul !== -1) throw reader.fail('LQL cannot hold a NUL character', nul);
  const clauses: Clause[] = [];
  reader.skipBlanks();
  while (!reader.atEnd) {
    if (clauses.length === MAX_CLAUSES) {
      throw reader.fail(`An LQL query can have at most ${MAX_CLAUSES} clauses`);
    }
    clauses.push(parseClause(reader, nowUs));
    reader.skipBlanks();
  }
  if (clauses.length === 0 && text !== '') {
    throw reader.fail('The LQL query is blank: write a filter, or s:field to select a field', 0);
  }
  return clauses;
}
