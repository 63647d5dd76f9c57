/** What the functions of dates and times ask of their arguments. */
import { isConst } from '../build.ts';
import { isUtc } from '../time.ts';
import type { Expr } from '../tree.ts';
import { type SqlType, STRING } from '../types.ts';
import type { SpecialCall } from './function.ts';

/** Sentences become errors of the call. */
export function orFail(call: SpecialCall, result: Expr | string): Expr {
  if (typeof result === 'string') {
    throw call.fail(result);
  }
  return result;
}

/** An optional time zone argument: only UTC is computed in. */
export function checkZone(call: SpecialCall, index: number): void {
  if (call.count <= index) {
    return;
  }
  const zone = call.argAs(index, STRING);
  if (!isConst(zone) || !isUtc(zone.value)) {
    throw call.fail("Time zones other than 'UTC' are not supported");
  }
}

/** A string or JSON value becomes the type; dates and times stay as they are. */
export function temporal(call: SpecialCall, index: number, preferred: SqlType): Expr {
  const arg = call.arg(index);
  return ['timestamp', 'datetime', 'date'].includes(arg.type.kind)
    ? arg
    : call.coerce(arg, preferred);
}
