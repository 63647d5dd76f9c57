import { isConst } from '../../ir/expr-builders.ts';
import { DATE, DATETIME, type SqlType, STRING, TIMESTAMP } from '../../ir/types.ts';
import {
  aggregateExample,
  docsFrom,
  example,
  type FunctionDoc,
  timeExample,
} from '../common/doc.ts';
import type { CustomBoundFunction, FunctionCall } from '../common/function.ts';
import { formatFunction } from './format-time.ts';
import { parseWithFormat } from './parse-time.ts';
import { NO_ZONE, orThrow, temporal, withZone } from './temporal.ts';

function format(name: string, type: SqlType, doc: FunctionDoc): CustomBoundFunction {
  return {
    name,
    ...(type.kind === 'timestamp' ? { takes: [2, 3] } : { takes: [2, 2], noMore: NO_ZONE }),
    doc,
    bind: (call) => {
      const pattern = literalText(call, 0);
      const value = call.cast(temporal(call, 1, type), type.kind === 'date' ? DATETIME : type);
      return withZone(call, 2, STRING, (zone) => {
        const fn = formatFunction(name, pattern, ABSENT[type.kind], zone);
        if (typeof fn === 'string') throw call.fail(fn);
        return { op: 'call', type: STRING, fn, args: [value] };
      });
    },
  };
}

function parse(name: string, type: SqlType, doc: FunctionDoc): CustomBoundFunction {
  return {
    name,
    ...(type.kind === 'timestamp' ? { takes: [2, 3] } : { takes: [2, 2], noMore: NO_ZONE }),
    doc,
    bind: (call) => {
      const text = call.argAs(1, STRING);
      return withZone(call, 2, type, (zone) =>
        orThrow(call, parseWithFormat(name, literalText(call, 0), text, type, zone)),
      );
    },
  };
}

/** Codes of what a DATE or a DATETIME does not have: BigQuery leaves them as they are. */
const ABSENT: Readonly<Partial<Record<SqlType['kind'], RegExp>>> = {
  date: /^(?:[HIklMSpPTRXrcsZz]|E[*\d]S|Ez)$/,
  datetime: /^(?:[Zz]|Ez)$/,
};

function literalText(call: FunctionCall, index: number): string {
  const text = call.argAs(index, STRING);
  if (!isConst(text) || typeof text.value !== 'string') {
    throw call.fail(`The format of ${call.name.toUpperCase()} must be a literal`);
  }
  return text.value;
}

const CODES =
  'The format is a literal of codes (`%F`, `%T`, `%Y`, `%m`, `%d`, `%H`, `%M`, `%S`, `%E3S`, `%b`, `%a`, `%j`, ..) and other characters';

