import { beforeAll, describe, expect, test } from 'vitest';
import { edgeRequest } from '../support/events.ts';
import { shared, startService } from '../support/server.ts';

const service = shared(startService);

const SECRET = 'a line that only the owner of app-secrets may read';

beforeAll(async () => {
  const { sluice } = service();
  await sluice.createSource('app-secrets');
  await sluice.send('app-secrets', { message: SECRET });
  await sluice.send('cloudflare.logs.prod', edgeRequest({ project: 'shop' }));
});

describe('a query of a consumer is refused', () => {
  test.each([
    {
      what: 'when it reads a source',
      sql: 'select event_message from `app-secrets`',
      code: 'sql_unknown_table',
      says: /app-secrets/,
    },
    {
      what: 'when it joins a source',
      sql: 'select s.event_message from edge_logs join `app-secrets` as s on true',
      code: 'sql_unknown_table',
      says: /app-secrets/,
    },
    {
      what: 'when its own table is called like a source and reads that source',
      sql: 'with `app-secrets` as (select * from `app-secrets`) select * from `app-secrets`',
      code: 'sql_unknown_table',
      says: /app-secrets/,
    },
    {
      what: 'when it reads a source below a condition',
      sql: 'select id from edge_logs where exists (select 1 from (select 1 from `app-secrets`))',
      code: 'sql_unknown_table',
      says: /app-secrets/,
    },
    {
      what: 'when it reads the table behind all sources',
      sql: 'select * from log_events',
      code: 'sql_unknown_table',
      says: /log_events/,
    },
    {
      what: "when it reads the engine's catalogue",
      sql: 'select * from information_schema.tables',
      code: 'sql_unknown_table',
      says: /information_schema/,
    },
    {
      what: 'when it wants every column of a shipped endpoint',
      sql: 'select * from edge_logs',
      code: 'sql_wildcard',
      says: /by name, here timestamp, id, event_message/,
    },
    {
      what: 'when it has a second statement',
      sql: 'select id from edge_logs; select id from edge_logs',
      code: 'sql_multiple_statements',
      says: /one statement/,
    },
    {
      what: 'when its second statement drops a table',
      sql: 'select id from edge_logs; drop table log_events',
      code: 'sql_multiple_statements',
      says: /one statement/,
    },
    {
      what: 'when it creates a table',
      sql: 'create table copies as select id from edge_logs',
      code: 'sql_not_select',
      says: /CREATE/,
    },
    {
      what: 'when it drops a table',
      sql: 'drop table edge_logs',
      code: 'sql_not_select',
      says: /DROP/,
    },
    {
      what: 'when it deletes rows',
      sql: 'delete from edge_logs where true',
      code: 'sql_not_select',
      says: /DELETE/,
    },
    {
      what: 'when it writes a file',
      sql: "copy (select id from edge_logs) to 'rows.csv'",
      code: 'sql_not_select',
      says: /COPY/,
    },
    {
      what: 'when it changes a setting of the engine',
      sql: "set memory_limit = '1GB'",
      code: 'sql_not_select',
      says: /SET/,
    },
    {
      what: 'when it reads a file by a table function',
      sql: "select * from read_csv('/etc/hostname')",
      code: 'sql_unsupported',
      says: /read_csv/,
    },
    {
      what: 'when it reads a file by a string',
      sql: "select * from '/etc/hostname'",
      code: 'sql_syntax',
      says: /table/i,
    },
    {
      what: 'when it reads a file by a function',
      sql: "select read_text('/etc/hostname')",
      code: 'sql_unknown_function',
      says: /read_text/,
    },
    {
      what: 'when it names a column that the table lacks',
      sql: 'select response_time from edge_logs',
      code: 'sql_unknown_column',
      says: /"response_time"/,
    },
    {
      what: 'when it is no SQL',
      sql: 'show me the errors',
      code: 'sql_not_select',
      says: /SHOW/i,
    },
    {
      what: 'when it breaks off',
      sql: 'select id from edge_logs where',
      code: 'sql_syntax',
      says: /line 1, column 31/,
    },
    { what: 'when it is blank', sql: ' ', code: 'sql_empty', says: /empty/ },
    {
      what: 'when it uses a parameter that the endpoint does not have',
      sql: 'select @tenant as tenant from edge_logs',
      code: 'unknown_parameter',
      says: /@tenant/,
    },
  ])('$what', async ({ sql, code, says }) => {
    const { sluice } = service();

    const answer = await sluice.query('logs.all', { project: 'shop', sql });

    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(says), code },
    });
    expect(answer.text).not.toMatch(/duckdb|binder|parser error|catalog error|sqlstate/i);
    expect(answer.text).not.toContain(SECRET);
  });
});

