import { constant } from '../../ir/expr-builders.ts';
import type { Expr } from '../../ir/ir.ts';
import { formatCivil } from '../../ir/time.ts';
import { DATE, DATETIME, type SqlType, TIMESTAMP } from '../../ir/types.ts';
import { civilIn, UTC, type Zone } from '../../zones/zone.ts';
import { docsFrom, example, type FunctionDoc } from '../common/doc.ts';
import type { CustomBoundFunction, FunctionCall } from '../common/function.ts';
import { withZone } from './temporal.ts';

/** The time of the query, one for the whole of it; a DATETIME or DATE as clocks of the zone show it. */
export function now(call: FunctionCall, type: SqlType, zone: Zone = UTC): Expr {
  const us = type.kind === 'timestamp' ? call.nowUs() : civilIn(zone, call.nowUs());
  return constant(type, type.kind === 'date' ? formatCivil(us).slice(0, 10) : us);
}

function current(name: string, type: SqlType, doc: FunctionDoc): CustomBoundFunction {
  return {
    name,
    ...(type.kind === 'timestamp'
      ? { takes: [0, 0], noMore: 'it takes no time zone, as an instant is the same in all' }
      : { takes: [0, 1] }),
    doc,
    bind: (call) => withZone(call, 0, type, (zone) => now(call, type, zone)),
  };
}

const IN_ZONE = 'In UTC, or in the time zone.';

const RULE = 'The time at which the query started, the same in all of its parts.';

export const CURRENT_FUNCTIONS: readonly CustomBoundFunction[] = [
  current(
    'current_timestamp',
    TIMESTAMP,
    docsFrom('Timestamp functions')('CURRENT_TIMESTAMP() -> TIMESTAMP', RULE, [
      example('TIMESTAMP_DIFF(CURRENT_TIMESTAMP(), CURRENT_TIMESTAMP(), MICROSECOND)', 0),
      example("CURRENT_TIMESTAMP() > TIMESTAMP '2020-01-01'", true),
    ]),
  ),
  current(
    'now',
    TIMESTAMP,
    docsFrom('Timestamp functions')(
      'NOW() -> TIMESTAMP',
      "PostgreSQL's name of CURRENT_TIMESTAMP.",
      [example('NOW() = CURRENT_TIMESTAMP()', true)],
    ),
  ),
  current(
    'current_datetime',
    DATETIME,
    docsFrom('Datetime functions')('CURRENT_DATETIME([zone]) -> DATETIME', `${RULE} ${IN_ZONE}`, [
      example('CURRENT_DATETIME() = DATETIME(CURRENT_TIMESTAMP())', true),
      example("DATETIME_DIFF(CURRENT_DATETIME('+05:30'), CURRENT_DATETIME(), MINUTE)", 330),
    ]),
  ),
  current(
    'current_date',
    DATE,
    docsFrom('Date functions')('CURRENT_DATE([zone]) -> DATE', `The day of the query. ${IN_ZONE}`, [
      example('CURRENT_DATE() = DATE(CURRENT_TIMESTAMP())', true),
      example(
        "CURRENT_DATE('America/New_York') = DATE(CURRENT_TIMESTAMP(), 'America/New_York')",
        true,
      ),
    ]),
  ),
];
