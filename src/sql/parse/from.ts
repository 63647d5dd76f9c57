import { SqlError } from '../common/sql-error.ts';
import type { AstExpr, AstFrom, AstQuery, JoinKind, Name } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { parseExpr } from './expr.ts';
import { parseAlias, parseQuery, startsQuery } from './query.ts';
import { MAX_JOINS, MAX_NAME_PARTS } from './size.ts';

/** The FROM clause: items separated by commas and joins, as one left-deep tree. */
export function parseFrom(c: Cursor): AstFrom {
  let left = parseItem(c);
  for (let links = 0; ; links += 1) {
    if (links > MAX_JOINS) {
      throw c.tooLarge(`More than ${MAX_JOINS} joins in one FROM clause: split the query`);
    }
    const at = c.token.start;
    if (c.takeOp(',')) {
      left = {
        kind: 'join',
        at,
        join: 'cross',
        left,
        right: parseItem(c),
        on: undefined,
        using: [],
      };
      continue;
    }
    const join = parseJoinKind(c);
    if (join === undefined) return left;
    const right = parseItem(c);
    left = { kind: 'join', at, join, left, right, ...parseJoinCondition(c, join, right) };
  }
}

function parseJoinKind(c: Cursor): JoinKind | undefined {
  if (c.isWord('NATURAL')) {
    throw c.unsupported('NATURAL JOIN is not supported: write JOIN .. USING (column)');
  }
  if (c.takeWords('CROSS', 'JOIN')) return 'cross';
  if (c.takeWords('INNER', 'JOIN') || c.takeWord('JOIN')) return 'inner';
  for (const [word, kind] of [
    ['LEFT', 'left'],
    ['RIGHT', 'right'],
    ['FULL', 'full'],
  ] as const) {
    if (c.isWord(word)) {
      c.next();
      c.takeWord('OUTER');
      c.expectWord('JOIN');
      return kind;
    }
  }
  return undefined;
}

function parseJoinCondition(
  c: Cursor,
  join: JoinKind,
  right: AstFrom,
): { on: AstExpr | undefined; using: Name[] } {
  if (c.takeWord('ON')) return { on: parseExpr(c), using: [] };
  if (c.takeWord('USING')) {
    const using: Name[] = [];
    c.expectOp('(');
    do {
      using.push(c.name('a column name'));
    } while (c.takeOp(','));
    c.expectOp(')');
    return { on: undefined, using };
  }
  // A join to UNNEST is correlated and needs no condition; others would be a cross join by mistake.
  const correlated = right.kind === 'unnest' || (right.kind === 'table' && right.parts.length > 1);
  if (join === 'cross' || correlated) return { on: undefined, using: [] };
  throw c.unexpected('ON or USING after JOIN');
}

function parseItem(c: Cursor): AstFrom {
  const item = parseBareItem(c);
  if (
    c.isWord('TABLESAMPLE', 'PIVOT', 'UNPIVOT', 'MATCH_RECOGNIZE') ||
    c.isWords('FOR', 'SYSTEM_TIME')
  ) {
    throw c.unsupported(`${c.token.value.toUpperCase()} is not supported`);
  }
  return item;
}

function parseBareItem(c: Cursor): AstFrom {
  const at = c.token.start;
  if (c.isOp('(')) return c.memoised(() => c.nested(() => parseParenthesised(c, at)));
  if (c.isWord('UNNEST') && c.isOp('(', 1)) {
    c.next();
    c.next();
    const expr = parseExpr(c);
    c.expectOp(')');
    return { kind: 'unnest', at, expr, ...parseUnnestAlias(c) };
  }
  if (c.isWord('LATERAL')) {
    throw c.unsupported('LATERAL is not supported: UNNEST of a column is correlated as it stands');
  }
  const parts = parseTablePath(c);
  if (c.isOp('(')) {
    const name = parts.map((part) => part.text).join('.');
    const other =
      name.toLowerCase() === 'generate_series' ? ', write UNNEST(GENERATE_ARRAY(..))' : '';
    const message = `Table functions are not supported: ${name}(..) cannot stand in FROM${other}`;
    throw c.unsupported(message, at);
  }
  return { kind: 'table', at, parts, ...parseUnnestAlias(c) };
}

function parseUnnestAlias(c: Cursor): { alias: Name | undefined; offset: Name | undefined } {
  const at = c.token.start;
  const offsetFirst = c.isWords('WITH', 'OFFSET');
  const alias = offsetFirst || c.isWord('PIVOT', 'UNPIVOT') ? undefined : parseAlias(c);
  if (!c.takeWords('WITH', 'OFFSET')) return { alias, offset: undefined };
  const offset = parseAlias(c) ?? { text: 'offset', quoted: false, at };
  return { alias, offset };
}

function parseParenthesised(c: Cursor, at: number): AstFrom {
  // "((select ..) as a join b ..)" is a join, "((select ..))" a query: only the end of it tells.
  const mark = c.mark();
  if (startsQuery(c, 0)) {
    const ambiguous = c.isOp('(', 1);
    c.next();
    const query = ambiguous ? attemptQuery(c) : parseQuery(c);
    if (query !== undefined && c.takeOp(')')) {
      return { kind: 'derived', at, query, alias: parseAlias(c) };
    }
    if (!ambiguous) throw c.unexpected("')'");
    c.rewind(mark);
  }
  c.next();
  const inner = parseFrom(c);
  c.expectOp(')');
  return inner;
}

/** A query, or undefined where what stands here is none after all. */
function attemptQuery(c: Cursor): AstQuery | undefined {
  try {
    return parseQuery(c);
  } catch (error) {
    if (error instanceof SqlError) return undefined;
    throw error;
  }
}

/**
 * A table's name: dotted parts, each bare, in backticks, or with dashes, as BigQuery allows for
 * projects and as log sources are named (`deno-relay-logs`, `storage.logs.prod.2`).
 */
function parseTablePath(c: Cursor): Name[] {
  const parts = [parseDashedName(c)];
  for (;;) {
    if (parts.length > MAX_NAME_PARTS) {
      throw c.tooLarge(`A name has more than ${MAX_NAME_PARTS} parts`);
    }
    const { kind, value, start, end } = c.token;
    if (kind === 'float' && value.startsWith('.') && c.previous.end === start) {
      c.next();
      parts.push({ text: value.slice(1), quoted: false, at: start });
    } else if (c.isOp('.') && ['word', 'quoted', 'int'].includes(c.peek().kind) && end >= start) {
      c.next();
      parts.push(c.token.kind === 'int' ? numberName(c) : parseDashedName(c, true));
    } else {
      return parts;
    }
  }
}

function numberName(c: Cursor): Name {
  const token = c.next();
  return { text: token.value, quoted: false, at: token.start };
}

function parseDashedName(c: Cursor, afterDot = false): Name {
  const first = c.name('a table name', afterDot);
  let text = first.text;
  let end = c.previous.end;
  while (!first.quoted && c.isOp('-') && c.token.start === end && c.peek().start === end + 1) {
    const part = c.peek();
    if (part.kind !== 'word' && part.kind !== 'int') break;
    c.next();
    c.next();
    text += `-${part.value}`;
    end = part.end;
  }
  return { text, quoted: first.quoted, at: first.at };
}
