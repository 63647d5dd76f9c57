import type { AstExpr, AstType, Name, SubscriptMode } from './ast.ts';
import { parseCall, parseOver } from './call.ts';
import type { Cursor } from './cursor.ts';
import { parseExpr } from './expr.ts';
import { parseCase, parseCast, parseExtract, parseInterval } from './keyword-expr.ts';
import { parseQuery, startsQuery } from './query.ts';
import { MAX_CHAIN, MAX_NAME_PARTS } from './size.ts';
import { parseType } from './type.ts';

/** An operand of operators, with what is attached to it: fields, subscripts, `::` casts. */
export function parseOperand(c: Cursor): AstExpr {
  return parsePostfix(c, parsePrimary(c));
}

function parsePostfix(c: Cursor, primary: AstExpr): AstExpr {
  let expr = primary;
  for (let links = 0; links < MAX_CHAIN; links += 1) {
    const at = c.token.start;
    if (c.takeOp('[')) {
      expr = { kind: 'subscript', at, base: expr, ...parseSubscript(c) };
    } else if (c.isOp('.') && ['word', 'quoted'].includes(c.peek().kind)) {
      c.next();
      expr = { kind: 'field', at, base: expr, name: c.name('a field name', true) };
    } else if (c.takeOp('::')) {
      expr = { kind: 'cast', at, safe: false, expr, type: parseType(c) };
    } else {
      return expr;
    }
  }
  throw c.tooLarge(`More than ${MAX_CHAIN} field accesses in a row`);
}

const SUBSCRIPTS: Readonly<Record<string, SubscriptMode>> = {
  OFFSET: 'offset',
  SAFE_OFFSET: 'safe_offset',
  ORDINAL: 'ordinal',
  SAFE_ORDINAL: 'safe_ordinal',
};

function parseSubscript(c: Cursor): { mode: SubscriptMode; index: AstExpr } {
  const mode = c.isOp('(', 1) && c.token.kind === 'word' ? SUBSCRIPTS[c.token.key] : undefined;
  if (mode === undefined) {
    const index = parseExpr(c);
    c.expectOp(']');
    return { mode: 'plain', index };
  }
  c.next();
  c.expectOp('(');
  const index = parseExpr(c);
  c.expectOp(')');
  c.expectOp(']');
  return { mode, index };
}

function parsePrimary(c: Cursor): AstExpr {
  const token = c.token;
  const at = token.start;
  switch (token.kind) {
    case 'string':
    case 'bytes':
    case 'int':
    case 'float':
      c.next();
      return { kind: token.kind, at, value: token.value };
    case 'param':
      c.next();
      return { kind: 'param', at, name: token.value };
    case 'op':
      return parsePunctuated(c, at);
    case 'word':
      return parseKeyword(c, at) ?? parseNameOrCall(c);
    case 'quoted':
      return parseNameOrCall(c);
    default:
      throw c.unexpected('an expression');
  }
}

function parsePunctuated(c: Cursor, at: number): AstExpr {
  if (c.isOp('(')) {
    if (startsQuery(c, 1)) {
      c.next();
      const query = parseQuery(c);
      c.expectOp(')');
      return { kind: 'scalar_query', at, query };
    }
    c.next();
    const first = parseExpr(c);
    if (!c.isOp(',')) {
      c.expectOp(')');
      return first;
    }
    const fields = [{ name: undefined, expr: first }];
    while (c.takeOp(',')) fields.push({ name: undefined, expr: parseExpr(c) });
    c.expectOp(')');
    return { kind: 'struct', at, fields };
  }
  if (c.takeOp('[')) return { kind: 'array', at, of: undefined, items: parseItems(c, ']') };
  throw c.unexpected('an expression');
}

