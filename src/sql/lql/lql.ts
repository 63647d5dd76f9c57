import type { AstExpr, AstQuery } from '../parse/ast.ts';
import { chartItems, chartOf } from './chart.ts';
import type { Filter } from './clause.ts';
import { columnsOf } from './columns.ts';
import { conditionOf } from './condition.ts';
import { parseClauses } from './parse.ts';
import { Scanner } from './scanner.ts';
import { int, selectQuery } from './syntax.ts';
import { tableOf } from './table.ts';
import { Joins } from './unnest-joins.ts';

export interface LqlContext {
  /** Names of the endpoint's top-level CTEs, in order. */
  readonly tables: readonly string[];
  /** What `now`, `today` and `last@5m` are relative to, microseconds since the epoch. */
  readonly nowUs: bigint;
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

function allOf(conditions: readonly AstExpr[]): AstExpr | undefined {
  const [first, ...more] = conditions;
  return first === undefined || more.length === 0
    ? first
    : { kind: 'and', at: first.at, items: conditions };
}
