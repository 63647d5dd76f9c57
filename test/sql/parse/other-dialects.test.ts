import { describe, expect, test } from 'vitest';
import { ELSEWHERE } from '../../../src/sql/functions/foreign-names.ts';
import { FUNCTION_NAMES } from '../../../src/sql/functions/table.ts';
import { EVENTS } from '../fixtures.ts';
import { sqlBench } from '../support.ts';

const bench = sqlBench(EVENTS);

describe('what PostgreSQL says plainly is understood', () => {
  test.each<[string, unknown]>([
    ["'5'::int + 1", 6],
    ['true::int', 1],
    ['null::text', null],
    ["'2026-02-03'::date", '2026-02-03'],
    ["timestamp '2026-02-03 10:00:00'::timestamptz = now()", true],
    ["now() - interval '24 hours' = timestamp '2026-02-02 10:00:00'", true],
    ["'Hello' ilike 'HE%'", true],
    ["'Hello' not ilike any ('x%', 'y%')", true],
    ["date_trunc('hour', now()) = timestamp '2026-02-03 10:00:00'", true],
    ['(select count(*) filter (where x > 1) from unnest([1, 2, 3]) as x)', 2],
    ["substring('abc', 2, 1)", 'b'],
  ])('%s', async (sql, value) => {
    expect(await bench.rows(`select ${sql} as x`)).toEqual([{ x: value }]);
  });
});

describe('what has another form here is refused with that form', () => {
  test.each([
    ["select id from `edge.logs` where id ~ 'e.'", 'REGEXP_CONTAINS'],
    ["select id from `edge.logs` where id ~* 'e.'", '(?i)'],
    ["select id from `edge.logs` where id !~ 'e.'", 'REGEXP_CONTAINS(value, pattern) behind NOT'],
    ["select id from `edge.logs` where id similar to 'e%'", 'REGEXP_CONTAINS'],
    ["select metadata->>'level' from `edge.logs`", 'metadata.field'],
    ["select metadata->'request'->>'path' from `edge.logs`", 'JSON_VALUE'],
    ["select id from `edge.logs` where metadata ? 'level'", 'IS NOT NULL'],
    ['select distinct on (project) id from `edge.logs`', 'QUALIFY ROW_NUMBER()'],
    ['select id from `edge.logs` fetch first 1 rows only', 'LIMIT'],
    ["select timestamp at time zone 'utc' from `edge.logs`", 'DATETIME(time, zone)'],
    ['select id collate "C" from `edge.logs`', 'LOWER'],
    ['select percentile_cont(0.5) within group (order by id) from `edge.logs`', 'APPROX_QUANTILES'],
    ['select extract(epoch from timestamp) from `edge.logs`', 'UNIX_SECONDS'],
    ["select position('e' in id) from `edge.logs`", 'STRPOS'],
    ['select substring(id from 1 for 2) from `edge.logs`', 'commas'],
    ["select '1 day'::interval", 'INTERVAL 1 DAY'],
    ["select E'a' as x", 'no E'],
    ['select id from `edge.logs` where id = $1', '@name'],
    ['select * from generate_series(1, 3)', 'GENERATE_ARRAY'],
    ["select to_char(timestamp, 'YYYY') from `edge.logs`", 'FORMAT_TIMESTAMP'],
    ["select split_part(id, '.', 1) from `edge.logs`", 'SPLIT(value, delimiter)'],
  ])('%s', (sql, form) => {
    expect(() => bench.compile(sql)).toThrow(
      expect.objectContaining({
        code: expect.stringMatching(/^sql_(unsupported|unknown_function|syntax|type)$/),
        message: expect.stringContaining(form),
        line: 1,
      }),
    );
  });

  test.each(Object.entries(ELSEWHERE))('%s: %s', (name, form) => {
    const grammar = ['CAST', 'EXTRACT', 'UNNEST', 'STRUCT', 'OFFSET', 'SAFE_OFFSET'];
    const called = [...form.matchAll(/[A-Z_0-9]+(?=[([])/g)].map(([word]) => word);
    const known = new Set([...FUNCTION_NAMES.map((known) => known.toUpperCase()), ...grammar]);

    expect(called.filter((word) => !known.has(word))).toEqual([]);
    expect(called.length).toBeGreaterThan(0);
    expect(FUNCTION_NAMES).not.toContain(name);
  });
});
