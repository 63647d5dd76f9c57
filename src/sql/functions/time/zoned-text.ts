import { quoteText } from '../../../platform/sql-text.ts';
import { caseWhen, constant, isConst, sharing } from '../../ir/expr-builders.ts';
import type { ScalarFunction } from '../../ir/function.ts';
import type { Expr } from '../../ir/ir.ts';
import { parseTimestamp } from '../../ir/time.ts';
import { BOOL, DATETIME, STRING, TIMESTAMP } from '../../ir/types.ts';
import { isUtc, type Zone } from '../../zones/zone.ts';
import type { FunctionCall } from '../common/function.ts';
import { TOO_LONG_US, timeOf } from './years.ts';
import { toInstant } from './zone-sql.ts';

/** A letter at the end, or an offset behind a time; the day of a bare date is none. */
const OWN_ZONE = quoteText('([A-Za-z]|:[0-9.]+\\s*[+-][0-9:]+)\\s*$');

const HAS_ZONE: ScalarFunction = {
  name: 'has_zone',
  athena: ([text]) => `REGEXP_LIKE(${text}, ${OWN_ZONE})`,
  duckdb: ([text]) => `REGEXP_MATCHES(${text}, ${OWN_ZONE})`,
};

/** A STRING or JSON value as TIMESTAMP, a time of the zone where the text has none of its own. */
export function textToInstant(call: FunctionCall, value: Expr, zone: Zone): Expr {
  if (isUtc(zone)) return call.cast(value, TIMESTAMP);
  const text = call.coerce(value, STRING);
  if (isConst(text) && typeof text.value === 'string') {
    const us = parseTimestamp(text.value, zone);
    if (us !== undefined) return constant(TIMESTAMP, us);
    // What cannot be read at all gets the words of a cast that fails.
    const inUtc = call.cast(text, TIMESTAMP);
    return isConst(inUtc) ? timeOf(TIMESTAMP, TOO_LONG_US) : inUtc;
  }
  return sharing([text], ([shared = text]) => {
    const safe = value.type.kind === 'dynamic';
    const read: Expr = { op: 'cast', type: TIMESTAMP, arg: shared, safe };
    const civil: Expr = { op: 'cast', type: DATETIME, arg: read, safe: false };
    const hasZone: Expr = { op: 'call', type: BOOL, fn: HAS_ZONE, args: [shared] };
    return caseWhen([{ when: hasZone, result: read }], toInstant(civil, zone), TIMESTAMP);
  });
}