describe('a call is refused', () => {
  test.each([
    {
      what: 'without a required parameter',
      endpoint: 'logs.all',
      parameters: {},
      code: 'missing_parameter',
      says: /"project" is missing/,
    },
    {
      what: 'with an empty required parameter',
      endpoint: 'logs.all',
      parameters: { project: '' },
      code: 'missing_parameter',
      says: /"project" is missing/,
    },
    {
      what: 'with a value that is not allowed',
      endpoint: 'usage.api-counts',
      parameters: { project: 'shop', interval: 'weekly' },
      code: 'invalid_parameter',
      says: /"interval" must be one of hourly, daily, minutely/,
    },
    {
      what: 'with a bound that is no time',
      endpoint: 'logs.all',
      parameters: { project: 'shop', iso_timestamp_start: 'yesterday' },
      code: 'sql_type',
      says: /The parameter @iso_timestamp_start: 'yesterday' cannot be read as TIMESTAMP/,
    },
    {
      what: 'with a pattern that is none',
      endpoint: 'usage.api-counts',
      parameters: { project: 'shop(', interval: 'hourly' },
      code: 'sql_type',
      says: /The parameter @project: REGEXP_CONTAINS: .*\(/,
    },
    {
      what: 'with a pattern that RE2 does not know',
      endpoint: 'usage.api-counts',
      parameters: { project: '(?=shop)', interval: 'daily' },
      code: 'sql_type',
      says: /The parameter @project: REGEXP_CONTAINS: the pattern is wrong .* RE2 cannot look ahead/,
    },
  ])('$what', async ({ endpoint, parameters, code, says }) => {
    const { sluice } = service();

    const answer = await sluice.query(endpoint, parameters);

    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(says), code },
    });
  });
});

describe('an endpoint is not saved', () => {
  test.each([
    {
      what: 'that reads a source which does not exist',
      query: 'select id from `no.such-source`',
      says: /can't find source no.such-source/,
    },
    {
      what: 'that reads such a source in a table which its query leaves out',
      query: 'with unused as (select id from nowhere) select 1 as one',
      says: /can't find source nowhere/,
    },
    { what: 'that does not parse', query: 'select id frm t', says: /line 1, column 15/ },
    { what: 'that drops a table', query: 'drop table `app-secrets`', says: /DROP/ },
    {
      what: 'that calls a function which does not exist',
      query: 'select current_setting(id) as x from `app-secrets`',
      says: /current_setting/,
    },
    {
      what: 'that names a column which its table lacks',
      query: 'with t as (select id from `app-secrets`) select message from t',
      says: /"message"/,
    },
  ])('$what', async ({ query, says }) => {
    const { sluice } = service();

    const answer = await sluice.post('/api/endpoints', { name: 'broken', query });
    const endpoints = await sluice.call('/api/endpoints');

    expect(answer).toMatchObject({
      status: 422,
      body: { errors: { query: [expect.stringMatching(says)] } },
    });
    expect(endpoints.text).not.toContain('broken');
  });

  test('with a name that is taken', async () => {
    const { sluice } = service();

    const answer = await sluice.post('/api/endpoints', { name: 'logs.all', query: 'select 1' });

    expect(answer).toMatchObject({
      status: 422,
      body: { errors: { name: ['has already been taken'] } },
    });
  });
});
