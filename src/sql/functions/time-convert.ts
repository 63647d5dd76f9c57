import { DATE, DATETIME, type SqlType, TIMESTAMP } from '../types.ts';
import { docsFrom, type FunctionDoc, is, moment, of } from './doc.ts';
import type { SpecialFunction } from './function.ts';
import { checkZone, temporal } from './temporal.ts';
import { now } from './time-current.ts';

function convertTo(name: string, type: SqlType, doc: FunctionDoc): SpecialFunction {
  return {
    name,
    doc,
    bind: (call) => {
      if (call.count === 0) {
        return now(call, type);
      }
      if (call.count > 2) {
        throw call.fail(
          `${name.toUpperCase()} from separate numbers is not supported: use a literal or a string`,
        );
      }
      checkZone(call, 1);
      const arg = call.arg(0);
      const value = arg.type.kind === 'string' ? arg : temporal(call, 0, type);
      return value.type.kind === type.kind ? value : call.cast(value, type);
    },
  };
}

export const CONVERT_FUNCTIONS: readonly SpecialFunction[] = [
  convertTo(
    'timestamp',
    TIMESTAMP,
    docsFrom('Timestamp functions')(
      "TIMESTAMP(value STRING, DATETIME or DATE[, 'UTC']) -> TIMESTAMP",
      'Reads a text, which may have an offset, or takes a DATETIME or DATE as a time of UTC. A text that is no time is an error.',
      [
        moment("TIMESTAMP('2026-02-03T10:20:30Z')", '2026-02-03 10:20:30'),
        moment("TIMESTAMP('2026-02-03 10:20:30+02:00')", '2026-02-03 08:20:30'),
        moment("TIMESTAMP(DATE '1969-12-31')", '1969-12-31 00:00:00'),
        of("['2026-02-03T10:20:30.123456Z']", 'MAX(UNIX_MICROS(TIMESTAMP(x)))', 1770114030123456),
      ],
    ),
  ),
  convertTo(
    'datetime',
    DATETIME,
    docsFrom('Datetime functions')(
      "DATETIME(value TIMESTAMP, DATE or STRING[, 'UTC']) -> DATETIME",
      'The date and time of a TIMESTAMP in UTC, the start of a DATE, or what a text says.',
      [
        is("DATETIME(TIMESTAMP '2026-02-03 10:20:30')", '2026-02-03T10:20:30'),
        is("DATETIME(DATE '2026-02-03')", '2026-02-03T00:00:00'),
      ],
    ),
  ),
  convertTo(
    'date',
    DATE,
    docsFrom('Date functions')(
      "DATE(value TIMESTAMP, DATETIME or STRING[, 'UTC']) -> DATE",
      'The day, in UTC, that a time lies in.',
      [
        is("DATE(TIMESTAMP '2026-02-03 23:59:59')", '2026-02-03'),
        is('DATE(TIMESTAMP_SECONDS(DIV(-1, 1)))', '1969-12-31'),
        is('DATE(CAST(NULL AS TIMESTAMP))', null),
      ],
    ),
  ),
];
