import type { AstBound, AstCall, AstExpr, AstFrame, AstOrder, AstWindow, Name } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { parseExpr } from './expr.ts';
import { parseDatePart } from './keyword-expr.ts';
import { parseOrderBy } from './query.ts';
import { MAX_ARGUMENTS } from './size.ts';

/** The rest of a call whose name was read: its arguments and what may stand between its parentheses. */
export function parseCall(c: Cursor, path: readonly Name[], at: number): AstCall {
  const safe = path.length > 1 && path[0]?.text.toLowerCase() === 'safe';
  const name = (safe ? path.slice(1) : path).map((part) => part.text.toLowerCase()).join('.');
  c.expectOp('(');
  if (name === 'position') {
    throw c.unsupported('POSITION(part IN value) is not supported: write STRPOS(value, part)', at);
  }
  const distinct = c.takeWord('DISTINCT');
  const args: AstExpr[] = [];
  let star = false;
  if (c.isOp('*') && c.isOp(')', 1)) {
    c.next();
    star = true;
  }
  while (!c.isOp(')') && !c.isWord('IGNORE', 'RESPECT', 'ORDER', 'LIMIT', 'HAVING')) {
    if (args.length >= MAX_ARGUMENTS) {
      throw c.tooLarge(`More than ${MAX_ARGUMENTS} arguments of ${name.toUpperCase()}`);
    }
    args.push(parseArgument(c, name));
    if (!c.takeOp(',')) break;
  }
  const nulls = parseNulls(c);
  if (c.isWord('HAVING')) {
    throw c.unsupported('HAVING MAX and HAVING MIN inside an aggregate are not supported');
  }
  const orderBy = parseOrderBy(c);
  const limit = c.takeWord('LIMIT') ? parseExpr(c) : undefined;
  c.expectOp(')');
  const nullsAfter = nulls ?? parseNullsBehind(c);
  const filter = parseFilter(c);
  const over = c.isWord('OVER') ? parseOver(c) : undefined;
  return {
    kind: 'call',
    at,
    name,
    safe,
    args,
    star,
    distinct,
    nulls: nullsAfter,
    orderBy,
    limit,
    over,
    filter,
  };
}

/** Arguments that are not plain expressions: bare subqueries, date parts such as `WEEK(MONDAY)`. */
function parseArgument(c: Cursor, name: string): AstExpr {
  if (c.isWord('SELECT', 'WITH')) {
    throw c.error(`Put parentheses around the subquery: ${name}((SELECT ...))`);
  }
  if (c.isWord('WEEK') && c.isOp('(', 1)) {
    const at = c.token.start;
    return { kind: 'path', at, parts: [{ text: parseDatePart(c), quoted: false, at }] };
  }
  const expr = parseExpr(c);
  if (c.isWord('FROM') && ['substring', 'trim'].includes(name)) {
    throw c.unsupported(
      `FROM is not supported in ${name.toUpperCase()}: write its arguments with commas`,
    );
  }
  if (c.isOp('=>')) throw c.unsupported('Named arguments (name => value) are not supported');
  return expr;
}

function parseNulls(c: Cursor): 'ignore' | 'respect' | undefined {
  if (c.takeWords('IGNORE', 'NULLS')) return 'ignore';
  return c.takeWords('RESPECT', 'NULLS') ? 'respect' : undefined;
}

/** `LAG(x) IGNORE NULLS OVER ..`; without OVER the words belong to the call around this one. */
function parseNullsBehind(c: Cursor): 'ignore' | 'respect' | undefined {
  const mark = c.mark();
  const nulls = parseNulls(c);
  if (nulls !== undefined && !c.isWord('OVER')) {
    c.rewind(mark);
    return undefined;
  }
  return nulls;
}

function parseFilter(c: Cursor): AstExpr | undefined {
  if (!c.isWord('FILTER') || !c.isOp('(', 1)) return undefined;
  c.next();
  c.next();
  c.expectWord('WHERE');
  const filter = parseExpr(c);
  c.expectOp(')');
  return filter;
}

/** `OVER name` or `OVER ( ... )`. */
export function parseOver(c: Cursor): AstWindow {
  const at = c.expectWord('OVER').start;
  if (!c.isOp('(')) {
    const base = c.name('a window name').text;
    return { at, base, partitionBy: [], orderBy: [], frame: undefined };
  }
  return parseWindow(c);
}

/** `( [name] [PARTITION BY ..] [ORDER BY ..] [ROWS|RANGE ..] )` */
export function parseWindow(c: Cursor): AstWindow {
  const at = c.expectOp('(').start;
  const base = c.isWord('ROWS', 'RANGE') ? undefined : c.tryName()?.text;
  const partitionBy: AstExpr[] = [];
  if (c.takeWords('PARTITION', 'BY')) {
    do {
      partitionBy.push(parseExpr(c));
    } while (c.takeOp(','));
  }
  const orderBy: AstOrder[] = parseOrderBy(c);
  const frame = c.isWord('ROWS', 'RANGE') ? parseFrame(c) : undefined;
  c.expectOp(')');
  return { at, base, partitionBy, orderBy, frame };
}

function parseFrame(c: Cursor): AstFrame {
  const unit = c.next().key === 'ROWS' ? 'rows' : 'range';
  if (!c.takeWord('BETWEEN')) return { unit, start: parseBound(c), end: undefined };
  const start = parseBound(c);
  c.expectWord('AND');
  return { unit, start, end: parseBound(c) };
}

function parseBound(c: Cursor): AstBound {
  if (c.takeWords('UNBOUNDED', 'PRECEDING')) return { kind: 'unbounded_preceding' };
  if (c.takeWords('UNBOUNDED', 'FOLLOWING')) return { kind: 'unbounded_following' };
  if (c.takeWords('CURRENT', 'ROW')) return { kind: 'current_row' };
  const value = parseExpr(c);
  if (c.takeWord('PRECEDING')) return { kind: 'preceding', value };
  c.expectWord('FOLLOWING');
  return { kind: 'following', value };
}
