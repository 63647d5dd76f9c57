import { DynamoDBClient, InternalServerError } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../src/platform/errors.ts';
import { SqlError } from '../../src/sql/common/sql-error.ts';
import { cacheTable, EVENTS, freshEndpoint, source, startProcess, TestTime } from './support.ts';

const table = cacheTable();

describe('EndpointRunner.run', () => {
  test('hands the compiler what the endpoint and the lake say', async () => {
    const time = new TestTime();
    const { call, compiler } = startProcess(table, time);
    await call(freshEndpoint({ query: 'select @a from events', max_limit: 7 }), { a: 'x' });
    expect(compiler.inputs).toMatchObject([
      {
        sql: 'select @a from events',
        parameters: { a: { type: 'string', value: 'x' } },
        nowUs: time.now() * 1_000,
        target: 'duckdb',
        maxRows: 7,
        table: 'log_events',
        maxFilingDelaySeconds: 300,
      },
    ]);
    expect(compiler.inputs[0]).not.toHaveProperty('consumerSql');
    expect(compiler.inputs[0]?.catalog.source('events')?.id).toBe(EVENTS.token);
  });

  test('tells the compiler how far compaction got, each time anew', async () => {
    const read = vi.fn<() => Promise<number | undefined>>();
    const compacted = { table: '"log_events_compacted"', watermark: read };
    const lake = { table: 'log_events', maxFilingDelaySeconds: 300, compacted };
    const { call, compiler } = startProcess(table, new TestTime(), undefined, undefined, { lake });

    read.mockResolvedValueOnce(undefined).mockResolvedValueOnce(7_200_000);
    await call(freshEndpoint());
    await call(freshEndpoint());

    expect(compiler.inputs[0]).not.toHaveProperty('compacted');
    expect(compiler.inputs[1]?.compacted).toEqual({
      table: '"log_events_compacted"',
      beforeUs: 7_200_000_000,
    });
  });

  test('fails as the registry does when that cannot be read', async () => {
    const compacted = {
      table: '"log_events_compacted"',
      watermark: () => Promise.reject(new ServiceError('registry_unavailable', 503, 'Later.')),
    };
    const lake = { table: 'log_events', maxFilingDelaySeconds: 300, compacted };
    const { call, engine } = startProcess(table, new TestTime(), undefined, undefined, { lake });

    await expect(call(freshEndpoint())).rejects.toMatchObject({ code: 'registry_unavailable' });
    expect(engine.queries).toEqual([]);
  });

  test('tells what the run cost', async () => {
    const { runner } = startProcess(table, new TestTime());
    const answer = await runner.run(freshEndpoint(), { input: {}, redact: false });
    expect(answer).toEqual({
      rows: [{ n: 1 }],
      cache: 'miss',
      ageSeconds: 0,
      freshSeconds: 60,
      bytesScanned: 1_000,
      timing: { compile: 0, queue: 20, engine: 300, decode: 0 },
    });
  });

  test('costs nothing when the rows were there', async () => {
    const { runner } = startProcess(table, new TestTime());
    const of = freshEndpoint();
    await runner.run(of, { input: {}, redact: false });
    const answer = await runner.run(of, { input: {}, redact: false });
    expect(answer).toMatchObject({
      cache: 'hit',
      bytesScanned: 0,
      timing: { compile: 0, queue: 0, engine: 0 },
    });
  });

  test('runs a consumer query on a sandboxable endpoint', async () => {
    const { call, compiler } = startProcess(table, new TestTime());
    await call(freshEndpoint({ sandboxable: true }), { sql: 'select n from cte', lql: 's:n' });
    expect(compiler.inputs[0]?.consumerSql).toBe('select n from cte');
  });

  test('never looks up tables that only a consumer names', async () => {
    const secret = source('secret', 'secret');
    const { call, compiler } = startProcess(table, new TestTime(), undefined, [EVENTS, secret]);
    await call(freshEndpoint({ sandboxable: true }), { sql: 'select n from secret' });
    expect(compiler.inputs[0]?.catalog.source('secret')).toBeUndefined();
  });

  test('ignores sql and lql where the endpoint is not sandboxable', async () => {
    const { call, compiler } = startProcess(table, new TestTime());
    await call(freshEndpoint(), { sql: 'select 2', lql: 's:n' });
    expect(compiler.inputs[0]).not.toHaveProperty('consumerSql');
  });

  test.each(['', ' \n\t'])('refuses the blank consumer query %j', async (sql) => {
    const { call } = startProcess(table, new TestTime());
    const answer = call(freshEndpoint({ sandboxable: true }), { sql });
    await expect(answer).rejects.toMatchObject({ code: 'sql_empty', status: 400 });
  });

  test.each([[['select 1']], [1]])('refuses a consumer query that is %j', async (sql) => {
    const { call } = startProcess(table, new TestTime());
    const answer = call(freshEndpoint({ sandboxable: true }), { sql });
    await expect(answer).rejects.toMatchObject({ code: 'invalid_parameter', status: 400 });
  });

  test('hands LQL over as LQL, and takes an empty one for none', async () => {
    const { call, compiler } = startProcess(table, new TestTime());
    const of = freshEndpoint({ sandboxable: true });
    await call(of, { lql: 's:n' });
    await call(of, { lql: '' });
    expect(compiler.inputs[0]).toMatchObject({ consumerLql: 's:n' });
    expect(compiler.inputs[1]).not.toHaveProperty('consumerLql');
  });

  test('refuses LQL that is no text', async () => {
    const { call } = startProcess(table, new TestTime());
    const answer = call(freshEndpoint({ sandboxable: true }), { lql: ['s:n'] });
    await expect(answer).rejects.toMatchObject({ code: 'invalid_parameter', status: 400 });
  });

  test('gives a consumer query the parameters of the endpoint', async () => {
    const { call, compiler } = startProcess(table, new TestTime());
    const of = freshEndpoint({
      query: 'select @used from events',
      parameters: [{ name: 'declared', type: 'int64', required: false }],
      sandboxable: true,
    });
    await call(of, { sql: 'select @declared, @used', declared: '5', used: 'x' });
    expect(compiler.inputs[0]?.parameters).toEqual({
      declared: { type: 'int64', value: 5n },
      used: { type: 'string', value: 'x' },
    });
  });

  test('refuses a parameter that only a consumer query names', async () => {
    const { call } = startProcess(table, new TestTime());
    const of = freshEndpoint({ query: 'select @a from events', sandboxable: true });
    await expect(call(of, { sql: 'select @q', q: 'x' })).rejects.toMatchObject({
      code: 'unknown_parameter',
      status: 400,
      message: 'The query uses the parameter @q, which the endpoint does not have; it has @a.',
    });
  });

  test('keeps running when a source of its was renamed', async () => {
    const renamed = source(EVENTS.token, 'renamed');
    const { call, compiler } = startProcess(table, new TestTime(), undefined, [renamed]);
    await call(freshEndpoint({ source_mapping: { events: EVENTS.token } }));
    expect(compiler.inputs[0]?.catalog.source('events')?.id).toBe(EVENTS.token);
  });

  test('reports a source of its that was deleted', async () => {
    const { call, engine } = startProcess(table, new TestTime(), undefined, []);
    const answer = call(freshEndpoint({ source_mapping: { events: EVENTS.token } }));
    await expect(answer).rejects.toMatchObject({ code: 'source_deleted', status: 400 });
    expect(engine.queries).toEqual([]);
  });

  test('asks to come again when the cache table does not answer', async () => {
    const client = DynamoDBDocumentClient.from(
      new DynamoDBClient({
        // Nothing listens on port 1.
        endpoint: 'http://127.0.0.1:1',
        region: 'us-east-1',
        credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
        maxAttempts: 1,
      }),
    );
    const { call } = startProcess({ client, table: 'cache' }, new TestTime());
    await expect(call(freshEndpoint())).rejects.toMatchObject({
      code: 'cache_unavailable',
      status: 503,
      retryAfterSeconds: 1,
    });
  });

  describe('while the cache table takes no writes', () => {
    const readOnly = {
      table: table.table,
      client: {
        send: async (command: { readonly input: object }) => {
          if (command instanceof GetCommand || command instanceof QueryCommand) {
            return table.client.send(command as GetCommand);
          }
          throw new InternalServerError({ message: 'The disk is full.', $metadata: {} });
        },
      } as unknown as DynamoDBDocumentClient,
    };

    test('refuses a call whose rows are not kept yet', async () => {
      const { call } = startProcess(readOnly, new TestTime());
      await expect(call(freshEndpoint())).rejects.toMatchObject({ code: 'cache_unavailable' });
    });

    test('runs it where the process is the only one', async () => {
      const alone = { runsWithoutCache: true };
      const { call } = startProcess(readOnly, new TestTime(), undefined, [EVENTS], alone);
      const called = freshEndpoint();
      expect(await call(called)).toMatchObject({ n: 1, cache: 'off' });
      expect(await call(called)).toMatchObject({ n: 2, cache: 'off' });
    });

    test('answers from the rows that it has', async () => {
      const called = freshEndpoint();
      await startProcess(table, new TestTime()).call(called);
      const { call, engine } = startProcess(readOnly, new TestTime());
      expect(await call(called)).toMatchObject({ cache: 'hit' });
      expect(engine.queries).toEqual([]);
    });
  });

  test('gives every run a token of its own, of a length that Athena takes', async () => {
    const time = new TestTime();
    const { call, engine } = startProcess(table, time);
    const of = freshEndpoint({ cache_duration_seconds: 0 });
    await call(of);
    time.advance(1);
    await call(of);
    const [first, second] = engine.queries.map(({ token }) => token);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(second).not.toBe(first);
  });

  test('lets the engine go on for ten minutes', async () => {
    const { call, engine } = startProcess(table, new TestTime());
    await call(freshEndpoint());
    expect(engine.queries[0]?.keepMs).toBe(600_000);
  });
});