export const FORMAT_FUNCTIONS: readonly CustomBoundFunction[] = [
  format(
    'format_timestamp',
    TIMESTAMP,
    docsFrom('Timestamp functions')(
      'FORMAT_TIMESTAMP(format STRING, value TIMESTAMP[, zone]) -> STRING',
      `Writes a time in UTC, or in the time zone. ${CODES}. \`%z\`, \`%Ez\` and \`%Z\` write its offset.`,
      [
        example(
          "FORMAT_TIMESTAMP('%F %T', TIMESTAMP '2026-02-03 10:20:30')",
          '2026-02-03 10:20:30',
        ),
        example(
          "FORMAT_TIMESTAMP('%F %R %z %Ez %Z', TIMESTAMP '2026-02-03 10:20:30', 'America/New_York')",
          '2026-02-03 05:20 -0500 -05:00 UTC-5',
        ),
        example(
          "FORMAT_TIMESTAMP('%a %d %b %Y, %I:%M %p', TIMESTAMP '2026-02-03 22:05:00')",
          'Tue 03 Feb 2026, 10:05 PM',
        ),
        example(
          "FORMAT_TIMESTAMP('%H:%M:%E3S', TIMESTAMP '1969-12-31 23:59:59.123999')",
          '23:59:59.123',
        ),
        example("FORMAT_TIMESTAMP('%F', CAST(NULL AS TIMESTAMP))", null),
        example(
          "FORMAT_TIMESTAMP('%R %Z', TIMESTAMP_SECONDS(0), 'Asia/Kathmandu')",
          '05:30 UTC+0530',
        ),
      ],
    ),
  ),
  format(
    'format_datetime',
    DATETIME,
    docsFrom('Datetime functions')(
      'FORMAT_DATETIME(format STRING, value DATETIME) -> STRING',
      'As FORMAT_TIMESTAMP, for a DATETIME. Codes of offsets stay as they are.',
      [
        example("FORMAT_DATETIME('%d.%m.%Y', DATETIME '2026-02-03 10:20:30')", '03.02.2026'),
        example("FORMAT_DATETIME('%B %e 100%%', DATETIME '2026-02-03')", 'February  3 100%'),
        example("FORMAT_DATETIME('%R %Z', DATETIME '2026-02-03 10:20:30')", '10:20 %Z'),
      ],
    ),
  ),
  format(
    'format_date',
    DATE,
    docsFrom('Date functions')(
      'FORMAT_DATE(format STRING, value DATE) -> STRING',
      'As FORMAT_TIMESTAMP, for a DATE. Codes of hours, minutes, seconds and offsets stay as they are.',
      [
        example("FORMAT_DATE('%Y-Q%Q', DATE '2026-02-03')", '2026-Q1'),
        example("FORMAT_DATE('%d %H:%M %Ez', DATE '2026-02-03')", '03 %H:%M %Ez'),
        example("FORMAT_DATE('%F|%E4Y|%y', DATE '0101-02-03')", '101-02-03|0101|01'),
        example("FORMAT_DATE('%A, day %j', DATE '1969-12-31')", 'Wednesday, day 365'),
      ],
    ),
  ),
  parse(
    'parse_timestamp',
    TIMESTAMP,
    docsFrom('Timestamp functions')(
      'PARSE_TIMESTAMP(format STRING, text STRING[, zone]) -> TIMESTAMP',
      `Reads a time of UTC, or of the time zone, if the format reads no offset. ${CODES}; what it lacks is that of 1970-01-01 00:00:00. A text that does not match is an error.`,
      [
        timeExample(
          "PARSE_TIMESTAMP('%d/%b/%Y:%H:%M:%S', '03/Feb/2026:10:20:30')",
          '2026-02-03 10:20:30',
        ),
        timeExample("PARSE_TIMESTAMP('%Y-%m-%d', '1969-12-31')", '1969-12-31 00:00:00'),
        aggregateExample(
          "['03/Feb/2026:10:20:30 +0100']",
          "MAX(UNIX_SECONDS(PARSE_TIMESTAMP('%d/%b/%Y:%H:%M:%S %z', x)))",
          1770110430,
        ),
        aggregateExample(
          "['03/Feb/2026:10:20:30']",
          "MAX(UNIX_SECONDS(PARSE_TIMESTAMP('%d/%b/%Y:%H:%M:%S', x, 'America/New_York')))",
          1770132030,
        ),
        aggregateExample("['never']", "MAX(SAFE.PARSE_TIMESTAMP('%F', x))", null),
        timeExample("PARSE_TIMESTAMP('%B %d %Y', 'sep 3 2026')", '2026-09-03 00:00:00'),
        aggregateExample("['marsupial']", "MAX(SAFE.PARSE_TIMESTAMP('%B', x))", null),
        aggregateExample("['1.5', '1.55']", "COUNT(SAFE.PARSE_TIMESTAMP('%E1S', x))", 1),
      ],
    ),
  ),
  parse(
    'parse_datetime',
    DATETIME,
    docsFrom('Datetime functions')(
      'PARSE_DATETIME(format STRING, text STRING) -> DATETIME',
      'As PARSE_TIMESTAMP, for a DATETIME.',
      [
        example("PARSE_DATETIME('%F %R', '2026-02-03 10:20')", '2026-02-03T10:20:00'),
        aggregateExample("['9:05']", "MAX(PARSE_DATETIME('%H:%M', x))", '1970-01-01T09:05:00'),
      ],
    ),
  ),
  parse(
    'parse_date',
    DATE,
    docsFrom('Date functions')(
      'PARSE_DATE(format STRING, text STRING) -> DATE',
      'As PARSE_TIMESTAMP, for a DATE.',
      [
        example("PARSE_DATE('%Y%m%d', '20260203')", '2026-02-03'),
        aggregateExample("['February 3, 2026']", "MAX(PARSE_DATE('%B %d, %Y', x))", '2026-02-03'),
      ],
    ),
  ),
];
