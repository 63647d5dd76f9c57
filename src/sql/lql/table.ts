import { SqlError } from '../common/sql-error.ts';
import type { Clause } from './clause.ts';
import { type Scanner, shown } from './scanner.ts';

type From = Extract<Clause, { kind: 'from' }>;

/**
 * The table that a query reads: the one it names, else the only one there is.
 *
 * @throws SqlError `lql_unknown_table`, in Logflare's words; `lql_syntax` when the
 *   query names more than one.
 */
export function tableOf(
  reader: Scanner,
  clauses: readonly Clause[],
  tables: readonly string[],
): From {
  const [from, second, ...more] = clauses.filter(
    (clause): clause is From => clause.kind === 'from',
  );
  if (second !== undefined) {
    throw reader.fail(
      `Only one from rule (f:table) is allowed per query, found ${2 + more.length}`,
      second.at,
    );
  }
  const [only, ...others] = tables;
  if (only === undefined) throw unknown('No CTEs found in query');
  const list = tables.join(', ');
  if (from === undefined) {
    if (others.length > 0) {
      throw unknown(
        `Multiple CTEs available (${list}). You must specify which one to query using \`f:name\``,
      );
    }
    return { kind: 'from', at: 0, table: only };
  }
  if (!tables.includes(from.table)) {
    throw unknown(`Table '${shown(from.table)}' not found in available CTEs: ${list}`);
  }
  return from;
}

function unknown(message: string): SqlError {
  return new SqlError('lql_unknown_table', message);
}
