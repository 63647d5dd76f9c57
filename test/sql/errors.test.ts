import { describe, expect, test } from 'vitest';
import { EVENTS } from './fixtures.ts';
import { sqlBench } from './support.ts';

describe('what is refused, and how it is said', () => {
  const bench = sqlBench(EVENTS);

  test.each([
    ['select id from nowhere', 'sql_unknown_table', "can't find source nowhere"],
    ['select id from EDGE.LOGS', 'sql_unknown_table', "can't find source EDGE.LOGS"],
    ['select nope(1)', 'sql_unknown_function', 'Function not found: nope'],
    ["select 'abc", 'sql_syntax', "This string is never closed: its ' is missing"],
    ["select '\\d'", 'sql_syntax', "use a raw string r'...'"],
    ['select 1 +', 'sql_syntax', 'Expected an expression but found the end of the query'],
    ['select 1 from', 'sql_syntax', 'Expected a table name'],
    ['select id from `edge.logs` join `app-logs`', 'sql_syntax', 'Expected ON or USING'],
    ["select 'a' + 1", 'sql_type', 'STRING + INT64 is not possible'],
    ['select timestamp > 5 from `edge.logs`', 'sql_type', 'TIMESTAMP and INT64 cannot be compared'],
    ["select timestamp > 'yesterday' from `edge.logs`", 'sql_type', 'cannot be compared'],
    ["select cast('x' as timestamp)", 'sql_type', "'x' cannot be read as TIMESTAMP"],
    [
      'select cast(1 as json)',
      'sql_type',
      'INT64 cannot be CAST to JSON: use PARSE_JSON or TO_JSON',
    ],
    ["select safe_cast('1' as json)", 'sql_type', 'STRING cannot be CAST to JSON'],
    ["select [1] || 'a'", 'sql_type', 'no type in common: ARRAY<INT64>, STRING'],
    ["select id from `edge.logs` order by 'id'", 'sql_type', 'ORDER BY cannot be a literal'],
    [
      'select id from `edge.logs` union all select id from `app-logs` order by null',
      'sql_type',
      'ORDER BY cannot be a literal',
    ],
    [
      "select array_agg(id order by 'id') from `edge.logs`",
      'sql_type',
      'ORDER BY cannot be a literal',
    ],
    [
      'select count(*) from (select 1 as k) as a join (select 2 as l) as b using (k)',
      'sql_unknown_column',
      'Both sides of the join need a column k: the right side has none',
    ],
    [
      'select k from (select 1 as k) as a join (select 1 as k) as b on true join (select 1 as k) as c using (k)',
      'sql_unknown_column',
      'Column k of USING is ambiguous on the left side',
    ],
    [
      'select k from (select 1 as k) as a join (select 1 as k) as b using (k) join (select 1 as k) as c on true',
      'sql_unknown_column',
      'Column name k is ambiguous',
    ],
    [
      'select * from (select 1 as k, [1] as l) as a left join unnest(l) as k using (k)',
      'sql_unsupported',
      'LEFT JOIN UNNEST takes no condition',
    ],
    [
      'select 1 from (select 1 as id, [1] as list) as l left join ((select 1 as id) as e cross join unnest(l.list) as m) on true',
      'sql_unknown_column',
      'Field "l" does not exist',
    ],
    [
      'select lower(a.level), (select count(*) from `edge.logs` e where e.id = lower(a.level)) from `app-logs` a group by 1',
      'sql_unsupported',
      'A subquery uses level of the query around it, which groups: group in a CTE',
    ],
    [
      'select (1, null) not in (select (2, 2))',
      'sql_type',
      'STRUCT<INT64, INT64> values cannot be compared',
    ],
    ['select 1 + null', 'sql_type', 'The operands of + cannot be a literal NULL'],
    ['select cast(1 as bytes)', 'sql_unsupported', 'The type BYTES is not supported'],
    [
      'select id, count(*) from `edge.logs`',
      'sql_type',
      'id, which is neither grouped nor aggregated',
    ],
    ['select sum(count(*)) from `edge.logs`', 'sql_type', 'Aggregates cannot be nested'],
    [
      'select id from `edge.logs` where count(*) > 1',
      'sql_type',
      'COUNT cannot stand in WHERE: use HAVING',
    ],
    ['select lower(1, 2)', 'sql_type', 'LOWER takes 1 argument, not 2'],
    ['select row_number() from `edge.logs`', 'sql_type', 'ROW_NUMBER needs OVER'],
    [
      'select rank() over (order by id rows 1 preceding) from `edge.logs`',
      'sql_type',
      'The window of RANK can have no ROWS and no RANGE',
    ],
    [
      'select count(*) over (order by id range between 1 preceding and current row) from `edge.logs`',
      'sql_type',
      'RANGE with a distance needs an ORDER BY number, not STRING',
    ],
    [
      'select count(*) over (order by timestamp range between 1 preceding and current row) from `edge.logs`',
      'sql_type',
      'not TIMESTAMP: write UNIX_SECONDS(..)',
    ],
    [
      'select count(*) over (range between 1 preceding and current row) from `edge.logs`',
      'sql_type',
      'RANGE with a distance needs one ORDER BY',
    ],
    [
      'select count(*) over (order by 1 range between 1 preceding and 2 preceding) from `edge.logs`',
      'sql_type',
      'The window frame ends before it starts',
    ],
    [
      'select count(*) over (order by id rows between current row and 1 preceding) from `edge.logs`',
      'sql_type',
      'The window frame ends before it starts',
    ],
    [
      'select lag(id, -1) over (order by id) from `edge.logs`',
      'sql_type',
      'LAG: argument 2 must be a constant of 0 or more',
    ],
    [
      'select ntile(0) over (order by id) from `edge.logs`',
      'sql_type',
      'NTILE: argument 1 must be a constant of 1 or more',
    ],
    [
      'select sum(distinct 1) over () from `edge.logs`',
      'sql_unsupported',
      'SUM(DISTINCT ..) OVER is not supported',
    ],
    [
      'select count(distinct id) over (order by id) from `edge.logs`',
      'sql_type',
      'The window of COUNT(DISTINCT ..) can have no ORDER BY',
    ],
    [
      'select array_agg(id order by id) over () from `edge.logs`',
      'sql_unsupported',
      'With OVER, ARRAY_AGG takes no ORDER BY or LIMIT',
    ],
    ['select max([1]) from `edge.logs`', 'sql_type', 'MAX: ARRAY<INT64> has no order'],
    ["select date_trunc(date '2026-02-03', hour)", 'sql_type', 'A DATE has no HOUR to truncate to'],
    ['select 1 union all select 1, 2', 'sql_type', 'same number of columns: 1 and 2'],
    [
      "select 1 union all select 'a'",
      'sql_type',
      'Column 1 of UNION is INT64 on one side and STRING',
    ],
    [
      'select a.id from `edge.logs` a, `app-logs` b where id = 1',
      'sql_unknown_column',
      'Column name id is ambiguous',
    ],
    [
      'select timestamp_trunc(timestamp, fortnight) from `edge.logs`',
      'sql_type',
      'FORTNIGHT is not a unit',
    ],
    [
      'select timestamp_trunc(timestamp, hour, "Asia/Tokio") from `edge.logs`',
      'sql_type',
      "Unknown time zone 'Asia/Tokio', did you mean 'Asia/Tokyo'?",
    ],
    [
      'select date(timestamp, "berlin") from `edge.logs`',
      'sql_type',
      "Unknown time zone 'berlin', did you mean 'Europe/Berlin'?",
    ],
    [
      'select date(timestamp, "IST") from `edge.logs`',
      'sql_type',
      "Unknown time zone 'IST': use an IANA name",
    ],
    [
      'select timestamp "2026-02-03 09:00:00 Europe/Berln"',
      'sql_type',
      "cannot be read as TIMESTAMP: Unknown time zone 'Europe/Berln', did you mean 'Europe/Berlin'?",
    ],
    [
      'select cast("2026-02-03 09:00:00 Tokyo" as timestamp)',
      'sql_type',
      "did you mean 'Asia/Tokyo'?",
    ],
    [
      'select datetime(timestamp, "+14:01") from `edge.logs`',
      'sql_type',
      "Unknown time zone '+14:01': use",
    ],
    [
      'select datetime(timestamp, project) from `edge.logs`',
      'sql_type',
      'A time zone must be a literal or a parameter',
    ],
    [
      'select datetime_trunc(datetime(timestamp), day, "UTC") from `edge.logs`',
      'sql_type',
      'DATETIME_TRUNC takes a time zone only with a TIMESTAMP',
    ],
    [
      'select date(datetime(timestamp), "Asia/Tokyo") from `edge.logs`',
      'sql_type',
      'DATE takes a time zone only with a TIMESTAMP, not with DATETIME',
    ],
    [
      'select timestamp(timestamp, "Asia/Tokyo") from `edge.logs`',
      'sql_type',
      'use DATETIME(value, zone)',
    ],
    [
      'select extract(hour from datetime(timestamp) at time zone "Asia/Tokyo") from `edge.logs`',
      'sql_type',
      'EXTRACT takes AT TIME ZONE only with a TIMESTAMP',
    ],
    [
      'select current_timestamp("Asia/Tokyo")',
      'sql_type',
      'CURRENT_TIMESTAMP takes 0 arguments, not 1: it takes no time zone',
    ],
    [
      'select timestamp_sub(timestamp, interval 1 month) from `edge.logs`',
      'sql_type',
      'use DAY, or DATETIME_ADD',
    ],
    ["select x from unnest(struct(1, 'a' as b)) as x", 'sql_type', 'not STRUCT<INT64, b STRING>'],
    ['select 1 limit -1', 'sql_type', 'LIMIT needs a whole number'],
    ['select 9223372036854775808', 'sql_type', 'does not fit INT64'],
    [
      'select id from `edge.logs` tablesample system (10 percent)',
      'sql_unsupported',
      'TABLESAMPLE is not supported',
    ],
  ])('%s', (sql, code, message) => {
    expect(() => bench.compile(sql)).toThrow(
      expect.objectContaining({ code, status: 400, message: expect.stringContaining(message) }),
    );
  });

  test('a saved query is checked whole, also the CTEs that its final SELECT does not read', () => {
    const sql = 'with a as (select 1 as x), b as (select nope(x) from a) select x from a';
    expect(bench.compile(sql).columns).toHaveLength(1);
    expect(() => bench.compile(sql, { checkAll: true })).toThrow('Function not found: nope');
  });
});
