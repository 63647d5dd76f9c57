import type { Expr } from '../../ir/ir.ts';
import { DATE, DATETIME, TIMESTAMP } from '../../ir/types.ts';
import { docsFrom, example } from '../common/doc.ts';
import type { CustomBoundFunction } from '../common/function.ts';
import { boundariesBetween, timestampDiff } from './date-arithmetic.ts';
import { orThrow } from './temporal.ts';

export const DIFF_FUNCTIONS: readonly CustomBoundFunction[] = [
  {
    name: 'timestamp_diff',
    takes: [3, 3],
    doc: docsFrom('Timestamp functions')(
      'TIMESTAMP_DIFF(later TIMESTAMP, earlier TIMESTAMP, part) -> INT64',
      'How many whole parts, MICROSECOND to DAY, lie between two times; what is left over does not count. Negative if the first is the earlier one.',
      [
        example("TIMESTAMP_DIFF('2026-02-03 10:59:59', '2026-02-03 09:00:00', HOUR)", 1),
        example("TIMESTAMP_DIFF('2026-02-03 09:00:00', '2026-02-03 10:59:59', HOUR)", -1),
        example("TIMESTAMP_DIFF('1970-01-01 00:00:00', '1969-12-31 23:59:59.5', MILLISECOND)", 500),
        example("TIMESTAMP_DIFF(TIMESTAMP_SECONDS(DIV(-90, 1)), '1970-01-01', MINUTE)", -1),
      ],
    ),
    bind: (call) => {
      const [later, earlier] = [call.argAs(0, TIMESTAMP), call.argAs(1, TIMESTAMP)];
      return orThrow(call, timestampDiff(later, earlier, call.word(2)));
    },
  },
  {
    name: 'datetime_diff',
    takes: [3, 3],
    doc: docsFrom('Datetime functions')(
      'DATETIME_DIFF(later DATETIME, earlier DATETIME, part) -> INT64',
      'How many starts of a part lie between two times, MICROSECOND to DAY, WEEK, ISOWEEK, MONTH, QUARTER or YEAR: from 23:59 to 0:00 is one DAY.',
      [
        example("DATETIME_DIFF('2026-02-03 00:00:00', '2026-02-02 23:59:59', DAY)", 1),
        example("DATETIME_DIFF('2026-01-01 00:00:00', '2025-12-31 00:00:00', YEAR)", 1),
        example("DATETIME_DIFF('1969-12-31 23:59:59', '1970-01-01 00:00:00', HOUR)", -1),
      ],
    ),
    bind: (call) => {
      const [later, earlier] = [call.argAs(0, DATETIME), call.argAs(1, DATETIME)];
      return orThrow(call, boundariesBetween(later, earlier, call.word(2)));
    },
  },
  {
    name: 'date_diff',
    takes: [3, 3],
    doc: docsFrom('Date functions')(
      'DATE_DIFF(later DATE, earlier DATE, part) -> INT64',
      'How many starts of a DAY, WEEK (on Sunday), ISOWEEK (on Monday), MONTH, QUARTER or YEAR lie between two dates.',
      [
        example("DATE_DIFF('2026-03-01', '2026-02-27', DAY)", 2),
        example("DATE_DIFF('2026-03-01', '2026-02-28', MONTH)", 1),
        example("DATE_DIFF('2026-02-02', '2026-02-01', ISOWEEK)", 1),
        example("DATE_DIFF('2026-02-02', '2026-02-01', WEEK)", 0),
        example("DATE_DIFF('2026-02-01', '2026-01-31', WEEK(SUNDAY))", 1),
        example("DATE_DIFF('1969-12-27', '1970-01-04', WEEK)", -2),
        example("DATE_DIFF('1969-12-31', '1970-01-01', YEAR)", -1),
        example("DATE_DIFF('2026-02-02', NULL, DAY)", null),
      ],
    ),
    bind: (call) => {
      const asDatetime = (index: number): Expr => ({
        op: 'cast',
        type: DATETIME,
        arg: call.argAs(index, DATE),
        safe: false,
      });
      return orThrow(call, boundariesBetween(asDatetime(0), asDatetime(1), call.word(2)));
    },
  },
];
