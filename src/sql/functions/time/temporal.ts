/** What the functions of dates and times ask of their arguments. */

import type { SqlError } from '../../common/sql-error.ts';
import { constant, isConst } from '../../ir/expr-builders.ts';
import type { Expr } from '../../ir/ir.ts';
import { type SqlType, STRING, TIMESTAMP, typeName } from '../../ir/types.ts';
import { unknownZone, zoneNamed } from '../../zones/named.ts';
import { UTC, type Zone } from '../../zones/zone.ts';
import type { FunctionCall } from '../common/function.ts';

/** Sentences become errors of the call. */
export function orThrow(call: FunctionCall, result: Expr | string): Expr {
  if (typeof result === 'string') throw call.fail(result);
  return result;
}

/**
 * Builds with the time zone that an argument names, UTC without one. NULL is no zone, and its result
 * NULL; a text that names no zone is an error only where the result is used.
 */
export function withZone(
  call: FunctionCall,
  index: number,
  type: SqlType,
  build: (zone: Zone) => Expr,
): Expr {
  if (call.count <= index) return build(UTC);
  return inZone(call.argAs(index, STRING), type, call.fail, build);
}

/** As {@link withZone}, for a zone that is bound already. */
export function inZone(
  zone: Expr,
  type: SqlType,
  fail: (message: string) => SqlError,
  build: (zone: Zone) => Expr,
): Expr {
  if (!isConst(zone)) {
    throw fail('A time zone must be a literal or a parameter, not a value that rows have');
  }
  if (typeof zone.value !== 'string') return constant(type, null);
  const named = zoneNamed(zone.value);
  return named === undefined
    ? { op: 'invalid', type, error: fail(unknownZone(zone.value)) }
    : build(named);
}

/** Why functions of what has no time zone take none behind their arguments. */
export const NO_ZONE = 'it takes no time zone, as only a TIMESTAMP has one';

/** An argument beside a time zone, which only a TIMESTAMP can be seen in. */
export function instantArgument(call: FunctionCall, index: number): Expr {
  const arg = temporal(call, index, TIMESTAMP);
  if (arg.type.kind !== 'timestamp') {
    throw call.fail(
      `${call.name.toUpperCase()} takes a time zone only with a TIMESTAMP, not with ${typeName(arg.type)}`,
    );
  }
  return arg;
}

/** A string or JSON value becomes the type; dates and times stay as they are. */
export function temporal(call: FunctionCall, index: number, preferred: SqlType): Expr {
  const arg = call.arg(index);
  return ['timestamp', 'datetime', 'date'].includes(arg.type.kind)
    ? arg
    : call.coerce(arg, preferred);
}
