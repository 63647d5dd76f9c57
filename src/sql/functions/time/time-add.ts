import { DATE, DATETIME, type SqlType, TIMESTAMP } from '../../ir/types.ts';
import { docsFrom, example, type FunctionDoc, timeExample } from '../common/doc.ts';
import type { CustomBoundFunction } from '../common/function.ts';
import { addInterval } from './date-arithmetic.ts';
import { orThrow, temporal } from './temporal.ts';

const MONTHS = 'A month later is the same day of the month, or its last day where it has none.';

function move(name: string, type: SqlType, sign: bigint, doc: FunctionDoc): CustomBoundFunction {
  return {
    name,
    takes: [2, 2],
    doc,
    bind: (call) => {
      const { amount, unit } = call.interval(1);
      return orThrow(call, addInterval(temporal(call, 0, type), amount, unit, sign));
    },
  };
}

/** A time moved by an interval; `+` and `-` do the same. */
export const ADD_FUNCTIONS: readonly CustomBoundFunction[] = [
  move(
    'timestamp_add',
    TIMESTAMP,
    1n,
    docsFrom('Timestamp functions')(
      'TIMESTAMP_ADD(value TIMESTAMP, INTERVAL amount part) -> TIMESTAMP',
      'The time that much later. Parts are MICROSECOND to DAY: a TIMESTAMP has no months.',
      [
        timeExample(
          "TIMESTAMP_ADD(TIMESTAMP '2026-02-03 23:30:00', INTERVAL 90 MINUTE)",
          '2026-02-04 01:00:00',
        ),
        timeExample(
          "TIMESTAMP_ADD(TIMESTAMP '1970-01-01 00:00:00', INTERVAL -1 MICROSECOND)",
          '1969-12-31 23:59:59.999999',
        ),
        example("TIMESTAMP_ADD(TIMESTAMP '2026-02-03', INTERVAL CAST(NULL AS INT64) DAY)", null),
      ],
    ),
  ),
  move(
    'timestamp_sub',
    TIMESTAMP,
    -1n,
    docsFrom('Timestamp functions')(
      'TIMESTAMP_SUB(value TIMESTAMP, INTERVAL amount part) -> TIMESTAMP',
      'The time that much earlier, by the same parts.',
      [
        timeExample(
          "TIMESTAMP_SUB(TIMESTAMP '2026-03-01 00:00:00', INTERVAL 1 DAY)",
          '2026-02-28 00:00:00',
        ),
        timeExample(
          'TIMESTAMP_SUB(TIMESTAMP_SECONDS(0), INTERVAL DIV(4, 2) HOUR)',
          '1969-12-31 22:00:00',
        ),
      ],
    ),
  ),
  move(
    'datetime_add',
    DATETIME,
    1n,
    docsFrom('Datetime functions')(
      'DATETIME_ADD(value DATETIME, INTERVAL amount part) -> DATETIME',
      `The time that much later, by MICROSECOND to YEAR. ${MONTHS}`,
      [
        example(
          "DATETIME_ADD(DATETIME '2026-01-31 10:00:00', INTERVAL 1 MONTH)",
          '2026-02-28T10:00:00',
        ),
        example(
          'DATETIME_ADD(DATETIME(TIMESTAMP_SECONDS(DIV(0, 1))), INTERVAL -1 MONTH)',
          '1969-12-01T00:00:00',
        ),
      ],
    ),
  ),
  move(
    'datetime_sub',
    DATETIME,
    -1n,
    docsFrom('Datetime functions')(
      'DATETIME_SUB(value DATETIME, INTERVAL amount part) -> DATETIME',
      'The time that much earlier, by the same parts.',
      [
        example(
          "DATETIME_SUB(DATETIME '2026-03-31 00:00:00', INTERVAL 1 MONTH)",
          '2026-02-28T00:00:00',
        ),
        example(
          "DATETIME_SUB(DATETIME '2026-03-31 00:00:00', INTERVAL DIV(2, 2) SECOND)",
          '2026-03-30T23:59:59',
        ),
      ],
    ),
  ),
  move(
    'date_add',
    DATE,
    1n,
    docsFrom('Date functions')(
      'DATE_ADD(value DATE, INTERVAL amount part) -> DATE',
      `The date that much later, by DAY, WEEK, MONTH, QUARTER or YEAR. ${MONTHS}`,
      [
        example("DATE_ADD(DATE '2024-02-29', INTERVAL 1 YEAR)", '2025-02-28'),
        example("DATE_ADD(DATE '2026-02-27', INTERVAL 2 DAY)", '2026-03-01'),
        example("DATE_ADD(DATE '2026-02-27', INTERVAL DIV(6, 2) WEEK)", '2026-03-20'),
      ],
    ),
  ),
  move(
    'date_sub',
    DATE,
    -1n,
    docsFrom('Date functions')(
      'DATE_SUB(value DATE, INTERVAL amount part) -> DATE',
      'The date that much earlier, by the same parts.',
      [
        example("DATE_SUB(DATE '2026-03-31', INTERVAL 1 MONTH)", '2026-02-28'),
        example("DATE_SUB(DATE '1970-01-01', INTERVAL 1 DAY)", '1969-12-31'),
        example("DATE_SUB(DATE '2026-03-31', INTERVAL DIV(2, 1) QUARTER)", '2025-09-30'),
      ],
    ),
  ),
];
