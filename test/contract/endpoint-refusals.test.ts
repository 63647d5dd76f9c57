import { describe, expect, test } from 'vitest';
import { BUILT_IN_ENDPOINTS, BUILT_IN_SOURCES } from '../../src/bootstrap/built-in-endpoints.ts';
import { at } from '../sql/fixtures.ts';
import { sqlBench } from '../sql/support.ts';
import { EVENTS, expectNoSelect, expectRefusal } from './fixtures.ts';

const bench = sqlBench(EVENTS);

test.each<{ fact: number; what: string; texts: string[]; code: string; says: string | RegExp }>([
  {
    fact: 18,
    what: 'a table that nobody knows',
    texts: ['select a from unknown'],
    code: 'sql_unknown_table',
    says: "can't find source unknown",
  },
  {
    fact: 19,
    what: 'such a table in a CTE that the final SELECT does not read',
    texts: ['with src as (select a from unknown_table) select datetime() from my_table'],
    code: 'sql_unknown_table',
    says: "can't find source unknown_table",
  },
  {
    fact: 20,
    what: 'such a table of three parts, named whole',
    texts: ['select a from `a.b.c`', 'select a from a.b.c'],
    code: 'sql_unknown_table',
    says: "can't find source a.b.c",
  },
  {
    fact: 25,
    what: 'a source in another case',
    texts: ['select a from MY_TABLE'],
    code: 'sql_unknown_table',
    says: "can't find source MY_TABLE",
  },
  {
    fact: 32,
    what: 'a second statement',
    texts: ['select 1; select 2'],
    code: 'sql_multiple_statements',
    says: 'one statement',
  },
  {
    fact: 34,
    what: 'a text without a statement',
    texts: ['', ' \n ', '-- only a comment', '/* this too */', ';'],
    code: 'sql_empty',
    says: 'empty',
  },
  {
    fact: 37,
    what: 'SELECT INTO, at its last word',
    texts: ['select a from my_table into other_table'],
    code: 'sql_syntax',
    says: "Expected the end of the statement but found 'into'",
  },
  {
    fact: 39,
    what: 'the function that tells who asks',
    texts: ['select SESSION_USER()'],
    code: 'sql_unknown_function',
    says: 'Restricted function session_user',
  },
  {
    fact: 41,
    what: 'a restricted function behind SAFE',
    texts: ['select safe.session_user()'],
    code: 'sql_unknown_function',
    says: 'Restricted function session_user',
  },
  {
    fact: 42,
    what: 'a restricted function inside of another one',
    texts: ['select lower(session_user())', "select if(true, session_user(), '')"],
    code: 'sql_unknown_function',
    says: 'Restricted function session_user',
  },
  {
    fact: 44,
    what: 'the catalogue of the engine',
    texts: ['select table_name from INFORMATION_SCHEMA.TABLES'],
    code: 'sql_unknown_table',
    says: "can't find source INFORMATION_SCHEMA.TABLES",
  },
  {
    fact: 46,
    what: 'a table function',
    texts: ["select a from my_tvf('x')"],
    code: 'sql_unsupported',
    says: 'my_tvf',
  },
  {
    fact: 48,
    what: 'a quote that is never closed',
    texts: ['select a from my_table, `other'],
    code: 'sql_syntax',
    says: 'never closed',
  },
])('$fact refused: $what', ({ texts, code, says }) => {
  expectRefusal(
    bench,
    texts.map((sql) => [sql]),
    { code, says },
  );
});

test.each<{ fact: number; what: string; texts: string[] }>([
  {
    fact: 35,
    what: 'statements that write, define, allow or call',
    texts: [
      'insert into my_table (a) values (1)',
      'update my_table set a = 1 where true',
      'delete from my_table where true',
      'truncate table my_table',
      'merge my_table t using other_table o on t.a = o.a when matched then delete',
      'drop table my_table',
      'create table x as select a from my_table',
      'alter table my_table add column z int64',
      'grant select on my_table to "somebody"',
      'call my_procedure()',
      "execute immediate 'select 1'",
      'set x = 1',
    ],
  },
  { fact: 36, what: 'a question about policies', texts: ['show policies on "programs"'] },
  {
    fact: 38,
    what: 'statements that neither write nor select',
    texts: ['show tables', 'explain select 1', 'begin', "unload (select 1) to 's3://x'"],
  },
])('$fact refused by their first words: $what', ({ texts }) => {
  expectNoSelect(
    bench,
    texts.map((sql) => [sql]),
  );
});

test('40 refused: the function that asks another database, as a value and as a table', () => {
  const asValue = "select EXTERNAL_QUERY('', '')";
  const asTable = "select x from external_query('a', 'b')";

  expectRefusal(bench, [[asValue]], {
    code: 'sql_unknown_function',
    says: 'Restricted function external_query',
  });
  expectRefusal(bench, [[asTable]], { code: 'sql_unsupported', says: 'external_query' });
});

function requestOf(id: string, project: string) {
  const path = '/rest/v1/a';
  const request = { path, url: `https://${project}.example.com${path}` };
  return { id, timestamp: at(0), project, metadata: { request } };
}

describe('the shipped endpoints', () => {
  const requests = [requestOf('r1', 'shop'), requestOf('r2', 'else')];
  const shipped = sqlBench(
    Object.fromEntries(
      BUILT_IN_SOURCES.map(({ name }) => [name, name === 'cloudflare.logs.prod' ? requests : []]),
    ),
  );

  test('49 are checked whole, run, and keep to the project that is asked for', async () => {
    const text = (value: string) => ({ type: 'string', value }) as const;
    const parameters = { project: text('shop'), interval: text('daily') };
    const [logs = [], usage = []] = await Promise.all(
      BUILT_IN_ENDPOINTS.map(({ query }) => shipped.rows(query, { parameters, checkAll: true })),
    );

    expect(logs).toMatchObject([{ id: 'r1' }]);
    expect(usage).toMatchObject([{ total_rest_requests: 1 }]);
  });
});
