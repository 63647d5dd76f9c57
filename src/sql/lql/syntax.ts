/** Constructors of syntax nodes, with what LQL never writes left empty. */
import type {
  AstCall,
  AstExpr,
  AstFrom,
  AstOrder,
  AstQuery,
  AstSelectItem,
  Name,
} from '../parse/ast.ts';

export interface SelectParts {
  readonly items: readonly AstSelectItem[];
  readonly from: AstFrom;
  readonly where?: AstExpr | undefined;
  readonly groupBy?: readonly AstExpr[];
  readonly orderBy?: readonly AstOrder[];
}

export function selectQuery(at: number, parts: SelectParts): AstQuery {
  return {
    kind: 'query',
    at,
    recursive: false,
    ctes: [],
    body: {
      kind: 'select',
      at,
      distinct: false,
      items: parts.items,
      from: parts.from,
      where: parts.where,
      groupBy: parts.groupBy ?? [],
      having: undefined,
      qualify: undefined,
      windows: [],
    },
    orderBy: parts.orderBy ?? [],
    limit: undefined,
    offset: undefined,
  };
}

export function item(expr: AstExpr, alias?: Name): AstSelectItem {
  return { kind: 'expr', at: expr.at, expr, alias };
}

export function call(
  name: string,
  at: number,
  args: readonly AstExpr[],
  options: { readonly distinct?: boolean } = {},
): AstCall {
  return {
    kind: 'call',
    at,
    name,
    safe: false,
    args,
    star: false,
    distinct: options.distinct ?? false,
    nulls: undefined,
    orderBy: [],
    limit: undefined,
    over: undefined,
    filter: undefined,
  };
}

/** A value read as a type, NULL where it cannot be. */
export function cast(expr: AstExpr, type: 'STRING' | 'FLOAT64' | 'BOOL'): AstExpr {
  const { at } = expr;
  return { kind: 'cast', at, safe: true, expr, type: { at, name: type } };
}

export function int(value: number, at: number): AstExpr {
  return { kind: 'int', at, value: String(value) };
}

/** A number, whether events carry it as one or as its text. */
export function asNumber(expr: AstExpr): AstExpr {
  return cast(expr, 'FLOAT64');
}

/** A name that stands in no text of the caller, or stands there as it is. */
export function name(text: string, at: number): Name {
  return { text, quoted: true, at };
}