describe('EndpointRunner.checkQuery', () => {
  const draft = {
    query: 'select @n from events',
    parameters: [{ name: 'n', type: 'int64', required: true, enum: [3, 4] } as const],
    sandboxable: false,
    max_limit: 50,
  };

  test('compiles without running and names the sources', async () => {
    const { runner, engine, compiler } = startProcess(table, new TestTime());
    expect(await runner.checkQuery(draft)).toEqual({
      source_mapping: { events: EVENTS.token },
      warnings: [],
      parsed: {
        parameters: draft.parameters,
        sources: [{ name: 'events', token: EVENTS.token }],
        endpoints: [],
        columns: [{ name: 'n', type: 'INT64' }],
        tables: [],
        truncated: false,
      },
    });
    expect(compiler.inputs).toMatchObject([
      {
        sql: draft.query,
        parameters: { n: { type: 'int64', value: 3n } },
        maxRows: 50,
        checkAll: true,
      },
    ]);
    expect(engine.queries).toEqual([]);
  });

  test('passes on what the compiler has to say', async () => {
    const { runner, compiler } = startProcess(table, new TestTime());
    compiler.compile = () => ({
      text: '',
      columns: [],
      warnings: ['no field x'],
      scans: [],
      sources: ['cte'],
    });
    expect(await runner.checkQuery(draft)).toMatchObject({
      source_mapping: {},
      warnings: ['no field x'],
    });
    compiler.compile = () => {
      throw new SqlError('sql_unknown_table', 'There is no table "events".');
    };
    await expect(runner.checkQuery(draft)).rejects.toThrow('There is no table "events".');
  });
});
