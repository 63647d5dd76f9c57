import { test } from 'vitest';
import { BUILT_IN_ENDPOINTS, BUILT_IN_SOURCES } from '../../src/bootstrap/built-in-endpoints.ts';
import { sqlBench } from '../sql/support.ts';
import { ENDPOINT, EVENTS, expectNoSelect, expectRefusal } from './fixtures.ts';

const bench = sqlBench({
  ...EVENTS,
  ...Object.fromEntries(BUILT_IN_SOURCES.map(({ name }) => [name, []])),
});

const logsAll = BUILT_IN_ENDPOINTS.find(({ name }) => name === 'logs.all')?.query ?? '';

const overEndpoint = (texts: readonly string[]) =>
  texts.map((consumerSql) => [ENDPOINT, { consumerSql }] as const);

test.each<{ fact: number; what: string; texts: string[]; table: string }>([
  {
    fact: 58,
    what: 'a source',
    texts: ['select a from my_table'],
    table: 'my_table',
  },
  {
    fact: 59,
    what: 'a source in a subquery',
    texts: ['select c from (select a from my_table) as sub'],
    table: 'my_table',
  },
  {
    fact: 60,
    what: 'a source in a condition, in a value, in an arm of a UNION',
    texts: [
      'select c from src where a in (select a from my_table)',
      'select c from src where exists (select 1 from my_table)',
      'select (select max(a) from my_table) as a from src',
      'select c from src union all select c from my_table',
    ],
    table: 'my_table',
  },
  {
    fact: 61,
    what: 'a source behind a comma',
    texts: ['select c from src, other_table'],
    table: 'other_table',
  },
  {
    fact: 62,
    what: 'a joined source',
    texts: ['select c from src join other_table on true'],
    table: 'other_table',
  },
  {
    fact: 63,
    what: 'a joined source in parentheses',
    texts: ['select src.a from (src join my_table on true)'],
    table: 'my_table',
  },
  {
    fact: 64,
    what: 'a source, by a table of its own with the same name',
    texts: ['with my_table as (select a from my_table) select a from my_table'],
    table: 'my_table',
  },
  {
    fact: 65,
    what: 'a source, by a table of its own with another name',
    texts: ['with x as (select a from my_table) select a from x'],
    table: 'my_table',
  },
  {
    fact: 67,
    what: 'a table of the endpoint in another case',
    texts: ['select c from SRC'],
    table: 'SRC',
  },
])('$fact a consumer cannot reach $what', ({ texts, table }) => {
  expectRefusal(bench, overEndpoint(texts), {
    code: 'sql_unknown_table',
    says: `Table not found in CTE: (${table})`,
  });
});

test('69 a consumer of logs.all cannot reach the sources behind its tables', () => {
  const consumerSql = 'select id from `cloudflare.logs.prod`';

  expectRefusal(bench, [[logsAll, { consumerSql }]], {
    code: 'sql_unknown_table',
    says: 'Table not found in CTE: (cloudflare, logs, prod)',
  });
});

test.each<{ fact: number; what: string; texts: string[]; code: string; says: string | RegExp }>([
  {
    fact: 70,
    what: 'call a restricted function',
    texts: ['select session_user() from src', "select external_query('', '')"],
    code: 'sql_unknown_function',
    says: /Restricted function (session_user|external_query)/,
  },
  {
    fact: 73,
    what: 'send two statements',
    texts: ['select a from src; select c from src;'],
    code: 'sql_multiple_statements',
    says: 'one statement',
  },
  {
    fact: 74,
    what: 'select into a table',
    texts: ['select a from src into src'],
    code: 'sql_syntax',
    says: "Expected the end of the statement but found 'into'",
  },
])('$fact a consumer cannot $what', ({ texts, code, says }) => {
  expectRefusal(bench, overEndpoint(texts), { code, says });
});

test.each<{ fact: number; what: string; texts: string[] }>([
  { fact: 71, what: 'write or drop', texts: ['update a set x = 2', 'drop table a'] },
  {
    fact: 72,
    what: 'show, explain, begin or declare',
    texts: ['show tables', 'explain select c from src', 'begin', 'declare x int64'],
  },
])('$fact a consumer cannot $what', ({ texts }) => {
  expectNoSelect(bench, overEndpoint(texts));
});
