import type { Expr } from '../../ir/ir.ts';

const identities = new WeakMap<object, number>();
let nextIdentity = 0;

const keys = new WeakMap<Expr, string>();

/** Two expressions with one key print the same and mean the same. */
export function exprKey(expr: Expr): string {
  const known = keys.get(expr);
  if (known !== undefined) return known;
  const key = keyOf(expr);
  keys.set(expr, key);
  return key;
}

export function sameExpr(a: Expr, b: Expr): boolean {
  return a.op === b.op && exprKey(a) === exprKey(b);
}

/** Expressions by what they mean. */
export class ExprSet {
  readonly #keys = new Map<Expr['op'], Set<string>>();

  constructor(exprs: readonly Expr[]) {
    for (const expr of exprs) {
      this.#keys.set(expr.op, (this.#keys.get(expr.op) ?? new Set()).add(exprKey(expr)));
    }
  }

  has(expr: Expr): boolean {
    return this.#keys.get(expr.op)?.has(exprKey(expr)) ?? false;
  }
}

function keyOf(expr: Expr): string {
  return JSON.stringify(expr, function (this: object, key, value: unknown) {
    switch (key) {
      case 'fn':
        return isCall(this) ? callKey(this) : identity(value as object);
      case 'query':
        return identity(value as object);
      case 'node':
      case 'parameter':
        return undefined;
      default:
        return typeof value === 'bigint' ? `${value}n` : value;
    }
  });
}

type Call = Extract<Expr, { op: 'call' }>;

function isCall(holder: object): holder is Call {
  return 'op' in holder && holder.op === 'call';
}

/** Many functions are made as they are bound, from a date part or a format: what they print tells. */
function callKey({ fn, args }: Call): readonly string[] {
  const places = args.map((_, index) => `?${index}`);
  return [fn.name, fn.athena(places), fn.duckdb(places)];
}

function identity(object: object): number {
  const known = identities.get(object);
  if (known !== undefined) return known;
  nextIdentity += 1;
  identities.set(object, nextIdentity);
  return nextIdentity;
}
