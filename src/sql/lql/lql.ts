import type { AstExpr, AstFrom, AstQuery } from '../parse/ast.ts';
import { chartItems, chartOf } from './chart.ts';
import type { Filter } from './clause.ts';
import { columnsOf } from './columns.ts';
import { conditionOf } from './condition.ts';
import { parseClauses } from './parse.ts';
import { TIMESTAMP } from './path.ts';
import { Scanner } from './scanner.ts';
import { int, name, selectQuery } from './syntax.ts';
import { tableOf } from './table.ts';
import { Joins } from './unnest-joins.ts';

export interface LqlContext {
  /** Names of the endpoint's top-level CTEs, in order. */
  readonly tables: readonly string[];
  /** What `now`, `today` and `last@5m` are relative to, microseconds since the epoch. */
  readonly nowUs: bigint;
  /** Whether the query has filters only and asks for whole rows, the newest first. Default false. */
  readonly newest?: boolean;
}

/**
 * Parses LQL and builds the query it means, in the SQL compiler's syntax tree; offsets in the tree
 * point into the LQL text. The empty text asks for the timestamps of all rows.
 *
 * @throws SqlError `lql_syntax`, `lql_too_large`, `lql_unknown_table`.
 */
export function parseLql(lql: string, context: LqlContext): AstQuery {
  const reader = new Scanner(lql);
  const clauses = parseClauses(reader, context.nowUs);
  const { at, table } = tableOf(reader, clauses, context.tables);
  const joins = new Joins(table, at);
  const filters = clauses.filter((clause): clause is Filter => clause.kind === 'filter');
  const where = allOf(filters.map((filter) => conditionOf(table, filter)));
  if (context.newest) {
    const other = clauses.find(({ kind }) => kind !== 'filter' && kind !== 'from');
    if (other !== undefined) {
      throw reader.fail('Only filters can be given here: whole events are answered', other.at);
    }
    return newestRows(at, joins.from, where);
  }
  const chart = chartOf(clauses);
  if (chart === undefined) {
    const items = columnsOf(reader, clauses, filters, joins);
    return selectQuery(0, { items, from: joins.from, where });
  }
  const items = chartItems(chart, table, joins);
  const bucket = int(1, chart.at);
  return selectQuery(0, {
    items,
    from: joins.from,
    where,
    groupBy: [bucket],
    orderBy: [{ at: chart.at, expr: bucket, descending: false, nulls: undefined }],
  });
}

function newestRows(at: number, from: AstFrom, where: AstExpr | undefined): AstQuery {
  const expr: AstExpr = { kind: 'path', at, parts: [name(TIMESTAMP, at)] };
  return selectQuery(0, {
    items: [{ kind: 'star', at, of: undefined, except: [], replace: [] }],
    from,
    where,
    orderBy: [{ at, expr, descending: true, nulls: undefined }],
  });
}

/**
 * The table that a text names by `f:`; undefined when it names none.
 *
 * @throws SqlError `lql_syntax`, `lql_too_large`.
 */
export function tableInLql(lql: string): string | undefined {
  // Times are read, and mean nothing here.
  const clauses = parseClauses(new Scanner(lql), 0n);
  return clauses.find((clause) => clause.kind === 'from')?.table;
}

function allOf(conditions: readonly AstExpr[]): AstExpr | undefined {
  const [first, ...more] = conditions;
  return first === undefined || more.length === 0
    ? first
    : { kind: 'and', at: first.at, items: conditions };
}
