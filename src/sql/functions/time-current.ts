import { constant } from '../build.ts';
import { formatCivil } from '../time.ts';
import type { Expr } from '../tree.ts';
import { DATE, DATETIME, type SqlType, TIMESTAMP } from '../types.ts';
import { docsFrom, type FunctionDoc, is } from './doc.ts';
import type { SpecialCall, SpecialFunction } from './function.ts';
import { checkZone } from './temporal.ts';

/** The time of the query, one for the whole of it. */
export function now(call: SpecialCall, type: SqlType): Expr {
  const us = call.nowUs();
  return constant(type, type.kind === 'date' ? formatCivil(us).slice(0, 10) : us);
}

function current(name: string, type: SqlType, doc: FunctionDoc): SpecialFunction {
  return {
    name,
    doc,
    bind: (call) => {
      checkZone(call, 0);
      return now(call, type);
    },
  };
}

const RULE = 'The time at which the query started, the same in all of its parts.';

export const CURRENT_FUNCTIONS: readonly SpecialFunction[] = [
  current(
    'current_timestamp',
    TIMESTAMP,
    docsFrom('Timestamp functions')('CURRENT_TIMESTAMP() -> TIMESTAMP', RULE, [
      is('TIMESTAMP_DIFF(CURRENT_TIMESTAMP(), CURRENT_TIMESTAMP(), MICROSECOND)', 0),
      is("CURRENT_TIMESTAMP() > TIMESTAMP '2020-01-01'", true),
    ]),
  ),
  current(
    'now',
    TIMESTAMP,
    docsFrom('Timestamp functions')(
      'NOW() -> TIMESTAMP',
      "PostgreSQL's name of CURRENT_TIMESTAMP.",
      [is('NOW() = CURRENT_TIMESTAMP()', true)],
    ),
  ),
  current(
    'current_datetime',
    DATETIME,
    docsFrom('Datetime functions')("CURRENT_DATETIME(['UTC']) -> DATETIME", `${RULE} In UTC.`, [
      is('CURRENT_DATETIME() = DATETIME(CURRENT_TIMESTAMP())', true),
    ]),
  ),
  current(
    'current_date',
    DATE,
    docsFrom('Date functions')("CURRENT_DATE(['UTC']) -> DATE", 'The day of the query, in UTC.', [
      is('CURRENT_DATE() = DATE(CURRENT_TIMESTAMP())', true),
    ]),
  ),
];
