import { outputExprs } from './expr-walk.ts';
import type { Expr, QueryNode } from './ir.ts';
import type { SqlType } from './types.ts';

/**
 * Functions and aggregates that give NaN only of NaN and infinities. JSON has neither, so what is computed
 * of events by these alone is compared and sorted as any number is.
 */
const HARMLESS: ReadonlySet<string> = new Set([
  ...[
    'abs',
    'sign',
    'round',
    'trunc',
    'ceil',
    'ceiling',
    'floor',
    'mod',
    'sqrt',
    'exp',
    'pow',
    'power',
  ],
  ...['if', 'ifnull', 'coalesce', 'nullif', 'nullifzero', 'zeroifnull', 'greatest', 'least'],
  ...['safe_add', 'safe_subtract', 'safe_multiply', 'safe_divide', 'safe_negate'],
  ...['sum', 'avg', 'min', 'max', 'any_value', 'array_agg', 'approx_quantiles', 'min_by', 'max_by'],
  ...['stddev', 'stddev_samp', 'stddev_pop', 'variance', 'var_samp', 'var_pop'],
  ...[
    'lag',
    'lead',
    'first_value',
    'last_value',
    'nth_value',
    'percentile_cont',
    'percentile_disc',
  ],
  ...['cume_dist', 'percent_rank'],
]);

/**
 * Whether a FLOAT64, or an element of an array of them, is NaN in no row. Engines sort NaN last and DuckDB
 * takes it for equal to itself; BigQuery sorts it first, and it equals nothing.
 */
export function isNeverNaN(expr: Expr): boolean {
  if (!holdsFloats(expr.type)) return true;
  switch (expr.op) {
    case 'const':
      return typeof expr.value !== 'number' || Number.isFinite(expr.value);
    case 'column':
      return expr.neverNaN === true;
    case 'json':
    case 'json_path':
    case 'read_text':
      return true;
    case 'cast':
      return expr.arg.type.kind !== 'string' && isNeverNaN(expr.arg);
    case 'arithmetic':
      return isNeverNaN(expr.left) && isNeverNaN(expr.right);
    case 'array':
      return expr.items.every(isNeverNaN);
    case 'element':
      return isNeverNaN(expr.base);
    case 'case':
      return [
        ...expr.whens.map(({ result }) => result),
        ...(expr.otherwise === undefined ? [] : [expr.otherwise]),
      ].every(isNeverNaN);
    case 'call':
    case 'aggregate':
      return HARMLESS.has(expr.fn.name) && expr.args.every(isNeverNaN);
    case 'scalar_query':
      return outputIsNeverNaN(expr.query, 0);
    default:
      return false;
  }
}

function holdsFloats(type: SqlType): boolean {
  return type.kind === 'float64' || (type.kind === 'array' && holdsFloats(type.of));
}

/** The same of an output of a query. */
export function outputIsNeverNaN(query: QueryNode, index: number): boolean {
  const type = query.outputs[index]?.type;
  return type === undefined || !holdsFloats(type) || outputExprs(query, index).every(isNeverNaN);
}
