import type { Expr } from './tree.ts';

/** Direct operands of an expression; subqueries are closed worlds and not among them. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.op) {
    case 'const':
    case 'invalid':
    case 'column':
    case 'json':
    case 'exists':
    case 'scalar_query':
      return [];
    case 'json_path':
    case 'read_text':
    case 'json_is_object':
    case 'json_elements':
      return [expr.text];
    case 'call':
      return expr.args;
    case 'let':
      return expr.values;
    case 'and':
    case 'or':
    case 'concat':
    case 'array':
    case 'struct':
      return expr.items;
    case 'not':
    case 'is_null':
    case 'cast':
    case 'in_query':
      return [expr.arg];
    case 'compare':
    case 'not_distinct':
    case 'arithmetic':
      return [expr.left, expr.right];
    case 'like':
      return [expr.arg, expr.pattern];
    case 'case':
      return [
        ...(expr.operand === undefined ? [] : [expr.operand]),
        ...expr.whens.flatMap(({ when, result }) => [when, result]),
        ...(expr.otherwise === undefined ? [] : [expr.otherwise]),
      ];
    case 'in_list':
      return [expr.arg, ...expr.items];
    case 'any_match':
      return [expr.array, expr.condition];
    case 'field':
      return [expr.base];
    case 'element':
      return [expr.base, expr.index];
    case 'aggregate':
      return [
        ...expr.args,
        ...(expr.filter === undefined ? [] : [expr.filter]),
        ...expr.orderBy.map((order) => order.expr),
        ...(expr.over?.partitionBy ?? []),
        ...(expr.over?.orderBy.map((order) => order.expr) ?? []),
      ];
  }
}
