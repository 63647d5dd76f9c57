import type {
  AstCte,
  AstExpr,
  AstOrder,
  AstQuery,
  AstSelect,
  AstSelectItem,
  AstSetOperation,
  AstWindow,
  Name,
} from './ast.ts';
import { parseWindow } from './call.ts';
import type { Cursor } from './cursor.ts';
import { parseExpr } from './expr.ts';
import { parseFrom } from './from.ts';
import { MAX_ITEMS, MAX_KEYS, MAX_NAME_PARTS, MAX_SET_OPERATIONS } from './size.ts';

/** Whether a query starts `ahead` tokens from here, behind any number of opening parentheses. */
export function startsQuery(c: Cursor, ahead: number): boolean {
  let i = ahead;
  while (c.isOp('(', i)) i += 1;
  const token = c.peek(i);
  return token.kind === 'word' && (token.key === 'SELECT' || token.key === 'WITH');
}

/** `[WITH ..] body [ORDER BY ..] [LIMIT .. [OFFSET ..]]` */
export function parseQuery(c: Cursor): AstQuery {
  return c.nested(() => {
    const at = c.token.start;
    let recursive = false;
    const ctes: AstCte[] = [];
    if (c.takeWord('WITH')) {
      recursive = c.takeWord('RECURSIVE');
      do {
        if (ctes.length > 0 && c.isWord('SELECT')) {
          break; // a trailing comma after the last CTE
        }
        ctes.push(parseCte(c));
      } while (c.takeOp(','));
    }
    const body = parseSetOperations(c);
    const orderBy = parseOrderBy(c);
    const { limit, offset } = parseLimit(c);
    return { kind: 'query', at, recursive, ctes, body, orderBy, limit, offset };
  });
}

function parseCte(c: Cursor): AstCte {
  const name = c.name('a name for the common table expression');
  if (c.isOp('(')) {
    throw c.unsupported('Column lists after a CTE name are not supported: name the columns inside');
  }
  c.expectWord('AS');
  c.expectOp('(');
  const query = parseQuery(c);
  c.expectOp(')');
  return { name, query };
}

type Body = AstSelect | AstSetOperation | AstQuery;

/** Set operations are left-associative; BigQuery wants parentheses before it mixes different ones. */
function parseSetOperations(c: Cursor): Body {
  let left = parseOperand(c);
  let first: string | undefined;
  for (let links = 0; c.isWord('UNION', 'INTERSECT', 'EXCEPT'); links += 1) {
    const { start: at, key } = c.next();
    if (links >= MAX_SET_OPERATIONS) {
      throw c.tooLarge(`More than ${MAX_SET_OPERATIONS} set operations in a row: split the query`);
    }
    const all = c.takeWord('ALL');
    if (!all && !c.takeWord('DISTINCT') && key !== 'UNION') {
      throw c.unexpected(`DISTINCT after ${key}`);
    }
    const spelling = `${key} ${all}`;
    if (first !== undefined && first !== spelling) {
      throw c.error('Different set operations need parentheses to say which comes first', at);
    }
    first = spelling;
    const op = key === 'UNION' ? 'union' : key === 'INTERSECT' ? 'intersect' : 'except';
    left = { kind: 'set', at, op, all, left, right: parseOperand(c) };
  }
  return left;
}

function parseOperand(c: Cursor): Body {
  if (c.takeOp('(')) {
    const query = parseQuery(c);
    c.expectOp(')');
    return query;
  }
  return parseSelect(c);
}

function parseSelect(c: Cursor): AstSelect {
  const at = c.expectWord('SELECT').start;
  const distinct = c.takeWord('DISTINCT');
  if (distinct && c.isWord('ON') && c.isOp('(', 1)) {
    throw c.unsupported(
      'DISTINCT ON is not supported: write QUALIFY ROW_NUMBER() OVER (PARTITION BY .. ORDER BY ..) = 1',
    );
  }
  if (!distinct) c.takeWord('ALL');
  if (c.isWords('AS', 'STRUCT') || c.isWords('AS', 'VALUE')) {
    throw c.unsupported('SELECT AS STRUCT and SELECT AS VALUE are not supported');
  }
  const items = parseItems(c);
  const from = c.takeWord('FROM') ? parseFrom(c) : undefined;
  const where = c.takeWord('WHERE') ? parseExpr(c) : undefined;
  const groupBy = parseGroupBy(c);
  const having = c.takeWord('HAVING') ? parseExpr(c) : undefined;
  const qualify = c.takeWord('QUALIFY') ? parseExpr(c) : undefined;
  const windows: { name: string; window: AstWindow }[] = [];
  if (c.takeWord('WINDOW')) {
    do {
      const name = c.name('a window name').text;
      c.expectWord('AS');
      windows.push({ name, window: parseWindow(c) });
    } while (c.takeOp(','));
  }
  return { kind: 'select', at, distinct, items, from, where, groupBy, having, qualify, windows };
}

