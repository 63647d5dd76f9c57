/** The syntax tree: what was written, before names mean anything. `at` is an offset into the text. */

export interface Name {
  readonly text: string;
  readonly quoted: boolean;
  readonly at: number;
}

export type AstLiteral =
  | { readonly kind: 'null'; readonly at: number }
  | { readonly kind: 'bool'; readonly at: number; readonly value: boolean }
  | {
      readonly kind: 'int' | 'float' | 'string' | 'bytes';
      readonly at: number;
      readonly value: string;
    };

/** Type as written in a CAST. */
export interface AstType {
  readonly at: number;
  readonly name: string;
  readonly of?: AstType;
  readonly fields?: readonly { readonly name: string | undefined; readonly type: AstType }[];
}

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '||'
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '&'
  | '|'
  | '^'
  | '<<'
  | '>>';

export type AstExpr =
  | AstLiteral
  /** `DATE '...'`, `TIMESTAMP "..."`, `DATETIME '...'`. */
  | {
      readonly kind: 'typed_literal';
      readonly at: number;
      readonly type: string;
      readonly value: string;
    }
  | {
      readonly kind: 'interval';
      readonly at: number;
      readonly value: AstExpr;
      readonly unit: string;
    }
  | { readonly kind: 'param'; readonly at: number; readonly name: string }
  | { readonly kind: 'path'; readonly at: number; readonly parts: readonly Name[] }
  | { readonly kind: 'field'; readonly at: number; readonly base: AstExpr; readonly name: Name }
  | {
      readonly kind: 'subscript';
      readonly at: number;
      readonly base: AstExpr;
      readonly mode: SubscriptMode;
      readonly index: AstExpr;
    }
  | AstCall
  | {
      readonly kind: 'cast';
      readonly at: number;
      readonly safe: boolean;
      readonly expr: AstExpr;
      readonly type: AstType;
    }
  | {
      readonly kind: 'extract';
      readonly at: number;
      readonly part: string;
      readonly expr: AstExpr;
      readonly zone: AstExpr | undefined;
    }
  | {
      readonly kind: 'case';
      readonly at: number;
      readonly operand: AstExpr | undefined;
      readonly whens: readonly { readonly when: AstExpr; readonly result: AstExpr }[];
      readonly otherwise: AstExpr | undefined;
    }
  | { readonly kind: 'and' | 'or'; readonly at: number; readonly items: readonly AstExpr[] }
  | { readonly kind: 'not'; readonly at: number; readonly expr: AstExpr }
  | { readonly kind: 'negate'; readonly at: number; readonly expr: AstExpr }
  | {
      readonly kind: 'binary';
      readonly at: number;
      readonly op: BinaryOperator;
      readonly left: AstExpr;
      readonly right: AstExpr;
    }
  | {
      readonly kind: 'is';
      readonly at: number;
      readonly expr: AstExpr;
      readonly what: 'null' | 'true' | 'false';
      readonly negated: boolean;
    }
  | {
      readonly kind: 'distinct_from';
      readonly at: number;
      readonly left: AstExpr;
      readonly right: AstExpr;
      readonly negated: boolean;
    }
  | {
      readonly kind: 'between';
      readonly at: number;
      readonly expr: AstExpr;
      readonly low: AstExpr;
      readonly high: AstExpr;
      readonly negated: boolean;
    }
  | {
      readonly kind: 'in_list';
      readonly at: number;
      readonly expr: AstExpr;
      readonly items: readonly AstExpr[];
      readonly negated: boolean;
    }
  | {
      readonly kind: 'in_query';
      readonly at: number;
      readonly expr: AstExpr;
      readonly query: AstQuery;
      readonly negated: boolean;
    }
  | {
      readonly kind: 'in_unnest';
      readonly at: number;
      readonly expr: AstExpr;
      readonly array: AstExpr;
      readonly negated: boolean;
    }
  | {
      readonly kind: 'like';
      readonly at: number;
      readonly expr: AstExpr;
      readonly patterns: readonly AstExpr[];
      readonly quantifier: 'any' | 'all' | undefined;
      readonly negated: boolean;
      readonly ignoreCase: boolean;
    }
  | { readonly kind: 'exists'; readonly at: number; readonly query: AstQuery }
  | { readonly kind: 'scalar_query'; readonly at: number; readonly query: AstQuery }
  | { readonly kind: 'array_query'; readonly at: number; readonly query: AstQuery }
  | {
      readonly kind: 'array';
      readonly at: number;
      readonly of: AstType | undefined;
      readonly items: readonly AstExpr[];
    }
  | {
      readonly kind: 'struct';
      readonly at: number;
      /** As declared by `STRUCT<..>(..)`. */
      readonly type?: AstType;
      readonly fields: readonly { readonly name: Name | undefined; readonly expr: AstExpr }[];
    };

