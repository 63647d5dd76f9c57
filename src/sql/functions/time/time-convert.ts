import type { Expr } from '../../ir/ir.ts';
import { DATE, DATETIME, type SqlType, TIMESTAMP } from '../../ir/types.ts';
import type { Zone } from '../../zones/zone.ts';
import {
  aggregateExample,
  docsFrom,
  example,
  type FunctionDoc,
  timeExample,
} from '../common/doc.ts';
import type { CustomBoundFunction, FunctionCall } from '../common/function.ts';
import { instantArgument, temporal, withZone } from './temporal.ts';
import { now } from './time-current.ts';
import { withinYears } from './years.ts';
import { toCivil, toInstant } from './zone-sql.ts';
import { textToInstant } from './zoned-text.ts';

function convertTo(
  name: string,
  type: SqlType,
  inZone: (call: FunctionCall, zone: Zone) => Expr,
  doc: FunctionDoc,
): CustomBoundFunction {
  return {
    name,
    takes: [0, 2],
    noMore: 'instead of separate numbers, write a literal or a text',
    doc,
    bind: (call) => {
      if (call.count === 0) return now(call, type);
      if (call.count === 2) return withZone(call, 1, type, (zone) => inZone(call, zone));
      const arg = call.arg(0);
      const value = arg.type.kind === 'string' ? arg : temporal(call, 0, type);
      return value.type.kind === type.kind ? value : call.cast(value, type);
    },
  };
}

function instantOf(call: FunctionCall, zone: Zone): Expr {
  const value = call.arg(0);
  switch (value.type.kind) {
    case 'timestamp':
      throw call.fail(
        'TIMESTAMP takes no time zone with a TIMESTAMP, which is an instant already: use DATETIME(value, zone)',
      );
    case 'datetime':
    case 'date':
    case 'null':
      return withinYears(toInstant(call.cast(value, DATETIME), zone));
    default:
      return withinYears(textToInstant(call, value, zone));
  }
}

const civilOf = (call: FunctionCall, zone: Zone): Expr =>
  withinYears(toCivil(instantArgument(call, 0), zone));

export const CONVERT_FUNCTIONS: readonly CustomBoundFunction[] = [
  convertTo(
    'timestamp',
    TIMESTAMP,
    instantOf,
    docsFrom('Timestamp functions')(
      'TIMESTAMP(value STRING, DATETIME or DATE[, zone]) -> TIMESTAMP',
      'Reads a text, which may have an offset, or takes a DATETIME or DATE; as a time of UTC, or of the time zone. A text that is no time is an error.',
      [
        timeExample("TIMESTAMP('2026-02-03T10:20:30Z')", '2026-02-03 10:20:30'),
        timeExample("TIMESTAMP('2026-07-01', 'Europe/Berlin')", '2026-06-30 22:00:00'),
        timeExample("TIMESTAMP('2026-02-03 10:20:30+02:00')", '2026-02-03 08:20:30'),
        timeExample("TIMESTAMP(DATE '1969-12-31')", '1969-12-31 00:00:00'),
        aggregateExample(
          "['2026-02-03T10:20:30.123456Z']",
          'MAX(UNIX_MICROS(TIMESTAMP(x)))',
          1770114030123456,
        ),
        aggregateExample(
          "['2026-02-03 10:20:30', '2026-02-03 10:20:30Z']",
          "STRING_AGG(CAST(TIMESTAMP(x, 'Asia/Kathmandu') AS STRING) ORDER BY x)",
          '2026-02-03 04:35:30+00,2026-02-03 10:20:30+00',
        ),
      ],
    ),
  ),
  convertTo(
    'datetime',
    DATETIME,
    civilOf,
    docsFrom('Datetime functions')(
      [
        'DATETIME(value TIMESTAMP, DATE or STRING) -> DATETIME',
        'DATETIME(value TIMESTAMP, zone) -> DATETIME',
      ],
      'The date and time of a TIMESTAMP in UTC or in the time zone, the start of a DATE, or what a text says.',
      [
        example("DATETIME(TIMESTAMP '2026-02-03 10:20:30')", '2026-02-03T10:20:30'),
        example(
          "DATETIME(TIMESTAMP '2026-02-03 10:20:30', 'Asia/Kathmandu')",
          '2026-02-03T16:05:30',
        ),
        example("DATETIME(DATE '2026-02-03')", '2026-02-03T00:00:00'),
        aggregateExample(
          '[1772953199, 1772953200]',
          "ARRAY_AGG(DATETIME(TIMESTAMP_SECONDS(x), 'America/New_York') ORDER BY x)",
          ['2026-03-08T01:59:59', '2026-03-08T03:00:00'],
        ),
      ],
    ),
  ),
  convertTo(
    'date',
    DATE,
    (call, zone) => call.cast(civilOf(call, zone), DATE),
    docsFrom('Date functions')(
      ['DATE(value TIMESTAMP, DATETIME or STRING) -> DATE', 'DATE(value TIMESTAMP, zone) -> DATE'],
      'The day, in UTC or in the time zone, that a time lies in.',
      [
        example("DATE(TIMESTAMP '2026-02-03 23:59:59')", '2026-02-03'),
        example("DATE(TIMESTAMP '2026-02-03 23:59:59', '+05:30')", '2026-02-04'),
        example('DATE(TIMESTAMP_SECONDS(DIV(-1, 1)))', '1969-12-31'),
        example('DATE(CAST(NULL AS TIMESTAMP))', null),
      ],
    ),
  ),
];
