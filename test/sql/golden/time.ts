import { us } from '../fixtures.ts';
import { type Golden, value } from './golden.ts';

export const TIME: readonly Golden[] = [
  {
    what: 'a string literal compared with a TIMESTAMP',
    sql: "select id from `edge.logs` where timestamp > '2026-02-03T09:30:00.000Z' order by id",
    rows: [{ id: 'e4' }, { id: 'e5' }],
  },
  {
    what: 'BETWEEN keeps microseconds',
    sql: "select id from `edge.logs` where timestamp between '2026-02-03 09:00:00.123456' and timestamp '2026-02-03 09:00:00.123456+00'",
    rows: [{ id: 'e1' }],
  },
  value('current_timestamp is the time of the call', 'current_timestamp()', us(60)),
  value('timestamp_sub', 'timestamp_sub(current_timestamp, interval 90 minute)', us(-30)),
  value('a PostgreSQL interval', "now() - interval '24 hours'", us(-23 * 60)),
  value(
    'timestamp_diff cuts towards zero',
    "timestamp_diff(timestamp '2026-01-01', timestamp '2026-01-01 00:00:59', minute)",
    0,
  ),
  value('weeks start on Sunday', "date_trunc(date '2026-02-03', week)", '2026-02-01'),
  value('ISO weeks on Monday', "date_trunc(date '2026-02-03', isoweek)", '2026-02-02'),
  value(
    'before 1970 truncation goes down',
    "timestamp_trunc(timestamp '1969-12-31 23:59:59.5', second)",
    -1_000_000,
  ),
  value(
    'datetime has no zone',
    "datetime(timestamp '2026-02-03 09:00:00.5', 'UTC')",
    '2026-02-03T09:00:00.500000',
  ),
  value(
    'a time zone has its own hours',
    "extract(hour from timestamp '2026-07-01 22:30:00' at time zone 'Asia/Kathmandu')",
    4,
  ),
  value(
    'a time zone has its own days',
    "extract(date from timestamp '2026-07-01 22:30:00' at time zone 'Asia/Kathmandu')",
    '2026-07-02',
  ),
  value(
    'a literal may end in a time zone',
    "timestamp '2026-07-01 00:00:00.25 America/New_York' = timestamp '2026-07-01 04:00:00.25'",
    true,
  ),
  value(
    'cast to string',
    "cast(timestamp '2026-02-03 09:00:00.120' as string)",
    '2026-02-03 09:00:00.120+00',
  ),
  value(
    'format_timestamp',
    "format_timestamp('%F %T.%E3S|%b %e, %Y %I:%M %p|%A %j|%s%%', timestamp '2026-02-03 15:04:05.678901')",
    '2026-02-03 15:04:05.05.678|Feb  3, 2026 03:04 PM|Tuesday 034|1770131045%',
  ),
  value(
    'format_timestamp gives as many digits as there are',
    "format_timestamp('%E*S', timestamp '2026-02-03 00:00:07.5') || format_timestamp('/%E*S%Ez', timestamp '2026-02-03 00:00:30')",
    '07.5/30+00:00',
  ),
  {
    what: 'times of columns as text keep microseconds, and never round to the next second',
    sql: "select cast(t.moment as string) as s, format_timestamp('%T/%E6S', t.moment) as f, cast(datetime(t.moment) as string) as d from (select timestamp_add(timestamp, interval 876543 microsecond) as moment from `edge.logs` where id = 'e1') t",
    rows: [
      {
        s: '2026-02-03 09:00:00.999999+00',
        f: '09:00:00/00.999999',
        d: '2026-02-03 09:00:00.999999',
      },
    ],
  },
  value(
    'parse_timestamp of a literal',
    "parse_timestamp('%Y-%m-%dT%H:%M:%E*S%Ez', '2026-02-03T11:00:00.25+02:00')",
    us(0, 250_000),
  ),
  {
    what: 'parse_timestamp of a column, with a month by name',
    sql: `select parse_timestamp('%d %B %Y, %H:%M:%E*S', t.x) as t, parse_date('%m/%d/%Y', '02/3/2026') as d
            from (select '3 February 2026, 9:00:5.5' as x from \`edge.logs\` limit 1) as t`,
    rows: [{ t: us(0, 5_500_000), d: '2026-02-03' }],
  },
  value(
    'months keep the day or the last one',
    "date_add(date '2026-01-31', interval 1 month)",
    '2026-02-28',
  ),
  value(
    'extract',
    "extract(dayofweek from timestamp '2026-02-03') * 100 + extract(hour from timestamp '2026-02-03 09:10:11')",
    309,
  ),
  {
    what: 'a literal with dollar signs inside EXTRACT stays a literal',
    sql: `select extract(hour from if(event_message = '$&$\\'?', null, timestamp)) as h, extract(year from if(id = '$\\'', null, timestamp)) as y from \`edge.logs\` where id = 'e1'`,
    rows: [{ h: 9, y: 2026 }],
  },
  {
    what: 'time functions on columns, not only on constants',
    sql: `select timestamp_trunc(timestamp, month) as m, extract(minute from timestamp) as minute,
              date(timestamp) as d, cast(timestamp as datetime) as dt, datetime_diff(datetime(timestamp), datetime '2026-02-01', day) as days
            from \`edge.logs\` where id = 'e2'`,
    rows: [
      {
        m: Date.UTC(2026, 1, 1) * 1000,
        minute: 1,
        d: '2026-02-03',
        dt: '2026-02-03T09:01:00.123456',
        days: 2,
      },
    ],
  },
];
