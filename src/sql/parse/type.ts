import type { AstType } from './ast.ts';
import type { Cursor } from './cursor.ts';

/** A type as written in CAST: `INT64`, `STRING(10)`, `ARRAY<INT64>`, `STRUCT<a INT64>`. */
export function parseType(c: Cursor): AstType {
  return c.nested(() => {
    const at = c.token.start;
    const name = c.name('a type', true).text.toUpperCase();
    if (name === 'ARRAY' && c.takeOp('<')) {
      const of = parseType(c);
      c.expectAngle();
      return { at, name, of };
    }
    if (name === 'STRUCT' && c.takeOp('<')) {
      const fields: { name: string | undefined; type: AstType }[] = [];
      do {
        const named = c.peek().kind === 'word';
        const field = named ? c.name('a field name').text : undefined;
        fields.push({ name: field, type: parseType(c) });
      } while (c.takeOp(','));
      c.expectAngle();
      return { at, name, fields };
    }
    if (c.takeOp('(')) {
      // Length and precision limit nothing that a log query can notice.
      do {
        c.next();
      } while (!c.isOp(')') && c.token.kind !== 'end');
      c.expectOp(')');
    }
    return { at, name };
  });
}
