import { describe, expect, test } from 'vitest';
import type { ParameterValue } from '../../../src/sql/compile.ts';
import { EVENTS } from '../fixtures.ts';
import { sqlBench } from '../support.ts';

const LOGS = `with logs as (
  select t.timestamp, t.id, t.metadata from \`edge.logs\` as t
  where case when coalesce(@start, '') = '' then true else t.timestamp > cast(@start as timestamp) end
), unused as (select id from \`app-logs\`)
select id from logs`;

const start = (value: string | null): { parameters: Record<string, ParameterValue> } => ({
  parameters: { start: { type: 'string', value } },
});

describe('what a query reads', () => {
  const bench = sqlBench(EVENTS);
  const text = (sql: string, options = {}) => bench.compile(sql, options).text;

  test('an empty optional bound leaves no trace', () => {
    expect(text(LOGS, start(''))).not.toContain('timestamp_us');
    expect(text(LOGS, start(null))).not.toContain('dt');
  });

  test('a bound that came as a parameter prunes partitions, an hour and the buffer earlier', () => {
    // Events may arrive up to an hour before their time, and are filed with the buffer's oldest.
    expect(text(LOGS, { ...start('2026-02-03T10:30:00Z'), maxFilingDelaySeconds: 1800 })).toContain(
      "(dt > DATE '2026-02-03' OR (dt = DATE '2026-02-03' AND hour >= 9))",
    );
  });

  test("a consumer's own bound passes through the CTE to the scan", () => {
    const consumerSql = "select id from logs where timestamp >= '2026-02-03T08:00:00Z'";
    expect(text(LOGS, { ...start(null), consumerSql })).toContain(
      "dt = DATE '2026-02-03' AND hour >= 6",
    );
  });

  test.for([
    // 2026-01-31 23:00 UTC, two hours earlier.
    [
      "timestamp >= timestamp('2026-02-01', 'Europe/Berlin')",
      "(dt > DATE '2026-01-31' OR (dt = DATE '2026-01-31' AND hour >= 21))",
    ],
    [
      "timestamp >= timestamp '2026-02-01 00:00:00 America/New_York'",
      "dt = DATE '2026-02-01' AND hour >= 3",
    ],
    // It is 19:00 in Tokyo, where the day began at 15:00 UTC.
    [
      "timestamp >= timestamp_trunc(current_timestamp(), day, 'Asia/Tokyo')",
      "dt = DATE '2026-02-02' AND hour >= 13",
    ],
    ["timestamp >= timestamp(current_date('Asia/Tokyo'), 'Asia/Tokyo')", "dt = DATE '2026-02-02'"],
    // What goes through a zone's clocks is bounded a day earlier.
    [
      "timestamp_trunc(timestamp, day, 'Asia/Tokyo') >= timestamp '2026-02-02 15:00:00'",
      "dt = DATE '2026-02-01' AND hour >= 13",
    ],
    [
      "datetime(timestamp, 'Asia/Tokyo') > datetime '2026-02-03 00:00:00'",
      "dt = DATE '2026-02-01' AND hour >= 22",
    ],
  ])('a bound that goes through a time zone prunes: %s', ([condition = '', partitions = '']) => {
    expect(
      text(`select id from \`edge.logs\` where ${condition}`, { maxFilingDelaySeconds: 3600 }),
    ).toContain(partitions);
  });

  test('a bound on days of a time zone passes through a CTE', () => {
    const days = `with days as (select timestamp_trunc(timestamp, day, 'Asia/Tokyo') as timestamp from \`edge.logs\`)
      select count(*) as n from days`;
    expect(text(`${days} where timestamp > '2026-02-03 00:00:00'`)).toContain(
      "dt = DATE '2026-02-01' AND hour >= 22",
    );
  });

  test('a bound below a LIMIT, or one that only some readers have, prunes nothing', () => {
    const limited =
      "select id from (select id, timestamp from logs order by id limit 2) where timestamp > '2026-02-03'";
    const shared =
      "select id from logs where timestamp > '2026-02-03' union all select id from logs";
    expect(text(LOGS, { ...start(null), consumerSql: limited })).not.toContain('dt >');
    expect(text(LOGS, { ...start(null), consumerSql: shared })).not.toContain('dt >');
  });

  test('an upper bound prunes nothing: events may arrive months late', () => {
    expect(text("select id from `edge.logs` where timestamp < '2020-01-01'")).not.toContain('dt');
  });

  test('slots are read instead of JSON, also through a CTE', () => {
    const consumerSql =
      'select request.path from logs cross join unnest(metadata) as m cross join unnest(m.request) as request';
    const { scans } = bench.compile(LOGS, { ...start(null), consumerSql });
    // Whether there are both objects, and the path.
    expect(scans.map(({ columns }) => columns)).toEqual([['s000', 's001', 's003']]);
  });

  test('a chart that counts ids, which every event has, reads none', () => {
    const consumerSql =
      'select timestamp_trunc(t.timestamp, minute) as timestamp, count(t.id) as count from logs as t group by 1';
    const { scans } = bench.compile(LOGS, { ...start(null), consumerSql });
    expect(scans.map(({ columns }) => columns)).toEqual([['timestamp_us']]);
  });

  test('only the CTEs that a query reaches are printed, and of them only what it reads', () => {
    const compiled = text(LOGS, { ...start(null), consumerSql: 'select count(*) as n from logs' });
    expect(compiled).not.toContain('unused');
    expect(compiled).not.toContain('event_message');
  });

  test('the row limit caps a larger LIMIT and leaves a smaller one', () => {
    expect(text('select id from `edge.logs` limit 50', { maxRows: 10 })).toMatch(/LIMIT 10$/);
    expect(text('select id from `edge.logs` limit 5', { maxRows: 10 })).toMatch(/LIMIT 5$/);
    expect(
      text('select id from `edge.logs` union all select id from `edge.logs`', { maxRows: 10 }),
    ).toMatch(/LIMIT 10$/);
  });

  test('the sources read and the fields never seen are reported', () => {
    const compiled = bench.compile('select colour from `app-logs`');
    expect(compiled.sources).toEqual(['app-logs']);
    expect(compiled.warnings).toEqual([
      'No event of app-logs has shown the field colour yet: it is NULL',
    ]);
  });
});
