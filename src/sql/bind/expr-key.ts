import type { ScalarFunction } from '../functions/function.ts';
import type { Expr } from '../tree.ts';

const identities = new WeakMap<object, number>();
let nextIdentity = 0;

/** Two expressions with one key print the same and mean the same. */
export function exprKey(expr: Expr): string {
  return JSON.stringify(expr, (key, value: unknown) => {
    switch (key) {
      case 'fn':
        return (value as ScalarFunction).key ?? identity(value as object);
      case 'document':
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

function identity(object: object): number {
  const known = identities.get(object);
  if (known !== undefined) {
    return known;
  }
  nextIdentity += 1;
  identities.set(object, nextIdentity);
  return nextIdentity;
}
