/** Ways through the tree. Each kind of node is taken apart and put together again here only. */
import type { Expr, FromNode, OrderItem, QueryNode, RelationNode, SelectNode } from './ir.ts';

type Change<T> = (value: T) => T;

/** The same list if nothing of it changes. */
function mapAll<T>(items: readonly T[], map: Change<T>): readonly T[] {
  let mapped: T[] | undefined;
  for (const [index, item] of items.entries()) {
    const other = map(item);
    if (other !== item) {
      mapped ??= [...items];
      mapped[index] = other;
    }
  }
  return mapped ?? items;
}

function mapOptional<T>(item: T | undefined, map: Change<T>): T | undefined {
  return item === undefined ? undefined : map(item);
}

/** The same object if the members that are given do not change it. */
function changed<T extends object>(whole: T, members: Partial<T>): T {
  for (const key in members) if (members[key] !== whole[key]) return { ...whole, ...members };
  return whole;
}

const sameQuery: Change<QueryNode> = (query) => query;

/**
 * An expression with other operands and subqueries; itself if all of them stay. What stands inside of a `let`
 * reads its values only, and stays.
 */
export function mapChildren(
  expr: Expr,
  map: Change<Expr>,
  mapQuery: Change<QueryNode> = sameQuery,
): Expr {
  const order = (item: OrderItem): OrderItem => changed(item, { expr: map(item.expr) });
  switch (expr.op) {
    case 'const':
    case 'invalid':
    case 'column':
      return expr;
    case 'json':
    case 'json_path':
    case 'read_text':
    case 'json_is_object':
    case 'json_elements':
      return changed(expr, { text: map(expr.text) });
    case 'call':
      return changed(expr, { args: mapAll(expr.args, map) });
    case 'let':
      return changed(expr, { values: mapAll(expr.values, map) });
    case 'and':
    case 'or':
    case 'concat':
    case 'array':
    case 'struct':
      return changed(expr, { items: mapAll(expr.items, map) });
    case 'not':
    case 'is_null':
    case 'cast':
      return changed(expr, { arg: map(expr.arg) });
    case 'compare':
    case 'not_distinct':
    case 'arithmetic':
      return changed(expr, { left: map(expr.left), right: map(expr.right) });
    case 'like':
      return changed(expr, { arg: map(expr.arg), pattern: map(expr.pattern) });
    case 'case': {
      const operand = mapOptional(expr.operand, map);
      const whens = mapAll(expr.whens, (branch) =>
        changed(branch, { when: map(branch.when), result: map(branch.result) }),
      );
      const otherwise = mapOptional(expr.otherwise, map);
      return changed(expr, { ...(operand && { operand }), whens, otherwise });
    }
    case 'in_list':
      return changed(expr, { arg: map(expr.arg), items: mapAll(expr.items, map) });
    case 'in_query':
      return changed(expr, { arg: map(expr.arg), query: mapQuery(expr.query) });
    case 'exists':
    case 'scalar_query':
      return changed(expr, { query: mapQuery(expr.query) });
    case 'any_match':
      return changed(expr, { array: map(expr.array), condition: map(expr.condition) });
    case 'field':
      return changed(expr, { base: map(expr.base) });
    case 'element':
      return changed(expr, { base: map(expr.base), index: map(expr.index) });
    case 'aggregate':
      return changed(expr, {
        args: mapAll(expr.args, map),
        filter: mapOptional(expr.filter, map),
        orderBy: mapAll(expr.orderBy, order),
        over: mapOptional(expr.over, (over) =>
          changed(over, {
            partitionBy: mapAll(over.partitionBy, map),
            orderBy: mapAll(over.orderBy, order),
          }),
        ),
      });
  }
}

/** Direct operands of an expression; subqueries are closed worlds and not among them. */
export function childrenOf(expr: Expr): readonly Expr[] {
  const children: Expr[] = [];
  mapChildren(expr, (child) => {
    children.push(child);
    return child;
  });
  return children;
}

const AGGREGATE = 1;
const WINDOW = 2;
const SUBQUERY = 4;
const PATH = 8;

/** What expressions hold, as bits: they never change, so it is found out once. */
const contents = new WeakMap<Expr, number>();

