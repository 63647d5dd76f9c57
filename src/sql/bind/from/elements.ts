import type { Expr } from '../../ir/ir.ts';
import { arrayOf, type SqlType, STRING, typeName } from '../../ir/types.ts';
import { type BindContext, fail } from '../context.ts';

export interface ArrayElements {
  readonly array: Expr;
  /** Type of an element as the array holds it: JSON as STRING. */
  readonly element: SqlType;
}

/**
 * What UNNEST and IN UNNEST iterate: a JSON list's elements, a JSON object itself, or an SQL array.
 *
 * @throws SqlError `sql_type` for any other value.
 */
export function arrayElements(value: Expr, at: number, ctx: BindContext): ArrayElements {
  const { type } = value;
  switch (type.kind) {
    case 'array':
      return { array: value, element: type.of };
    case 'dynamic': {
      const list = arrayOf(STRING);
      const array: Expr =
        value.op === 'json'
          ? { op: 'json_elements', type: list, text: value.text, path: value.path }
          : { op: 'json_elements', type: list, text: value, path: [] };
      return { array, element: STRING };
    }
    default: {
      const what = ctx.environment.rules.language === 'sql' ? 'UNNEST' : ':@>';
      const message = `${what} needs an array or a JSON value, not ${typeName(type)}`;
      throw fail(ctx, at, 'sql_type', message);
    }
  }
}
