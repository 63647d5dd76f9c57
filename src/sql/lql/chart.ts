import type { AstExpr, AstSelectItem } from '../parse/ast.ts';
import type { Aggregate, Clause, FieldPath, Period } from './clause.ts';
import { TIMESTAMP } from './path.ts';
import { asNumber, call, int, item, name } from './syntax.ts';
import { column, type Joins } from './unnest-joins.ts';

export interface Chart {
  readonly at: number;
  readonly aggregate: Aggregate;
  /** Undefined where the rows themselves are counted. */
  readonly path: FieldPath | undefined;
  readonly period: Period;
}

/** The chart that all chart clauses make together: later ones win, part by part. */
export function chartOf(clauses: readonly Clause[]): Chart | undefined {
  let chart: Chart | undefined;
  for (const clause of clauses) {
    if (clause.kind === 'aggregate' || clause.kind === 'period') {
      const { at } = clause;
      chart ??= { at, aggregate: 'count', path: undefined, period: 'minute' };
      chart =
        clause.kind === 'period'
          ? { ...chart, period: clause.period }
          : { ...chart, aggregate: clause.aggregate, path: clause.path };
    }
  }
  return chart;
}

/** The columns `timestamp` and `count`: names that do not depend on the aggregate suit every chart. */
export function chartItems(chart: Chart, table: string, joins: Joins): AstSelectItem[] {
  const { at, period } = chart;
  const time = column(table, name(TIMESTAMP, at));
  const unit: AstExpr = { kind: 'path', at, parts: [name(period.toUpperCase(), at)] };
  const bucket = call('timestamp_trunc', at, [time, unit]);
  return [
    item(bucket, name(TIMESTAMP, at)),
    item(aggregateOf(chart, time, joins), name('count', at)),
  ];
}

function aggregateOf({ at, aggregate, path }: Chart, time: AstExpr, joins: Joins): AstExpr {
  if (aggregate === 'count' || path === undefined) {
    // Whatever its argument: what is counted are the rows that the chart can place (Logflare 1.50).
    return call('count', at, [time]);
  }
  const value = joins.value(path);
  switch (aggregate) {
    case 'countd':
      return call('count', at, [value], { distinct: true });
    case 'avg':
    case 'sum':
    case 'max':
      return call(aggregate, at, [asNumber(value)]);
    default: {
      const base = call('approx_quantiles', at, [asNumber(value), int(100, at)]);
      const index = int(Number(aggregate.slice(1)), at);
      return { kind: 'subscript', at, base, mode: 'offset', index };
    }
  }
}
