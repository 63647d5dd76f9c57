import type { AstExpr } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { parseExpr } from './expr.ts';
import { MAX_CONDITIONS } from './size.ts';
import { parseType } from './type.ts';

/** `CASE [operand] WHEN .. THEN .. [ELSE ..] END` */
export function parseCase(c: Cursor): AstExpr {
  const at = c.next().start;
  const operand = c.isWord('WHEN') ? undefined : parseExpr(c);
  const whens: { when: AstExpr; result: AstExpr }[] = [];
  while (c.takeWord('WHEN')) {
    if (whens.length >= MAX_CONDITIONS) {
      throw c.tooLarge(`More than ${MAX_CONDITIONS} WHENs in one CASE: join a list of values`);
    }
    const when = parseExpr(c);
    c.expectWord('THEN');
    whens.push({ when, result: parseExpr(c) });
  }
  if (whens.length === 0) throw c.unexpected('WHEN');
  const otherwise = c.takeWord('ELSE') ? parseExpr(c) : undefined;
  c.expectWord('END');
  return { kind: 'case', at, operand, whens, otherwise };
}

/** `CAST(expr AS type)`, `SAFE_CAST(..)` */
export function parseCast(c: Cursor): AstExpr {
  const keyword = c.next();
  c.expectOp('(');
  const expr = parseExpr(c);
  c.expectWord('AS');
  const type = parseType(c);
  if (c.isWord('FORMAT')) {
    throw c.unsupported(
      'CAST with FORMAT is not supported: use FORMAT_TIMESTAMP or PARSE_TIMESTAMP',
    );
  }
  c.expectOp(')');
  return { kind: 'cast', at: keyword.start, safe: keyword.key !== 'CAST', expr, type };
}

/** `EXTRACT(part FROM expr [AT TIME ZONE zone])` */
export function parseExtract(c: Cursor): AstExpr {
  const at = c.next().start;
  c.expectOp('(');
  const part = parseDatePart(c);
  c.expectWord('FROM');
  const expr = parseExpr(c);
  const zone = c.takeWords('AT', 'TIME', 'ZONE') ? parseExpr(c) : undefined;
  c.expectOp(')');
  return { kind: 'extract', at, part, expr, zone };
}

/** A date part in upper case; `WEEK(MONDAY)` as it stands. */
export function parseDatePart(c: Cursor): string {
  const part = c.name('a date part such as HOUR').text.toUpperCase();
  if (part === 'WEEK' && c.isOp('(')) {
    c.next();
    const day = c.name('a weekday').text.toUpperCase();
    c.expectOp(')');
    return `WEEK(${day})`;
  }
  return part;
}

/** `INTERVAL n unit`, and PostgreSQL's `INTERVAL '24 hours'` whose meaning is as plain. */
export function parseInterval(c: Cursor): AstExpr {
  const at = c.next().start;
  const token = c.token;
  const worded =
    token.kind === 'string' ? /^\s*([+-]?\d+)\s+([a-z]+?)s?\s*$/i.exec(token.value) : null;
  if (worded !== null) {
    c.next();
    return {
      kind: 'interval',
      at,
      value: { kind: 'int', at: token.start, value: worded[1] ?? '' },
      unit: (worded[2] ?? '').toUpperCase(),
    };
  }
  const value = parseExpr(c);
  return { kind: 'interval', at, value, unit: parseDatePart(c) };
}