function contentsOf(expr: Expr): number {
  if (expr.op === 'const' || expr.op === 'column') return 0;
  if ('path' in expr) return PATH | contentsOf(expr.text);
  const known = contents.get(expr);
  if (known !== undefined) return known;
  const own =
    expr.op === 'aggregate'
      ? expr.over === undefined
        ? AGGREGATE
        : WINDOW
      : 'query' in expr
        ? SUBQUERY
        : 0;
  const found = childrenOf(expr).reduce((bits, child) => bits | contentsOf(child), own);
  contents.set(expr, found);
  return found;
}

/** Whether an expression holds an aggregate that is no window function. */
export function containsAggregate(expr: Expr): boolean {
  return (contentsOf(expr) & AGGREGATE) !== 0;
}

export function containsWindow(expr: Expr): boolean {
  return (contentsOf(expr) & WINDOW) !== 0;
}

/** Whether an expression holds anything that is read at a path of JSON. */
export function containsPath(expr: Expr): boolean {
  return (contentsOf(expr) & PATH) !== 0;
}

export function containsSubquery(expr: Expr): boolean {
  return (contentsOf(expr) & SUBQUERY) !== 0;
}

/** A query with other expressions of its own level: not in the queries of its FROM, nor in its arms. */
export function mapExpressions(query: QueryNode, map: Change<Expr>): QueryNode {
  const { body } = query;
  if (body.kind !== 'select') return query;
  return changed(query, {
    outputs: mapAll(query.outputs, (output) =>
      changed(output, { expr: mapOptional(output.expr, map) }),
    ),
    orderBy: mapAll(query.orderBy, (key) =>
      'expr' in key.by ? changed(key, { by: changed(key.by, { expr: map(key.by.expr) }) }) : key,
    ),
    body: changed<SelectNode>(body, {
      where: mapAll(body.where, map),
      groupBy: mapAll(body.groupBy, map),
      having: mapOptional(body.having, map),
      from: mapOptional(body.from, (from) => mapConditions(from, map)),
    }),
  });
}

/** The expressions that stand in a FROM itself: what joins join on, and what is unnested. */
function mapConditions(from: FromNode, map: Change<Expr>): FromNode {
  switch (from.kind) {
    case 'join':
      return changed(from, {
        on: mapOptional(from.on, map),
        left: mapConditions(from.left, map),
        right: mapConditions(from.right, map),
      });
    case 'unnest':
      return changed(from, { array: map(from.array) });
    default:
      return from;
  }
}

/** All expressions of a query's own level. */
export function expressionsOf(query: QueryNode): readonly Expr[] {
  const found: Expr[] = [];
  mapExpressions(query, (expr) => {
    found.push(expr);
    return expr;
  });
  return found;
}

/**
 * A query with others in place of those that it is made of: derived tables of its FROM, by their alias, or
 * what stands in its parentheses and the arms of a set operation.
 */
export function mapInner(
  query: QueryNode,
  map: (inner: QueryNode, alias?: string) => QueryNode,
): QueryNode {
  const { body } = query;
  switch (body.kind) {
    case 'query':
      return changed(query, { body: map(body) });
    case 'set':
      return changed(query, {
        body: changed(body, { left: map(body.left), right: map(body.right) }),
      });
    case 'select':
      return changed(query, {
        body: changed<SelectNode>(body, {
          from: mapOptional(body.from, (from) => mapDerived(from, map)),
        }),
      });
  }
}

function mapDerived(from: FromNode, map: (query: QueryNode, alias: string) => QueryNode): FromNode {
  switch (from.kind) {
    case 'join':
      return changed(from, {
        left: mapDerived(from.left, map),
        right: mapDerived(from.right, map),
      });
    case 'derived':
      return changed(from, { query: map(from.query, from.alias) });
    default:
      return from;
  }
}

/** What a query reads, in the order of its FROM; nothing unless it is a SELECT. */
export function relationsOf({ body }: QueryNode): readonly RelationNode[] {
  return body.kind === 'select' && body.from !== undefined ? relationsIn(body.from) : [];
}

/** The relations of a FROM, in order. */
export function relationsIn(from: FromNode): readonly RelationNode[] {
  return from.kind === 'join' ? [...relationsIn(from.left), ...relationsIn(from.right)] : [from];
}

/** The expressions that an output is: one, or those of all arms of a set operation. */
export function outputExprs({ body, outputs }: QueryNode, index: number): readonly Expr[] {
  switch (body.kind) {
    case 'select': {
      const expr = outputs[index]?.expr;
      return expr === undefined ? [] : [expr];
    }
    case 'query':
      return outputExprs(body, index);
    case 'set':
      return [...outputExprs(body.left, index), ...outputExprs(body.right, index)];
  }
}