function parseKeyword(c: Cursor, at: number): AstExpr | undefined {
  switch (c.token.key) {
    case 'NULL':
      c.next();
      return { kind: 'null', at };
    case 'TRUE':
    case 'FALSE':
      return { kind: 'bool', at, value: c.next().key === 'TRUE' };
    case 'CASE':
      return parseCase(c);
    case 'CAST':
    case 'SAFE_CAST':
    case 'TRY_CAST':
      return c.isOp('(', 1) ? parseCast(c) : undefined;
    case 'EXTRACT':
      return parseExtract(c);
    case 'INTERVAL':
      return parseInterval(c);
    case 'EXISTS':
      c.next();
      c.expectOp('(');
      return { kind: 'exists', at, query: closing(c, parseQuery(c)) };
    case 'ARRAY':
      return parseArray(c, at);
    case 'STRUCT':
      return parseStruct(c, at);
    case 'DATE':
    case 'DATETIME':
    case 'TIMESTAMP':
    case 'TIME':
    case 'NUMERIC':
    case 'BIGNUMERIC':
    case 'DECIMAL':
    case 'JSON': {
      if (c.peek().kind !== 'string') return undefined;
      const type = c.next().key;
      return { kind: 'typed_literal', at, type, value: c.next().value };
    }
    default:
      return undefined;
  }
}

function closing<T>(c: Cursor, value: T): T {
  c.expectOp(')');
  return value;
}

/** Comma separated expressions up to a closing mark, possibly none. */
function parseItems(c: Cursor, close: string): AstExpr[] {
  const items: AstExpr[] = [];
  while (!c.takeOp(close)) {
    items.push(parseExpr(c));
    if (!c.isOp(close)) c.expectOp(',');
  }
  return items;
}

function parseArray(c: Cursor, at: number): AstExpr {
  c.next();
  if (c.takeOp('(')) return { kind: 'array_query', at, query: closing(c, parseQuery(c)) };
  let of: AstType | undefined;
  if (c.takeOp('<')) {
    of = parseType(c);
    c.expectAngle();
  }
  c.expectOp('[');
  return { kind: 'array', at, of, items: parseItems(c, ']') };
}

function parseStruct(c: Cursor, at: number): AstExpr {
  const type = c.peek().kind === 'op' && c.peek().value === '<' ? parseType(c) : undefined;
  if (type === undefined) c.next();
  c.expectOp('(');
  const fields: { name: Name | undefined; expr: AstExpr }[] = [];
  while (!c.takeOp(')')) {
    const expr = parseExpr(c);
    fields.push({ expr, name: c.takeWord('AS') ? c.name('a field name') : undefined });
    if (!c.isOp(')')) c.expectOp(',');
  }
  return { kind: 'struct', at, fields, ...(type === undefined ? {} : { type }) };
}

function parseNameOrCall(c: Cursor): AstExpr {
  const at = c.token.start;
  // IF, LEFT, RIGHT and friends are reserved words and functions at once.
  const callable = c.isOp('(', 1) && c.token.kind === 'word';
  const parts = [c.name('an expression', callable)];
  while (c.isOp('.') && ['word', 'quoted'].includes(c.peek().kind)) {
    c.next();
    parts.push(c.name('a name', true));
    if (parts.length > MAX_NAME_PARTS) {
      throw c.tooLarge(`A name has more than ${MAX_NAME_PARTS} parts`);
    }
  }
  if (c.isOp('(')) {
    const call = parseCall(c, parts, at);
    return c.isWord('OVER') ? { ...call, over: parseOver(c) } : call;
  }
  const bare = parts.length === 1 && !parts[0]?.quoted ? parts[0]?.text.toUpperCase() : undefined;
  if (bare !== undefined && BARE_FUNCTIONS.has(bare)) return emptyCall(bare.toLowerCase(), at);
  return { kind: 'path', at, parts };
}

/** SQL's functions without parentheses; BigQuery reads them as calls too. */
const BARE_FUNCTIONS = new Set([
  'CURRENT_TIMESTAMP',
  'CURRENT_DATE',
  'CURRENT_DATETIME',
  'CURRENT_TIME',
]);

function emptyCall(name: string, at: number): AstExpr {
  return {
    kind: 'call',
    at,
    name,
    safe: false,
    args: [],
    star: false,
    distinct: false,
    nulls: undefined,
    orderBy: [],
    limit: undefined,
    over: undefined,
    filter: undefined,
  };
}
