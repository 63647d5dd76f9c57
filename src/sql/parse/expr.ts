import type { AstExpr, BinaryOperator } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { parseOperand } from './primary.ts';
import { parseQuery, startsQuery } from './query.ts';
import { MAX_CHAIN, MAX_CONDITIONS } from './size.ts';

/** Parses one expression, operators by BigQuery's precedence (loosest first: OR, AND, NOT). */
export function parseExpr(c: Cursor): AstExpr {
  return c.nested(() => parseOr(c));
}

function parseOr(c: Cursor): AstExpr {
  return parseLogical(c, 'OR', 'or', () => parseLogical(c, 'AND', 'and', () => parseNot(c)));
}

function parseLogical(
  c: Cursor,
  word: string,
  kind: 'and' | 'or',
  operand: () => AstExpr,
): AstExpr {
  const at = c.token.start;
  const first = operand();
  if (!c.isWord(word)) return first;
  const items = [first];
  while (c.takeWord(word)) {
    if (items.length >= MAX_CONDITIONS) {
      throw c.tooLarge(`More than ${MAX_CONDITIONS} conditions joined by ${word}: use IN`);
    }
    items.push(operand());
  }
  return { kind, at, items };
}

function parseNot(c: Cursor): AstExpr {
  const at = c.token.start;
  if (c.isWord('NOT')) {
    c.next();
    return c.nested(() => ({ kind: 'not', at, expr: parseNot(c) }));
  }
  return parseComparison(c);
}

const COMPARISONS: Readonly<Record<string, BinaryOperator>> = {
  '=': '=',
  '!=': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

function parseComparison(c: Cursor): AstExpr {
  let left = parseBitOr(c);
  for (let links = 0; ; links += 1) {
    const { start: at, kind, key } = c.token;
    const comparison = kind === 'op' ? COMPARISONS[key] : undefined;
    if (comparison !== undefined) {
      c.next();
      if (links > 0) {
        throw c.error('Comparisons cannot be chained: put parentheses around one of them', at);
      }
      left = { kind: 'binary', at, op: comparison, left, right: parseBitOr(c) };
      continue;
    }
    const tested = parsePredicate(c, left, at);
    if (tested === undefined) return left;
    if (links >= MAX_CHAIN) throw c.tooLarge(`More than ${MAX_CHAIN} tests in a row`);
    left = tested;
  }
}

/** IS, IN, LIKE, BETWEEN after an operand; undefined when none of them follows. */
function parsePredicate(c: Cursor, expr: AstExpr, at: number): AstExpr | undefined {
  if (c.takeWord('IS')) {
    const negated = c.takeWord('NOT');
    if (c.takeWords('DISTINCT', 'FROM')) {
      return { kind: 'distinct_from', at, left: expr, right: parseBitOr(c), negated };
    }
    for (const what of ['null', 'true', 'false'] as const) {
      if (c.takeWord(what.toUpperCase())) return { kind: 'is', at, expr, what, negated };
    }
    throw c.unexpected('NULL, TRUE, FALSE or DISTINCT FROM after IS');
  }
  const negated = c.isWord('NOT') && ['IN', 'LIKE', 'ILIKE', 'BETWEEN'].includes(c.peek().key);
  if (negated) c.next();
  if (c.takeWord('BETWEEN')) {
    const low = parseBitOr(c);
    c.expectWord('AND');
    return { kind: 'between', at, expr, low, high: parseBitOr(c), negated };
  }
  if (c.takeWord('IN')) return parseIn(c, expr, at, negated);
  if (c.isWord('LIKE', 'ILIKE')) {
    const ignoreCase = c.next().key === 'ILIKE';
    const any = c.takeWord('ANY', 'SOME');
    const all = !any && c.takeWord('ALL');
    const quantifier = any ? 'any' : all ? 'all' : undefined;
    const patterns = quantifier ? parseList(c) : [parseBitOr(c)];
    if (patterns.length > MAX_CONDITIONS) {
      throw c.tooLarge(`More than ${MAX_CONDITIONS} patterns: use REGEXP_CONTAINS`);
    }
    return { kind: 'like', at, expr, patterns, quantifier, negated, ignoreCase };
  }
  return undefined;
}

function parseIn(c: Cursor, expr: AstExpr, at: number, negated: boolean): AstExpr {
  if (c.takeWord('UNNEST')) {
    c.expectOp('(');
    const array = parseExpr(c);
    c.expectOp(')');
    return { kind: 'in_unnest', at, expr, array, negated };
  }
  if (c.isOp('(') && startsQuery(c, 1)) {
    c.next();
    const query = parseQuery(c);
    c.expectOp(')');
    return { kind: 'in_query', at, expr, query, negated };
  }
  return { kind: 'in_list', at, expr, items: parseList(c), negated };
}

/** `( expr, ... )` with at least one element. */
function parseList(c: Cursor): AstExpr[] {
  c.expectOp('(');
  const items = [parseExpr(c)];
  while (c.takeOp(',')) items.push(parseExpr(c));
  c.expectOp(')');
  return items;
}

/** One level of left-associative binary operators. */
function leftAssociative(
  operators: readonly BinaryOperator[],
  operand: (c: Cursor) => AstExpr,
): (c: Cursor) => AstExpr {
  return (c) => {
    let left = operand(c);
    for (let links = 0; ; links += 1) {
      const { kind, key, start: at } = c.token;
      const op = kind === 'op' ? operators.find((candidate) => candidate === key) : undefined;
      if (op === undefined) return left;
      if (links >= MAX_CHAIN) {
        throw c.tooLarge(`More than ${MAX_CHAIN} '${op}' in a row: split the expression`);
      }
      c.next();
      left = { kind: 'binary', at, op, left, right: operand(c) };
    }
  };
}

const parseMultiplication = leftAssociative(['*', '/', '||'], parseUnary);
const parseAddition = leftAssociative(['+', '-'], parseMultiplication);
const parseShift = leftAssociative(['<<', '>>'], parseAddition);
const parseBitAnd = leftAssociative(['&'], parseShift);
const parseBitXor = leftAssociative(['^'], parseBitAnd);
const parseBitOr = leftAssociative(['|'], parseBitXor);

function parseUnary(c: Cursor): AstExpr {
  const at = c.token.start;
  if (c.takeOp('-')) return c.nested(() => ({ kind: 'negate', at, expr: parseUnary(c) }));
  if (c.takeOp('+')) return c.nested(() => parseUnary(c));
  return parseOperand(c);
}
