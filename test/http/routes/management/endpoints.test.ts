import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../../src/platform/errors.ts';
import { SqlError } from '../../../../src/sql/common/sql-error.ts';
import { endpointManagement } from './endpoints-support.ts';
import { invalid, NO_CONTENT, NOT_FOUND, PARSED, type Shown, UUID } from './support.ts';

const { management, call, create, show } = endpointManagement();

describe('creating an endpoint', () => {
  test('fills in the defaults', async () => {
    const answer = await call('POST', '/api/endpoints', { name: 'my.logs', query: 'select 1' });

    expect(answer).toEqual({
      status: 201,
      body: {
        id: answer.body.token,
        token: expect.stringMatching(UUID),
        name: 'my.logs',
        description: null,
        query: 'select 1',
        language: 'bq_sql',
        parameters: [],
        source_mapping: {},
        parsed: PARSED,
        sandboxable: false,
        allow_wildcards: true,
        allow_whole_rows: null,
        cache_duration_seconds: 3600,
        proactive_requerying_seconds: 1800,
        max_limit: 1000,
        enable_auth: true,
        redact_pii: false,
        nested_records: 'object',
        labels: null,
        version: 1,
        inserted_at: '2026-01-02T03:04:05.678Z',
        updated_at: '2026-01-02T03:04:05.678Z',
        warnings: [],
      },
    });
  });

  test('keeps what was sent', async () => {
    const fields = {
      description: 'all logs',
      language: 'bq_sql',
      parameters: [{ name: 'project', type: 'string', required: true }],
      sandboxable: true,
      allow_wildcards: false,
      allow_whole_rows: true,
      cache_duration_seconds: 0,
      proactive_requerying_seconds: 0,
      max_limit: 10_000,
      enable_auth: false,
      redact_pii: true,
      nested_records: 'array',
      labels: 'team=a',
    };

    const endpoint = await create(fields);

    expect(endpoint).toMatchObject(fields);
    expect(await show(endpoint.token)).toEqual(endpoint);
  });

  test('takes null for the default', async () => {
    const endpoint = await create({
      sandboxable: null,
      max_limit: null,
      labels: null,
      token: null,
    });

    expect(endpoint).toMatchObject({ sandboxable: false, max_limit: 1000, labels: null });
  });

  test('has the query checked, and shows the sources it reads and the warnings', async () => {
    const mapping = { 'web.logs': randomUUID() };
    management().answerChecks(async () => ({
      source_mapping: mapping,
      warnings: ['no such field'],
    }));
    const draft = {
      query: 'select a from `web.logs`',
      parameters: [{ name: 'p', type: 'int64', required: false, default: 5 }],
      sandboxable: true,
      max_limit: 7,
    };

    const answer = await call('POST', '/api/endpoints', { name: 'checked', ...draft });

    expect(management().checked).toEqual([draft]);
    expect(answer.body).toMatchObject({ source_mapping: mapping, warnings: ['no such field'] });
    expect(await show(answer.body.token)).toMatchObject({ source_mapping: mapping });
  });

  test('with a query that cannot be compiled is refused, and nothing is saved', async () => {
    management().answerChecks(async () => {
      throw new SqlError('sql_unknown_table', 'There is no source x', { line: 1, column: 15 });
    });

    const answer = await call('POST', '/api/endpoints', { name: 'bad', query: 'select 1 from x' });

    expect(answer).toEqual(invalid({ query: ['There is no source x (line 1, column 15)'] }));
    expect(await management().registry.endpointByName('bad')).toBeUndefined();
  });

  test('reports other failures of the check as what they are', async () => {
    management().answerChecks(async () => {
      throw new ServiceError('registry_unavailable', 503, 'Try again.', { retryAfterSeconds: 1 });
    });

    const answer = await call('POST', '/api/endpoints', { name: 'later', query: 'select 1' });

    expect(answer).toMatchObject({ status: 503, body: { code: 'registry_unavailable' } });
  });

  test('takes the token that the client brings along', async () => {
    const token = randomUUID();

    expect((await create({ token })).token).toBe(token);
    expect(await call('POST', '/api/endpoints', { name: 'second', query: 'q', token })).toEqual(
      invalid({ token: ['has already been taken'] }),
    );
  });

  test('under the token of a deleted one starts at a version that it never had', async () => {
    const token = randomUUID();
    const before = await create({ token });
    await call('DELETE', `/api/endpoints/${token}`);
    management().database.clock.advance(1);

    const after = await create({ token });

    expect(Number(after.version)).toBeGreaterThan(Number(before.version));
  });

  test('refuses a name that is taken', async () => {
    const { name } = await create();

    expect(await call('POST', '/api/endpoints', { name, query: 'select 1' })).toEqual(
      invalid({ name: ['has already been taken'] }),
    );
  });

  test('refuses a backend, since there are none', async () => {
    const draft = { name: 'backend', query: 'select 1', backend_id: 1 };

    expect(await call('POST', '/api/endpoints', draft)).toEqual(NOT_FOUND);
  });

  test.each(['.', '..', 'a/b', '/', 'a\\b', 'a%2Fb', '%41'])(
    'refuses the name %j, which no URL carries',
    async (name) => {
      const { body } = await call('POST', '/api/endpoints', { name, query: 'select 1' });

      expect(body).toEqual({
        errors: { name: [expect.stringContaining('cannot be part of a URL')] },
      });
    },
  );

  test.each([
    [{}, { name: ["can't be blank"], query: ["can't be blank"] }],
    [{ name: 123 }, { name: ['is invalid'], query: ["can't be blank"] }],
    [{ name: 'x', query: ' \n ' }, { query: ["can't be blank"] }],
    [{ name: 'x', query: ['q'] }, { query: ['is invalid'] }],
  ])('from %j is refused', async (body, errors) => {
    expect(await call('POST', '/api/endpoints', body)).toEqual(invalid(errors));
  });

  test.each([
    [{ name: randomUUID() }, { name: ['is invalid'] }],
    [{ query: 'x'.repeat(262_145) }, { query: ['should be at most %{count} character(s)'] }],
    [{ sandboxabel: true }, { sandboxabel: ['is not a known field; did you mean sandboxable?'] }],
    [{ colour: 'red' }, { colour: ['is not a known field'] }],
    [{ language: 'pg_sql' }, { language: ['is invalid'] }],
    [{ sandboxable: 'yes' }, { sandboxable: ['is invalid'] }],
    [{ enable_auth: 1 }, { enable_auth: ['is invalid'] }],
    [{ max_limit: 0 }, { max_limit: ['must be greater than %{number}'] }],
    [{ max_limit: 10_001 }, { max_limit: ['must be less than %{number}'] }],
    [{ max_limit: 1.5 }, { max_limit: ['is invalid'] }],
    [{ max_limit: '10' }, { max_limit: ['is invalid'] }],
    [
      { cache_duration_seconds: -1 },
      { cache_duration_seconds: ['must be greater than or equal to %{number}'] },
    ],
    [
      { proactive_requerying_seconds: 1e9 },
      { proactive_requerying_seconds: ['must be less than or equal to %{number}'] },
    ],
    [{ nested_records: 'list' }, { nested_records: ['is invalid'] }],
    [{ labels: {} }, { labels: ['is invalid'] }],
  ])('with fields such as %j is refused', async (fields, errors) => {
    const body = { name: 'fine', query: 'select 1', ...fields };

    expect(await call('POST', '/api/endpoints', body)).toEqual(invalid(errors));
    expect(management().checked).toEqual([]);
  });
});

test('all endpoints are listed by name', async () => {
  const second = await create({ name: 'zz-2' });
  const first = await create({ name: 'zz-1' });

  const { body } = await call<Shown[]>('GET', '/api/endpoints');

  expect(body.filter(({ name }) => name.startsWith('zz-'))).toEqual([first, second]);
});

test('a deleted endpoint is gone', async () => {
  const { token } = await create();

  expect(await call('DELETE', `/api/endpoints/${token}`)).toEqual(NO_CONTENT);

  expect(await call('GET', `/api/endpoints/${token}`)).toEqual(NOT_FOUND);
  expect(await call('DELETE', `/api/endpoints/${token}`)).toEqual(NOT_FOUND);
});