/** `x[0]`, `x[OFFSET(0)]`, ... */
export type SubscriptMode = 'plain' | 'offset' | 'safe_offset' | 'ordinal' | 'safe_ordinal';

export interface AstCall {
  readonly kind: 'call';
  readonly at: number;
  /** Function path in lower case; `safe.` is taken off into `safe`. */
  readonly name: string;
  readonly safe: boolean;
  readonly args: readonly AstExpr[];
  /** `count(*)`. */
  readonly star: boolean;
  readonly distinct: boolean;
  readonly nulls: 'ignore' | 'respect' | undefined;
  readonly orderBy: readonly AstOrder[];
  readonly limit: AstExpr | undefined;
  readonly over: AstWindow | undefined;
  /** PostgreSQL's `FILTER (WHERE ...)`, which people really send. */
  readonly filter: AstExpr | undefined;
}

export interface AstOrder {
  readonly at: number;
  readonly expr: AstExpr;
  readonly descending: boolean;
  readonly nulls: 'first' | 'last' | undefined;
}

export interface AstWindow {
  readonly at: number;
  readonly base: string | undefined;
  readonly partitionBy: readonly AstExpr[];
  readonly orderBy: readonly AstOrder[];
  readonly frame: AstFrame | undefined;
}

export interface AstFrame {
  readonly unit: 'rows' | 'range';
  readonly start: AstBound;
  readonly end: AstBound | undefined;
}

export type AstBound =
  | { readonly kind: 'unbounded_preceding' | 'unbounded_following' | 'current_row' }
  | { readonly kind: 'preceding' | 'following'; readonly value: AstExpr };

export type AstSelectItem =
  | {
      readonly kind: 'expr';
      readonly at: number;
      readonly expr: AstExpr;
      readonly alias: Name | undefined;
    }
  | {
      readonly kind: 'star';
      readonly at: number;
      readonly of: readonly Name[] | undefined;
      readonly except: readonly Name[];
      readonly replace: readonly { readonly expr: AstExpr; readonly name: Name }[];
    };

export type AstFrom =
  | {
      readonly kind: 'table';
      readonly at: number;
      readonly parts: readonly Name[];
      readonly alias: Name | undefined;
      readonly offset: Name | undefined;
    }
  | {
      readonly kind: 'derived';
      readonly at: number;
      readonly query: AstQuery;
      readonly alias: Name | undefined;
    }
  | {
      readonly kind: 'unnest';
      readonly at: number;
      readonly expr: AstExpr;
      readonly alias: Name | undefined;
      readonly offset: Name | undefined;
    }
  | {
      readonly kind: 'join';
      readonly at: number;
      readonly join: JoinKind;
      readonly left: AstFrom;
      readonly right: AstFrom;
      readonly on: AstExpr | undefined;
      readonly using: readonly Name[];
    };

export type JoinKind = 'inner' | 'left' | 'right' | 'full' | 'cross';

export interface AstSelect {
  readonly kind: 'select';
  readonly at: number;
  readonly distinct: boolean;
  readonly items: readonly AstSelectItem[];
  readonly from: AstFrom | undefined;
  readonly where: AstExpr | undefined;
  /** `all` is GROUP BY ALL. */
  readonly groupBy: readonly AstExpr[] | 'all';
  readonly having: AstExpr | undefined;
  readonly qualify: AstExpr | undefined;
  readonly windows: readonly { readonly name: string; readonly window: AstWindow }[];
}

export interface AstSetOperation {
  readonly kind: 'set';
  readonly at: number;
  readonly op: 'union' | 'intersect' | 'except';
  readonly all: boolean;
  readonly left: AstQuery | AstSelect | AstSetOperation;
  readonly right: AstQuery | AstSelect | AstSetOperation;
}

export interface AstCte {
  readonly name: Name;
  readonly query: AstQuery;
}

export interface AstQuery {
  readonly kind: 'query';
  readonly at: number;
  readonly recursive: boolean;
  readonly ctes: readonly AstCte[];
  readonly body: AstSelect | AstSetOperation | AstQuery;
  readonly orderBy: readonly AstOrder[];
  readonly limit: AstExpr | undefined;
  readonly offset: AstExpr | undefined;
}
