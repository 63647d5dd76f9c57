import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { LOCAL_TABLES } from '../../../../src/local/dynalite/dynamodb.ts';
import { ServiceError } from '../../../../src/platform/errors.ts';
import { SqlError } from '../../../../src/sql/common/sql-error.ts';
import { endpointManagement } from './endpoints-support.ts';
import { invalid, NO_CONTENT, PARSED } from './support.ts';

const { management, call, create, show } = endpointManagement();

describe('changing an endpoint', () => {
  test('by PUT answers with the endpoint, and leaves alone what was not sent', async () => {
    const endpoint = await create({ sandboxable: true });

    const answer = await call('PUT', `/api/endpoints/${endpoint.token}`, { description: 'new' });

    expect(answer).toEqual({
      status: 200,
      body: {
        ...endpoint,
        description: 'new',
        updated_at: expect.not.stringMatching(String(endpoint.updated_at)),
        warnings: [],
      },
    });
  });

  test('by PATCH answers without a body', async () => {
    const endpoint = await create();

    const answer = await call('PATCH', `/api/endpoints/${endpoint.token}`, { max_limit: 5 });

    expect(answer).toEqual(NO_CONTENT);
    expect(await show(endpoint.token)).toMatchObject({ max_limit: 5 });
  });

  test('to an unknown source is refused, and no new version comes of it', async () => {
    const endpoint = await create();
    management().answerChecks(async () => {
      throw new SqlError('sql_unknown_table', 'There is no source unknown.');
    });

    const answer = await call('PUT', `/api/endpoints/${endpoint.token}`, {
      query: 'select b from unknown',
    });

    expect(answer).toEqual(invalid({ query: ['There is no source unknown.'] }));
    expect(await show(endpoint.token)).toEqual(endpoint);
  });

  test.each([
    { query: 'select 2' },
    { parameters: [{ name: 'p' }] },
    { sandboxable: true },
    { max_limit: 5 },
  ])('by %j has the whole query checked', async (change) => {
    const endpoint = await create();
    management().answerChecks(async () => ({ source_mapping: { web: 'w' }, warnings: ['hm'] }));

    const { body } = await call('PUT', `/api/endpoints/${endpoint.token}`, change);

    expect(management().checked).toHaveLength(1);
    expect(body).toMatchObject({ source_mapping: { web: 'w' }, warnings: ['hm'] });
  });

  test.each([
    { name: `renamed-${randomUUID()}` },
    { description: 'other' },
    { redact_pii: true },
    { cache_duration_seconds: 60 },
    {},
  ])('by %j does not, since its sources may have other names by now', async (change) => {
    const mapping = { 'old name': randomUUID() };
    management().answerChecks(async () => ({ source_mapping: mapping, warnings: [] }));
    const { id, token, inserted_at, updated_at, ...endpoint } = await create();
    await call('POST', '/api/sources', {
      name: `s-${mapping['old name']}`,
      token: mapping['old name'],
    });

    await call('PUT', `/api/endpoints/${token}`, { ...endpoint, ...change });

    expect(management().checked).toMatchObject([{ source_mapping: mapping }]);
    expect(await show(token)).toMatchObject({ source_mapping: mapping });
  });

  test('keeps the parsed form up to date, also where its text stays as it is', async () => {
    const endpoint = await create();
    const parsed = { ...PARSED, columns: [{ name: 'status', type: 'INT64' }] };
    management().answerChecks(async () => ({ source_mapping: {}, warnings: [], parsed }));

    const { body } = await call('PUT', `/api/endpoints/${endpoint.token}`, {});

    expect(endpoint.parsed).toEqual(PARSED);
    expect(body).toMatchObject({ parsed, version: endpoint.version });
    expect(await show(endpoint.token)).toMatchObject({ parsed });
  });

  test.each([
    new SqlError('sql_unknown_table', 'There is no source unknown.'),
    new ServiceError('source_deleted', 400, 'The endpoint reads a source that has been deleted.'),
  ])('leaves the parsed form as it was when the text cannot be compiled now: %s', async (error) => {
    const endpoint = await create();
    management().answerChecks(async () => {
      throw error;
    });

    const answer = await call('PUT', `/api/endpoints/${endpoint.token}`, { description: 'new' });

    expect(answer).toMatchObject({ status: 200, body: { description: 'new', parsed: PARSED } });
  });

  test('gives one to a query that was saved before there was any', async () => {
    const { token } = await create();
    const { client } = management().database;
    const Key = { pk: 'endpoint', sk: token };
    const UpdateExpression = 'REMOVE parsed';
    await client.send(
      new UpdateCommand({ TableName: LOCAL_TABLES.registry, Key, UpdateExpression }),
    );

    const before = await show(token);
    await call('PATCH', `/api/endpoints/${token}`, {});

    expect([before.parsed, (await show(token)).parsed]).toEqual([null, PARSED]);
  });

  test('by the same query finds its sources anew when one was deleted', async () => {
    const gone = randomUUID();
    management().answerChecks(async () => ({ source_mapping: { web: gone }, warnings: [] }));
    const endpoint = await create();
    const recreated = randomUUID();
    management().answerChecks(async () => ({ source_mapping: { web: recreated }, warnings: [] }));

    const { body } = await call('PUT', `/api/endpoints/${endpoint.token}`, {
      query: endpoint.query,
    });

    expect(body).toMatchObject({ source_mapping: { web: recreated }, version: 2 });
  });

  test.each([
    { query: 'select 2' },
    { parameters: [{ name: 'p' }] },
    { sandboxable: true },
    { cache_duration_seconds: 60 },
    { proactive_requerying_seconds: 60 },
    { max_limit: 5 },
    { enable_auth: false },
    { labels: 'team=b' },
    { nested_records: 'array' },
    { allow_wildcards: false },
    { allow_whole_rows: true },
  ])('by %j makes a new version, once', async (change) => {
    const endpoint = await create();

    const first = await call('PUT', `/api/endpoints/${endpoint.token}`, change);
    const again = await call('PUT', `/api/endpoints/${endpoint.token}`, change);

    expect([first.body.version, again.body.version]).toEqual([2, 2]);
  });

  test.each([
    { name: `renamed-${randomUUID()}` },
    { description: 'other' },
    { redact_pii: true },
    { language: 'bq_sql' },
  ])('by %j keeps the version', async (change) => {
    const endpoint = await create();

    const { body } = await call('PUT', `/api/endpoints/${endpoint.token}`, change);

    expect(body).toMatchObject({ ...change, version: 1 });
  });

  test('at the same time as another writer never gives two queries one version', async () => {
    const endpoint = await create();
    const path = `/api/endpoints/${endpoint.token}`;

    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => call('PUT', path, { query: `select ${index}` })),
    );

    const saved = answers.filter(({ status }) => status === 200);
    expect(saved).not.toEqual([]);
    expect(new Set(saved.map(({ body }) => body.version)).size).toBe(saved.length);
    for (const { status, body } of answers) {
      if (status !== 200)
        expect({ status, code: body.code }).toEqual({ status: 409, code: 'conflict' });
    }
  });

  test('to null is back to the default', async () => {
    const endpoint = await create({ max_limit: 5, enable_auth: false, description: 'x' });

    const { body } = await call('PUT', `/api/endpoints/${endpoint.token}`, {
      max_limit: null,
      enable_auth: null,
      description: null,
    });

    expect(body).toMatchObject({ max_limit: 1000, enable_auth: true, description: null });
  });

  test.each([
    [{ name: null }, { name: ["can't be blank"] }],
    [{ query: '' }, { query: ["can't be blank"] }],
    [{ max_limit: 0 }, { max_limit: ['must be greater than %{number}'] }],
  ])('to %j is refused', async (change, errors) => {
    const endpoint = await create();

    expect(await call('PATCH', `/api/endpoints/${endpoint.token}`, change)).toEqual(
      invalid(errors),
    );
  });
});
