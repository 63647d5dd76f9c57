import { describe, expect, test } from 'vitest';
import { ALERTS_SOURCE } from '../../src/alerts/history/alert-event.ts';
import { BUILT_IN_ENDPOINTS, BUILT_IN_SOURCES } from '../../src/bootstrap/built-in-endpoints.ts';
import { QUERY_LOG_SOURCE } from '../../src/query/usage/query-log-record.ts';
import * as compile from '../../src/sql/compile.ts';
import { describe as describeQuery } from '../../src/sql/describe.ts';
import {
  cacheTable,
  freshEndpoint,
  ScriptedEngine,
  source,
  startProcessWith,
  TestTime,
} from './support.ts';

const table = cacheTable();
const compiler = { ...compile, describe: describeQuery };

const SOURCES = BUILT_IN_SOURCES.map(({ name }, index) => source(`token-${index}`, name));
/** What the service writes of itself is no log of a product. */
const OWN_SOURCES = [QUERY_LOG_SOURCE, ALERTS_SOURCE];
const LOGS_ALL = BUILT_IN_ENDPOINTS.find(({ name }) => name === 'logs.all');

/** A process that compiles for real and answers every column with null. */
function start(sources = SOURCES) {
  const engine = new ScriptedEngine();
  engine.answerWith(async (_run, { width }) => [Array(width).fill(null)]);
  return startProcessWith(compiler, table, new TestTime(), engine, sources);
}

describe('EndpointRunner with the SQL compiler', () => {
  test('maps every source behind a CTE, whether or not the own query reaches it', async () => {
    const { runner } = start();
    const { source_mapping } = await runner.checkQuery({ ...freshEndpoint(), ...LOGS_ALL });
    expect(source_mapping).toEqual(
      Object.fromEntries(
        SOURCES.filter(({ name }) => !OWN_SOURCES.includes(name)).map(({ name, token }) => [
          name,
          token,
        ]),
      ),
    );
  });

  test('runs a consumer query after all sources were renamed', async () => {
    const { source_mapping } = await start().runner.checkQuery({ ...freshEndpoint(), ...LOGS_ALL });
    const renamed = SOURCES.map((known, index) => ({ ...known, name: `renamed.${index}` }));
    const { runner, engine } = start(renamed);
    const of = freshEndpoint({ ...LOGS_ALL, source_mapping });
    const input = { project: 'p', sql: 'select id, metadata from auth_logs' };
    const answer = await runner.run(of, { input, redact: false });
    expect(answer.rows).toEqual([{ id: null, metadata: null }]);
    expect(engine.queries[0]?.text).toContain(source_mapping['gotrue.logs.prod']);
  });

  test.each([
    ['-- nothing', 'sql_empty'],
    ['select id from `cloudflare.logs.prod`', 'sql_unknown_table'],
    ['select', 'sql_syntax'],
  ])('refuses the consumer query %j with %s', async (sql, code) => {
    const { runner, engine } = start();
    const input = { project: 'p', sql };
    const answer = runner.run(freshEndpoint(LOGS_ALL), { input, redact: false });
    await expect(answer).rejects.toMatchObject({ code, status: 400 });
    expect(engine.queries).toEqual([]);
  });
});
