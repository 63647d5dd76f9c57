import { us } from './fixtures.ts';
import { CONVERSIONS, MEMBERS, STRUCTS_AND_STARS } from './golden-conversions.ts';

/** Queries with the rows that BigQuery gives for them, over the events of `fixtures.ts`. */
export interface Golden {
  readonly what: string;
  readonly sql: string;
  readonly rows: readonly unknown[];
}

/** `select <expression> as x`: one value. */
const value = (what: string, expression: string, x: unknown): Golden => ({
  what,
  sql: `select ${expression} as x`,
  rows: [{ x }],
});

export const GOLDEN: Readonly<Record<string, readonly Golden[]>> = {
  conversions: CONVERSIONS,
  members: MEMBERS,
  'structs and stars': STRUCTS_AND_STARS,
  'columns of a source': [
    {
      what: 'the fixed columns, time in microseconds',
      sql: "select id, timestamp, event_message from `edge.logs` where id = 'e1'",
      rows: [{ id: 'e1', timestamp: us(0, 123_456), event_message: 'GET /rest/v1/users' }],
    },
    {
      what: 'metadata is an object, missing metadata is NULL',
      sql: "select metadata from `edge.logs` where id in ('e1', 'e5') order by id",
      rows: [
        {
          metadata: {
            request: { method: 'GET', path: '/rest/v1/users', headers: { user_agent: 'curl' } },
            response: { status_code: 200, origin_time: 10 },
          },
        },
        { metadata: null },
      ],
    },
    {
      what: 'any other top-level field, NULL where an event lacks it',
      sql: 'select id, level, count from `app-logs` order by id',
      rows: [
        { id: 'a1', level: 'info', count: null },
        { id: 'a2', level: 'error', count: null },
        { id: 'a3', level: null, count: 3 },
      ],
    },
    {
      what: 'a table is named bare, with dashes, or in backticks as a whole or by part',
      sql: 'select count(*) as n from app-logs union all select count(*) from `edge`.`logs` union all select count(*) from edge.logs order by n',
      rows: [{ n: 3 }, { n: 5 }, { n: 5 }],
    },
    {
      what: 'a column qualified by the dotted name of its table',
      sql: "select edge.logs.id from edge.logs where `edge.logs`.id = 'e2'",
      rows: [{ id: 'e2' }],
    },
    {
      what: 'integers beyond 2^53 keep their digits',
      sql: "select cast(m.size as string) as size from `app-logs` cross join unnest(metadata) as m where id = 'a1'",
      rows: [{ size: '9007199254740993' }],
    },
  ],
  'nested data': [
    {
      what: 'unnest chains over objects, also named like a column of the SELECT',
      sql: `select id, request.method, response.status_code from \`edge.logs\`
            cross join unnest(metadata) as m cross join unnest(m.request) as request
            cross join unnest(m.response) as response order by id limit 2`,
      rows: [
        { id: 'e1', method: 'GET', status_code: 200 },
        { id: 'e2', method: 'GET', status_code: 500 },
      ],
    },
    {
      what: 'cross join drops rows that lack the object',
      sql: 'select count(*) as n from `edge.logs` cross join unnest(metadata) as m',
      rows: [{ n: 4 }],
    },
    {
      what: 'left join keeps them',
      sql: 'select count(*) as n, count(m.request) as r from `edge.logs` left join unnest(metadata) as m on true',
      rows: [{ n: 5, r: 4 }],
    },
    {
      what: 'a list multiplies its row',
      sql: 'select id, s.name, s.ms from `app-logs` cross join unnest(metadata) as m cross join unnest(m.spans) as s order by s.ms',
      rows: [
        { id: 'a1', name: 'db', ms: 12 },
        { id: 'a1', name: 'http', ms: 30.5 },
      ],
    },
    {
      what: 'a list under LEFT JOIN keeps rows without it',
      sql: 'select id, tag from `app-logs` t left join unnest(t.metadata) m left join unnest(m.tags) as tag order by id, tag',
      rows: [
        { id: 'a1', tag: 'blue' },
        { id: 'a1', tag: 'green' },
        { id: 'a2', tag: 'red' },
        { id: 'a3', tag: null },
      ],
    },
    {
      what: 'a correlated path without UNNEST, with offset',
      sql: 'select tag, pos from `app-logs` t, t.metadata.tags as tag with offset as pos order by tag',
      rows: [
        { tag: 'blue', pos: 0 },
        { tag: 'green', pos: 1 },
        { tag: 'red', pos: 0 },
      ],
    },
    {
      what: 'fields of an unnested object without its alias',
      sql: 'select method, status_code from `edge.logs` cross join unnest(metadata) m cross join unnest(m.request) cross join unnest(m.response) order by id limit 1',
      rows: [{ method: 'GET', status_code: 200 }],
    },
    {
      what: 'EXISTS over the elements of lists, of lists of objects, and of objects',
      sql: `select id from \`app-logs\` t
            where exists (select 1 from unnest(t.metadata.tags) as tag where tag like 'b%')
              and exists (select 1 from unnest(t.metadata) m cross join unnest(m.spans) as s where s.ms > 20)
              and not exists (select 1 from unnest(t.metadata.tags) as tag where tag = 'red')
            union all
            select id from \`edge.logs\` e
            where exists (select 1 from unnest(e.metadata) m cross join unnest(m.response) r where r.status_code = 401)
            order by id`,
      rows: [{ id: 'a1' }, { id: 'e3' }],
    },
    {
      what: 'a default of no elements in UNNEST',
      sql: 'select count(*) as n, count(x) as x from `app-logs` t left join unnest(coalesce(t.metadata.tags, [])) as x',
      rows: [{ n: 4, x: 3 }],
    },
    {
      what: 'subscripts: an object is an array of one, a list counts from zero',
      sql: "select metadata[0].request[offset(0)].method as m from `edge.logs` where id = 'e3' union all select metadata.spans[offset(1)].name from `app-logs` where id = 'a1'",
      rows: [{ m: 'POST' }, { m: 'http' }],
    },
    {
      what: 'keys are matched without case when that is unambiguous',
      sql: "select metadata.query_id as q from `app-logs` where id = 'a1'",
      rows: [{ q: 7 }],
    },
    {
      what: 'a path that no event has is NULL',
      sql: "select metadata.nowhere.at.all as x from `edge.logs` where id = 'e1'",
      rows: [{ x: null }],
    },
    {
      what: 'JSON in text',
      sql: `select json_value('{"a": {"b": [1, "two"]}}', '$.a.b[1]') as x, json_query('{"a": {"b": 1}}', '$.a') as y, json_value('not json', '$.a') as z`,
      rows: [{ x: 'two', y: { b: 1 }, z: null }],
    },
    {
      what: 'a whole row and a STRUCT are objects',
      sql: "select struct(id, level as severity) as s, t as row_ from (select id, level from `app-logs`) as t where id = 'a1'",
      rows: [{ s: { id: 'a1', severity: 'info' }, row_: { id: 'a1', level: 'info' } }],
    },
    {
      what: 'fields of a STRUCT without names are named by their places',
      sql: 'select struct(1, struct(true), 3 as three) as s',
      rows: [{ s: { _field_1: 1, _field_2: { _field_1: true }, three: 3 } }],
    },
  ],
  grouping: [
    {
      what: 'GROUP BY an alias that is also a column',
      sql: 'select timestamp_trunc(timestamp, hour) as timestamp, count(*) as n from `edge.logs` group by timestamp',
      rows: [{ timestamp: us(0), n: 5 }],
    },
    {
      what: 'GROUP BY position, HAVING an alias, ORDER BY an aggregate',
      sql: `select request.path as path, count(*) as n from \`edge.logs\` cross join unnest(metadata) m
            cross join unnest(m.request) request group by 1 having n >= 1 order by count(*) desc, path limit 2`,
      rows: [
        { path: '/rest/v1/users', n: 2 },
        { path: '/auth/v1/token', n: 1 },
      ],
    },
    {
      what: 'aggregates',
      sql: `select count(distinct response.status_code) as d, countif(response.status_code >= 500) as bad,
              sum(response.origin_time) as total, avg(response.origin_time) as mean,
              min(response.origin_time) as low, max(response.origin_time) as high,
              approx_quantiles(response.origin_time, 4)[offset(4)] as p100,
              string_agg(id, '|' order by id desc limit 2) as ids, array_agg(id order by id limit 2) as list
            from \`edge.logs\` cross join unnest(metadata) m cross join unnest(m.response) response`,
      rows: [
        {
          d: 4,
          bad: 2,
          total: 100,
          mean: 25,
          low: 10,
          high: 40,
          p100: 40,
          ids: 'e4|e3',
          list: ['e1', 'e2'],
        },
      ],
    },
    {
      what: 'aggregates of nothing',
      sql: 'select count(*) as n, sum(count) as s, coalesce(sum(count), 0) as z from empty',
      rows: [{ n: 0, s: null, z: 0 }],
    },
    {
      what: 'NULLs come first ascending and last descending',
      sql: 'select level from `app-logs` order by level',
      rows: [{ level: null }, { level: 'error' }, { level: 'info' }],
    },
    {
      what: 'IGNORE NULLS belongs to the window function, not to a call inside it',
      sql: "select id, first_value(nullif(level, 'info') ignore nulls) over (order by id rows between unbounded preceding and unbounded following) as l from `app-logs` order by id limit 1",
      rows: [{ id: 'a1', l: 'error' }],
    },
    {
      what: 'windows',
      sql: 'select id, row_number() over (partition by project order by id) as n, lag(id) over (order by id) as before from `edge.logs` order by id limit 2',
      rows: [
        { id: 'e1', n: 1, before: null },
        { id: 'e2', n: 2, before: 'e1' },
      ],
    },
  ],
  qualify: [
    {
      what: 'filters by a window function, before DISTINCT and ORDER BY',
      sql: `select distinct project, request.method as method from \`edge.logs\` t
            cross join unnest(metadata) m cross join unnest(m.request) request
            qualify row_number() over (partition by request.method order by timestamp desc) = 1 order by method`,
      rows: [
        { project: 'alpha', method: 'GET' },
        { project: 'alpha', method: 'POST' },
      ],
    },
    {
      what: 'knows aliases, and sorts by what is not selected',
      sql: 'select id, row_number() over (order by id desc) as n from `edge.logs` where true qualify n <= 2 order by timestamp',
      rows: [
        { id: 'e4', n: 2 },
        { id: 'e5', n: 1 },
      ],
    },
  ],
  'set operations and subqueries': [
    {
      what: 'UNION ALL with untyped NULL arms, ordered by output',
      sql: "select id, null as level from `edge.logs` where id = 'e1' union all select id, level from `app-logs` where id = 'a2' order by id desc",
      rows: [
        { id: 'e1', level: null },
        { id: 'a2', level: 'error' },
      ],
    },
    {
      what: 'rows of a set operation of which no column is read',
      sql: 'select count(*) as n from (select id from `edge.logs` union all select id from `app-logs`) where exists (select 1 union all select 2)',
      rows: [{ n: 8 }],
    },
    {
      what: 'IN, EXISTS and scalar subqueries',
      sql: `select id, (select max(id) from \`app-logs\`) as last from \`edge.logs\` e
            where id in (select id from \`edge.logs\` where project = 'beta')
              and exists (select 1 from \`app-logs\` a where a.timestamp < e.timestamp)`,
      rows: [{ id: 'e5', last: 'a3' }],
    },
    {
      what: 'joins with ON and USING, and derived tables',
      sql: `select a.id, b.n from (select id, level from \`app-logs\`) a
            join (select level, count(*) as n from \`app-logs\` group by level) b using (level)
            left join \`edge.logs\` c on c.id = a.id order by a.id`,
      rows: [
        { id: 'a1', n: 1 },
        { id: 'a2', n: 1 },
      ],
    },
    {
      what: 'CTEs over CTEs; JSON paths reach through them to the source',
      sql: `with a as (select id, metadata from \`edge.logs\`), b as (select * from a)
            select m.request.method as method from b cross join unnest(metadata) as m where id = 'e3'`,
      rows: [{ method: 'POST' }],
    },
    {
      what: 'a CTE that has the name of a source reads the source',
      sql: "with empty as (select 1 as one), `app-logs` as (select id from `app-logs` where id = 'a1') select id, one from `app-logs`, empty",
      rows: [{ id: 'a1', one: 1 }],
    },
    {
      what: 'DISTINCT, LIMIT and OFFSET',
      sql: 'select distinct project from `edge.logs` order by project desc limit 1 offset 1',
      rows: [{ project: 'alpha' }],
    },
  ],
  time: [
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
  ],
  values: [
    value('integer division is float', '1 / 2', 0.5),
    value('DIV cuts towards zero', 'div(-7, 2)', -3),
    value('strings and escapes', String.raw`'it\'s' || "\x41\n" || r'\d'`, "it'sA\n\\d"),
    value('a raw triple-quoted string', `r'''it's \\d'''`, "it's \\d"),
    value('a comment mark inside a string is text', "'a--b' /* as y */", 'a--b'),
    value('safe_cast of what does not fit', "safe_cast('1.5' as int64)", null),
    value('PostgreSQL cast', "'12'::int", 12),
    value(
      'regexp_extract gives the group',
      "regexp_extract('took 12.5 ms', r'took ([0-9.]+) ms')",
      '12.5',
    ),
    value(
      'regexp_extract without a group gives the match',
      "regexp_extract('took 12 ms', r'[0-9]+')",
      '12',
    ),
    value('regexp_extract without a match is NULL', "regexp_extract('none', r'[0-9]+')", null),
    value(
      'regexp_extract of a group that took no part is NULL',
      "regexp_extract('took ms', r'took( [0-9]+)? ms')",
      null,
    ),
    value(
      'regexp_extract from a position, and of a later occurrence',
      "regexp_extract('a=1 b=2 c=3', r'[a-z]=([0-9])', 3, 2)",
      '3',
    ),
    value('SAFE. before a regular expression', "safe.regexp_contains('abc', 'B')", false),
    value(
      'the end is the very end, unless lines are asked for',
      "[regexp_contains('a\\n', 'a$'), regexp_contains('a\\n', '(?m)a$')]",
      [false, true],
    ),
    value(
      'classes are ASCII, and case is all of Unicode',
      "[regexp_extract('é٣x1', r'\\w'), regexp_extract('É', '(?i)é'), regexp_extract('\\u212A', '(?i)k')]",
      ['x', 'É', '\u212A'],
    ),
    value(
      'a pattern is an expression of constants',
      "regexp_contains('GET /v1', concat('^', 'get'))",
      false,
    ),
    value(
      'a wrong pattern in a branch that is never taken',
      "if(1 = 2, regexp_contains('a', '('), true)",
      true,
    ),
    value(
      'regexp_replace does not replace the empty text behind a match',
      "regexp_replace('xabx', 'x*', '-')",
      '-a-b-',
    ),
    value(
      'regexp_replace with a group',
      String.raw`regexp_replace('a1b2', r'([a-z])(\d)', r'\2\1')`,
      '1a2b',
    ),
    value('substr counts from one, zero counts as one', "substr('hello', 0, 2)", 'he'),
    value('concat with NULL', "concat('a', null)", null),
    value('safe_divide by zero', 'safe_divide(1, 0)', null),
    value('case with an operand', "case 'b' when 'a' then 1 when 'b' then 2 end", 2),
    value(
      'if, ifnull, nullif, coalesce',
      "if(true, ifnull(null, nullif('x', 'y')), coalesce(null, 'z'))",
      'x',
    ),
    value('in a list', '3 in (1, 2, 3) and 4 not in (1, 2)', true),
    value('is distinct from', 'null is distinct from 1', true),
    value('ilike', "'Hello' ilike '%ELL%'", true),
    value('arrays', "array_length(['a', 'b']) + [1, 2, 3][offset(2)]", 5),
    value('safe_offset out of range', '[1, 2][safe_offset(5)]', null),
    {
      what: 'unnamed columns are f0_, f1_; a trailing comma is fine',
      sql: 'select 1, 2 as named, 3,',
      rows: [{ f0_: 1, named: 2, f2_: 3 }],
    },
    { what: 'an alias may be a string', sql: "select 1 as 'my time'", rows: [{ 'my time': 1 }] },
    {
      what: 'of two columns with one name the last wins',
      sql: 'select 1 as a, 2 as a',
      rows: [{ a: 2 }],
    },
  ],
};
