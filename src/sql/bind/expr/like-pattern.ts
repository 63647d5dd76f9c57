import { constant, isConst } from '../../ir/expr-builders.ts';
import type { Expr } from '../../ir/ir.ts';
import { STRING } from '../../ir/types.ts';
import { type BindContext, fail } from '../context.ts';

/**
 * A pattern of LIKE with a backslash before nothing but `%`, `_` and backslashes, where it is a constant.
 * One at the end is an error only where the pattern is used: a parameter may hold anything.
 */
export function likePattern(pattern: Expr, at: number, ctx: BindContext): Expr {
  if (!isConst(pattern) || typeof pattern.value !== 'string') return pattern;
  const text = pattern.value.replace(/\\(.?)/gsu, (pair, character: string) =>
    character === '' || '%_\\'.includes(character) ? pair : character,
  );
  const rest = text.replace(/\\[%_\\]/g, '');
  return rest.endsWith('\\')
    ? {
        op: 'invalid',
        type: STRING,
        error: fail(ctx, at, 'sql_type', 'The pattern of LIKE ends in a backslash: write two'),
      }
    : constant(STRING, text);
}
