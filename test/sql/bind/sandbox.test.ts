import { describe, expect, test } from 'vitest';
import type { CompileInput } from '../../../src/sql/compile.ts';
import { EVENTS } from '../fixtures.ts';
import { sqlBench } from '../support.ts';

/** An endpoint that shows two columns of one source and nothing else. */
const ENDPOINT = `with src as (select id, metadata from \`edge.logs\` where project = @project order by id limit 3),
  later as (select id from src where id > 'e1')
select id from src order by id desc limit 1`;

const consumer = (consumerSql: string): Partial<CompileInput> => ({
  consumerSql,
  parameters: { project: { type: 'string', value: 'alpha' } },
});

describe("a consumer's query", () => {
  const bench = sqlBench(EVENTS);
  const rows = (sql: string) => bench.rows(ENDPOINT, consumer(sql));
  const refused = (sql: string, error: RegExp | Error) => {
    for (const target of ['duckdb', 'athena'] as const) {
      expect(() => bench.compile(ENDPOINT, { ...consumer(sql), target })).toThrow(error);
    }
  };

  test('replaces the final SELECT whole, with its ORDER BY and LIMIT', async () => {
    expect(await rows('select id from src order by id')).toEqual([
      { id: 'e1' },
      { id: 'e2' },
      { id: 'e3' },
    ]);
  });

  test.each<[string, string, unknown[]]>([
    [
      'its own CTEs',
      'with x as (select id from later) select id from x order by id',
      [{ id: 'e2' }, { id: 'e3' }],
    ],
    [
      'a CTE of its own that hides one of the endpoint',
      "with src as (select 'mine' as id) select id from src",
      [{ id: 'mine' }],
    ],
    ['no FROM', "select 'hello' as world", [{ world: 'hello' }]],
    ['a star', 'select * from later order by 1', [{ id: 'e2' }, { id: 'e3' }]],
    [
      'derived tables, joins, unions',
      'select a.id from (select id from src) a join later b on a.id = b.id where b.id = @project union all select @project',
      [{ id: 'alpha' }],
    ],
    [
      'nested data',
      "select m.request.method as method from src, unnest(metadata) m where id = 'e3'",
      [{ method: 'POST' }],
    ],
    [
      'a LIMIT inside the endpoint still holds',
      'select count(*) as n from src limit 100000',
      [{ n: 3 }],
    ],
  ])('may have %s', async (_, sql, expected) => {
    expect(await rows(sql)).toEqual(expected);
  });

  test.each([
    'select * from later',
    'select later.* from later',
    'select 1 as one, l.* from later as l',
    'select * except (id) from src',
    'select * replace (1 as id) from src',
    'select id from (select * from later)',
    'with x as (select * from later) select id from x',
    'select id from src union all select * from later',
    'select (select * from later limit 1) as x',
    'select id from src where id in (select * from later)',
    'select id from src where exists (select * from later)',
    'select id from src order by (select * from later limit 1)',
    'select m.* from src, unnest(metadata) as m',
    'select * from unnest([1, 2])',
  ])('may not have a star where the endpoint says so: %s', async (consumerSql) => {
    const star = bench.rows(ENDPOINT, { ...consumer(consumerSql), consumerWildcards: false });

    await expect(star).rejects.toMatchObject({ code: 'sql_wildcard' });
  });

  test.each([
    'select src as r from src',
    'select to_json_string(src) as r from src',
    'select array_agg(src) as r from src',
    'select count(distinct src) as n from src',
    'select id from src where src is not null',
    'select id from src group by id, src',
    'select id from src order by src',
    'select struct(src) as r from src',
    'select (select src) as r from src',
    'select r.s.metadata from (select src as s from src) as r',
    'select t as r from (select id from src) as t',
    'select x.id from src join (select src as y from src) as x on true',
  ])('may not have a whole row where it may not have a star: %s', async (consumerSql) => {
    const row = bench.rows(ENDPOINT, { ...consumer(consumerSql), consumerWildcards: false });

    await expect(row).rejects.toMatchObject({
      code: 'sql_wildcard',
      message: expect.stringContaining('restricted wildcard (*) in a result column'),
    });
  });

  test('may have whole rows, and still no star, where the endpoint says so', async () => {
    const rules = { consumerWildcards: false, consumerWholeRows: true };
    const row = "select id, e as r from src as e where id = 'e3'";
    const star = 'select * from src';

    const rows = await bench.rows(ENDPOINT, { ...consumer(row), ...rules });

    const metadata = { request: { path: '/auth/v1/token' } };
    expect(rows).toMatchObject([{ id: 'e3', r: { id: 'e3', metadata } }]);
    await expect(bench.rows(ENDPOINT, { ...consumer(star), ...rules })).rejects.toMatchObject({
      code: 'sql_wildcard',
    });
  });

  test('may have a JSON column and an element of an array whole, all the same', async () => {
    const sql =
      "select m.request.method, e from src, unnest(metadata) as m, unnest([struct(1 as a)]) as e where id = 'e3'";
    const input = { ...consumer(sql), consumerWildcards: false };

    expect(await bench.rows(ENDPOINT, input)).toEqual([{ method: 'POST', e: { a: 1 } }]);
  });

  test('may count all rows, and read CTEs that have a star, all the same', async () => {
    const endpoint = 'with src as (select * from `edge.logs`) select id from src';
    const input = { ...consumer('select count(*) as n from src'), consumerWildcards: false };

    expect(await bench.rows(endpoint, input)).toEqual([{ n: expect.any(Number) }]);
  });

  const tables = [
    'select id from `edge.logs`',
    'select id from app-logs',
    'select src.id from src join `app-logs` on true',
    'select src.id from src, `app-logs`',
    'select id from (src join `app-logs` on true)',
    'select id from (select id from `app-logs`) as sub',
    'select id from src where id in (select id from `app-logs`)',
    'select id from src where exists (select 1 from src s join `app-logs` a on true)',
    'select (select max(id) from `app-logs`) as x from src',
    'select id from src union all select id from `app-logs`',
    'with `app-logs` as (select id from `app-logs`) select id from `app-logs`',
    'with x as (select id from `app-logs`) select id from x',
    'with x as (with y as (select id from `app-logs`) select id from y) select id from x',
    'select id from SRC',
    'select id from src, app-logs.metadata',
    'select id from log_events',
    'select id from main.log_events',
    'select table_name from INFORMATION_SCHEMA.TABLES',
    'select id from `information_schema`.`tables`',
    'select id from duckdb_tables',
    'select id from sqlite_master',
    'select array(select id from `app-logs`) as x from src',
    'select count(*) filter (where id in (select id from `app-logs`)) as x from src',
    'select id from src order by (select max(id) from `app-logs`)',
    'select id from src group by id having id > (select max(id) from `app-logs`)',
    'select case when exists (select 1 from `app-logs`) then 1 end as x from src',
    'select row_number() over (order by (select max(id) from `app-logs`)) as x from src',
    'select id from src as a join src as b on a.id in (select id from `app-logs`)',
    'select x from src, unnest([(select max(id) from `app-logs`)]) as x',
  ];
  test.each(tables)('cannot reach a table that the endpoint does not show: %s', (sql) => {
    refused(sql, /Table not found in CTE: \(|is not supported/);
  });

  test.each([
    ["select * from read_csv('/etc/passwd')", /Table functions are not supported: read_csv/],
    ["select * from read_parquet('lake/**')", /Table functions are not supported/],
    ["select * from `read_csv`('x')", /Table functions are not supported/],
    ["select id from '/etc/passwd'", /Expected a table name/],
    ['select id from src pivot(max(id) for id in (1))', /PIVOT is not supported/],
    ['select session_user()', /Restricted function session_user/],
    ['select lower(session_user())', /Restricted function session_user/],
    ['select safe.session_user()', /Restricted function session_user/],
    ["select external_query('', '')", /Restricted function external_query/],
    ['select current_setting(1)', /Function not found: current_setting/],
    ["select getenv('HOME')", /Function not found: getenv/],
    ["select `read_text`('/etc/passwd')", /Function not found: read_text/],
    ['select nextval(1)', /Function not found: nextval/],
    ['select source_id from src', /Field "source_id" does not exist/],
    ['select src.body from src', /Field "body" does not exist in src/],
    ['select id, dt from later', /Field "dt" does not exist/],
    ['select @@version', /System variables/],
  ])('cannot use what is not on the list: %s', (sql, message) => {
    refused(sql, message);
  });

  test.each([
    ['select 1; select 2', 'sql_multiple_statements'],
    ['select 1; drop table src', 'sql_multiple_statements'],
    ['drop table src', 'sql_not_select'],
    ['update src set id = 1', 'sql_not_select'],
    ["copy src to '/tmp/x'", 'sql_not_select'],
    ["attach 'x.db'", 'sql_not_select'],
    ['pragma version', 'sql_not_select'],
    ["unload (select 1) to 's3://x'", 'sql_not_select'],
    ['show tables', 'sql_not_select'],
    ['explain select 1', 'sql_not_select'],
    ["execute immediate 'select 1'", 'sql_not_select'],
    ['select id from src into dst', 'sql_syntax'],
    ['', 'sql_empty'],
    ['-- only a comment', 'sql_empty'],
    ['select id from src\u0000', 'sql_syntax'],
    ["select 'a\u0000b'", 'sql_syntax'],
    [`select ${'('.repeat(5000)}1${')'.repeat(5000)}`, 'sql_too_large'],
    [`select ${'x or '.repeat(60_000)}y`, 'sql_too_large'],
    ['with recursive x as (select 1) select 1 from x', 'sql_unsupported'],
    ['with x as (select 1 from x) select 1 from x', 'sql_unknown_table'],
  ])('is one SELECT and nothing else: %s', (sql, code) => {
    refused(sql, expect.objectContaining({ code, status: 400 }));
  });

  test('errors say where: in the consumer text, not in what it is grafted onto', () => {
    expect(() => bench.compile(ENDPOINT, consumer('select id,\n  nope\nfrom src'))).toThrow(
      expect.objectContaining({ code: 'sql_unknown_column', line: 2, column: 3 }),
    );
  });

  test('an unknown name comes with the nearest known one', () => {
    expect(() => bench.compile(ENDPOINT, consumer('select ids from src'))).toThrow(
      /did you mean id\?/,
    );
    expect(() => bench.compile(ENDPOINT, consumer('select id from scr'))).toThrow(
      /did you mean src\?/,
    );
    expect(() => bench.compile(ENDPOINT, consumer('select lenght(id) from src'))).toThrow(
      /did you mean LENGTH\?/,
    );
  });

  test('without CTEs in the endpoint there is nothing to graft onto: it answers itself', async () => {
    const own = "select id from `edge.logs` where id = 'e1'";
    expect(await bench.rows(own, { consumerSql: 'select 1 as x' })).toEqual([{ id: 'e1' }]);
    expect(() => bench.compile(own, { consumerSql: 'select id from `edge.logs`' })).toThrow(
      /Table not found in CTE/,
    );
  });

  test('parameters are literals, whatever they hold', async () => {
    const nasty = `x' or 1=1 -- \\' "; drop table log_events; /*`;
    const parameters = { project: { type: 'string', value: nasty } as const };
    expect(await bench.rows(ENDPOINT, { consumerSql: 'select @project as p', parameters })).toEqual(
      [{ p: nasty }],
    );
    expect(await bench.rows(ENDPOINT, { parameters })).toEqual([]);
  });
});