function endsItems(c: Cursor): boolean {
  return (
    c.token.kind === 'end' ||
    c.isOp(')') ||
    c.isOp(';') ||
    c.isWord('FROM', 'WHERE', 'GROUP', 'ORDER', 'LIMIT', 'UNION', 'HAVING')
  );
}

function parseItems(c: Cursor): AstSelectItem[] {
  const items: AstSelectItem[] = [];
  do {
    if (items.length > 0 && endsItems(c)) {
      break; // BigQuery allows a comma after the last item
    }
    if (items.length >= MAX_ITEMS) {
      throw c.tooLarge(`More than ${MAX_ITEMS} columns in one SELECT list`);
    }
    items.push(parseItem(c));
  } while (c.takeOp(','));
  return items;
}

function parseItem(c: Cursor): AstSelectItem {
  const at = c.token.start;
  if (c.takeOp('*')) return parseStar(c, at, undefined);
  const mark = c.mark();
  const prefix = tryStarPrefix(c);
  if (prefix !== undefined) return parseStar(c, at, prefix);
  c.rewind(mark);
  const expr = parseExpr(c);
  return { kind: 'expr', at, expr, alias: parseAlias(c, true) };
}

/** `a.b.*`: the names before the star. */
function tryStarPrefix(c: Cursor): Name[] | undefined {
  const parts: Name[] = [];
  for (let name = c.tryName(); name !== undefined; name = c.tryName(true)) {
    parts.push(name);
    if (!c.takeOp('.') || parts.length > MAX_NAME_PARTS) return undefined;
    if (c.takeOp('*')) return parts;
  }
  return undefined;
}

function parseStar(c: Cursor, at: number, of: Name[] | undefined): AstSelectItem {
  const except: Name[] = [];
  const replace: { expr: AstExpr; name: Name }[] = [];
  if (c.isWord('EXCEPT') && c.isOp('(', 1)) {
    c.next();
    c.next();
    do {
      except.push(c.name('a column name'));
    } while (c.takeOp(','));
    c.expectOp(')');
  }
  if (c.isWord('REPLACE') && c.isOp('(', 1)) {
    c.next();
    c.next();
    do {
      const expr = parseExpr(c);
      c.takeWord('AS');
      replace.push({ expr, name: c.name('a column name') });
    } while (c.takeOp(','));
    c.expectOp(')');
  }
  return { kind: 'star', at, of, except, replace };
}

/** `[AS] name`; an item of a select list may also be named by a string, as old clients do. */
export function parseAlias(c: Cursor, stringAllowed = false): Name | undefined {
  const explicit = c.takeWord('AS');
  const token = c.token;
  if (explicit && stringAllowed && token.kind === 'string') {
    c.next();
    return { text: token.value, quoted: true, at: token.start };
  }
  return explicit ? c.name('a name after AS') : c.tryName();
}

function parseGroupBy(c: Cursor): readonly AstExpr[] | 'all' {
  if (!c.takeWord('GROUP')) return [];
  c.expectWord('BY');
  if (c.takeWord('ALL')) return 'all';
  if (c.isWord('ROLLUP', 'CUBE', 'GROUPING')) {
    throw c.unsupported('ROLLUP, CUBE and GROUPING SETS are not supported: use UNION ALL');
  }
  const keys = [parseExpr(c)];
  while (c.takeOp(',')) {
    if (keys.length >= MAX_KEYS) throw c.tooLarge(`More than ${MAX_KEYS} keys in GROUP BY`);
    keys.push(parseExpr(c));
  }
  return keys;
}

export function parseOrderBy(c: Cursor): AstOrder[] {
  const orders: AstOrder[] = [];
  if (!c.takeWord('ORDER')) return orders;
  c.expectWord('BY');
  do {
    if (orders.length >= MAX_KEYS) throw c.tooLarge(`More than ${MAX_KEYS} keys in ORDER BY`);
    const at = c.token.start;
    const expr = parseExpr(c);
    const descending = c.takeWord('DESC');
    if (!descending) c.takeWord('ASC');
    let nulls: 'first' | 'last' | undefined;
    if (c.takeWord('NULLS')) {
      nulls = c.takeWord('FIRST') ? 'first' : 'last';
      if (nulls === 'last') c.expectWord('LAST');
    }
    orders.push({ at, expr, descending, nulls });
  } while (c.takeOp(','));
  return orders;
}

function parseLimit(c: Cursor): { limit: AstExpr | undefined; offset: AstExpr | undefined } {
  if (!c.takeWord('LIMIT')) return { limit: undefined, offset: undefined };
  const limit = parseExpr(c);
  return { limit, offset: c.takeWord('OFFSET') ? parseExpr(c) : undefined };
}
