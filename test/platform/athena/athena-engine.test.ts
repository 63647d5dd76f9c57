import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AthenaEngine, type AthenaEngineDeps } from '../../../src/platform/athena/athena-engine.ts';
import { LEAK, queryEngineContract } from '../../ports/query-engine.contract.ts';
import { TestClock } from '../../support/aws/clock.ts';
import { networkError, serviceError } from '../../support/aws/failures.ts';
import { FakeAthena, type Plan } from '../../support/aws/fake-athena.ts';
import { LogRecorder } from '../../support/aws/log.ts';

type Statement = Parameters<AthenaEngine['run']>[0];

const TOKEN = 'a'.repeat(64);

function setUp(
  plan: Plan | readonly Plan[] | ((text: string) => Plan) = {},
  options: Partial<AthenaEngineDeps> = {},
): {
  clock: TestClock;
  athena: FakeAthena;
  logger: LogRecorder;
  engine: AthenaEngine;
  query: (changes?: Partial<Statement>) => Statement;
} {
  const clock = new TestClock();
  const athena = new FakeAthena(clock, plan);
  const logger = new LogRecorder();
  const engine = new AthenaEngine({
    client: athena.client,
    workGroup: 'sluice-api',
    database: 'sluice',
    clock,
    logger,
    sleep: clock.sleep,
    random: () => 0.5,
    ...options,
  });
  const deadline = clock.now() + 25_000;
  const query = (changes: Partial<Statement> = {}): Statement => ({
    text: 'SELECT 1',
    width: 1,
    token: TOKEN,
    deadline,
    ...changes,
  });
  return { clock, athena, logger, engine, query };
}

const reads = (athena: FakeAthena): number =>
  athena.calls.filter((operation) => operation === 'GetQueryResults').length;

describe('starting', () => {
  test('names work group, database and token, and asks for no reused result', async () => {
    const { athena, engine, query } = setUp();

    await engine.run(query({ text: 'SELECT 42' }));

    expect(athena.starts).toEqual([
      {
        QueryString: 'SELECT 42',
        ClientRequestToken: expect.stringMatching(/^[0-9a-f]{64}$/),
        WorkGroup: 'sluice-api',
        QueryExecutionContext: { Database: 'sluice' },
      },
    ]);
  });

  test.each([
    serviceError('TooManyRequestsException'),
    serviceError('ThrottlingException'),
    serviceError('InternalServerException', 500),
    networkError('ECONNRESET'),
  ])('waits out $name and then runs', async (failure) => {
    const { athena, clock, engine, query } = setUp({ rows: [['1']] });
    athena.fail('StartQueryExecution', failure, failure, failure);

    const { rows } = await engine.run(query());

    expect(rows).toEqual([['1']]);
    expect(clock.naps.slice(0, 3)).toEqual([100, 200, 400]);
    expect(athena.starts).toHaveLength(4);
    expect(new Set(athena.starts.map((start) => start.ClientRequestToken)).size).toBe(1);
  });

  test('finds no execution of another deployment in the same account, whose tokens Athena knows as well', async () => {
    const { athena, engine, query } = setUp();
    const other = setUp({}, { client: athena.client, workGroup: 'other-api', database: 'other' });

    await engine.run(query());
    await other.engine.run(query());

    expect(athena.executions).toBe(2);
  });

  test('gives up as throttled at the deadline', async () => {
    const { athena, clock, engine, query } = setUp();
    const { deadline } = query();
    athena.fail('StartQueryExecution', ...Array(100).fill(serviceError('ThrottlingException')));

    await expect(engine.run(query())).rejects.toMatchObject({
      code: 'engine_throttled',
      status: 503,
      retryAfterSeconds: 15,
    });

    expect(clock.now()).toBe(deadline);
    expect(athena.executions).toBe(0);
  });

  test.each(['AccessDeniedException', 'InvalidRequestException', 'UnrecognizedClientException'])(
    'fails at once on %s, keeping its text from the client',
    async (name) => {
      const { athena, clock, engine, logger, query } = setUp();
      const raw = "User arn:aws:iam::123:role/x may not see 's3://secret-bucket'";
      athena.fail('StartQueryExecution', serviceError(name, 400, raw));

      const error = await engine.run(query()).catch((thrown: Error) => thrown);

      expect(error).toMatchObject({ code: 'query_failed', status: 502 });
      expect(String(error)).not.toMatch(/arn:|s3:/);
      expect(clock.naps).toEqual([]);
      expect(logger.at('error')[0]?.fields).toMatchObject({
        call: 'StartQueryExecution',
        code: name,
        requestId: 'request-1',
      });
    },
  );

  test('starts nothing after the deadline', async () => {
    const { athena, clock, engine, query } = setUp();

    const run = engine.run(query({ deadline: clock.now() }));

    await expect(run).rejects.toMatchObject({ code: 'query_timeout', status: 504 });
    expect(athena.calls).toEqual([]);
  });

  test('accepts a text of exactly 262,144 bytes', async () => {
    const { athena, engine, query } = setUp();

    await engine.run(query({ text: 'x'.repeat(262_144) }));

    expect(athena.executions).toBe(1);
  });

  test('refuses a longer text, counted in bytes rather than characters', async () => {
    const { athena, engine, query } = setUp();

    const run = engine.run(query({ text: 'ä'.repeat(131_073) }));

    await expect(run).rejects.toMatchObject({ code: 'sql_too_large', status: 400 });
    expect(athena.calls).toEqual([]);
  });
});

describe('waiting', () => {
  test('polls through QUEUED and RUNNING, ever slower up to a second', async () => {
    const queued = Array<'QUEUED'>(8).fill('QUEUED');
    const { athena, clock, engine, query } = setUp({ before: [...queued, 'RUNNING'], rows: [] });

    await engine.run(query());

    expect(clock.naps).toEqual([100, 150, 225, 337.5, 506.25, 759.375, 1_000, 1_000, 1_000]);
    expect(athena.calls.indexOf('GetQueryResults')).toBe(athena.calls.length - 1);
  });

  test('reports what the execution cost', async () => {
    const { engine, query } = setUp({
      statistics: {
        DataScannedInBytes: 123_456,
        QueryQueueTimeInMillis: 78,
        EngineExecutionTimeInMillis: 910,
      },
    });

    const result = await engine.run(query());

    expect(result).toMatchObject({ bytesScanned: 123_456, queueMs: 78, engineMs: 910 });
  });

  test('goes on polling through throttling', async () => {
    const { athena, engine, query } = setUp({ rows: [['1']] });
    athena.fail('GetQueryExecution', serviceError('ThrottlingException'), networkError('EPIPE'));

    const { rows } = await engine.run(query());

    expect(rows).toEqual([['1']]);
  });

  test('cancels an execution that is still queued at the deadline', async () => {
    const { athena, clock, engine, query } = setUp({ before: ['QUEUED'], endless: true });
    const { deadline } = query();

    await expect(engine.run(query())).rejects.toMatchObject({ code: 'query_timeout', status: 504 });

    expect(clock.now()).toBe(deadline);
    expect(athena.stopped).toEqual(['execution-1']);
  });

  test('reports the timeout also when cancelling fails, and logs that', async () => {
    const { athena, engine, logger, query } = setUp({ before: ['RUNNING'], endless: true });
    athena.fail('StopQueryExecution', serviceError('AccessDeniedException'));

    await expect(engine.run(query())).rejects.toMatchObject({ code: 'query_timeout' });

    expect(logger.at('error')).toEqual([
      expect.objectContaining({
        message: 'athena execution not stopped',
        fields: expect.objectContaining({
          executionId: 'execution-1',
          code: 'AccessDeniedException',
        }),
      }),
    ]);
  });
});

describe('reading results', () => {
  test('drops the header of an empty result', async () => {
    const { engine, query } = setUp({ columns: ['c0'], rows: [] });

    const { rows } = await engine.run(query());

    expect(rows).toEqual([]);
  });

  test('drops the header once, and keeps a row that looks like it', async () => {
    const { engine, query } = setUp({ columns: ['c0'], rows: [['c0'], ['c0']] });

    const { rows } = await engine.run(query());

    expect(rows).toEqual([['c0'], ['c0']]);
  });

  test.each([998, 999, 1_000, 1_999, 2_500])('reads all of %i rows in order', async (count) => {
    const expected = Array.from({ length: count }, (_, n) => [String(n)]);
    const { engine, query } = setUp({ rows: expected });

    const { rows } = await engine.run(query());

    expect(rows).toEqual(expected);
  });

  test('tells NULL from an empty string, and leaves every cell as text', async () => {
    const cells = [null, '', '9007199254740993', '1.0E10', 'true'];
    const { engine, query } = setUp({ columns: ['a', 'b', 'c', 'd', 'e'], rows: [cells] });

    const { rows } = await engine.run(query({ width: 5 }));

    expect(rows).toEqual([cells]);
  });

  test('fetches a throttled page again without losing or repeating rows', async () => {
    const expected = Array.from({ length: 1_500 }, (_, n) => [String(n)]);
    const { athena, engine, query } = setUp({ rows: expected });
    athena.onCall = () => {
      if (reads(athena) === 2) {
        athena.fail('GetQueryResults', serviceError('TooManyRequestsException'));
      }
    };

    const { rows } = await engine.run(query());

    expect(rows).toEqual(expected);
    expect(reads(athena)).toBe(3);
  });

  test('stops reading at the deadline', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => [String(n)]);
    const { athena, clock, engine, query } = setUp({ rows });
    athena.onCall = (operation) => clock.advance(operation === 'GetQueryResults' ? 10_000 : 0);

    await expect(engine.run(query())).rejects.toMatchObject({ code: 'query_timeout' });

    expect(reads(athena)).toBe(3);
  });
});

describe('failed executions', () => {
  const reason =
    "INVALID_CAST_ARGUMENT: Cannot cast 'hunter2' to BIGINT. s3://acme-lake/log_events";

  test('answer a fixed sentence; the reason goes to the log without quoted values', async () => {
    const end = { State: 'FAILED', StateChangeReason: reason } as const;
    const { engine, logger, query } = setUp({ end });

    const error = await engine.run(query()).catch((thrown: Error) => thrown);

    expect(error).toMatchObject({ code: 'query_data_error', status: 400 });
    expect(String(error)).not.toMatch(/hunter2|s3:|INVALID_CAST/);
    expect(logger.at('warn')[0]?.fields).toMatchObject({
      executionId: 'execution-1',
      state: 'FAILED',
      reason: expect.stringContaining('INVALID_CAST_ARGUMENT'),
    });
    expect(logger.text).not.toContain('hunter2');
  });

  test('log no more than 500 characters of the reason', async () => {
    const end = { State: 'FAILED', StateChangeReason: 'x'.repeat(10_000) } as const;
    const { engine, logger, query } = setUp({ end });

    await expect(engine.run(query())).rejects.toMatchObject({ code: 'query_failed' });

    expect(logger.at('error')[0]?.fields.reason).toBe('x'.repeat(500));
  });

  test.each(['CANCELLED', 'FAILED'] as const)(
    'that ran into the scan limit (%s) tell the caller to narrow the time range',
    async (state) => {
      const end = { State: state, StateChangeReason: 'Bytes scanned limit was exceeded' };
      const { engine, logger, query } = setUp({ end });

      await expect(engine.run(query())).rejects.toMatchObject({
        code: 'scan_limit_exceeded',
        status: 400,
        message: expect.stringMatching(/time range/i),
      });
      expect(logger.lines.map(({ level }) => level)).toEqual(['warn']);
    },
  );

  test.each([
    'STACK_OVERFLOW: statement is too large (stack overflow while parsing)',
    'GENERIC_INTERNAL_ERROR: java.lang.StackOverflowError',
    'COMPILER_ERROR: Query exceeded maximum filters. Please reduce the number of filters',
  ])('that are deeper or wider than the engine takes are too large: %s', async (reason) => {
    const end = { State: 'FAILED', StateChangeReason: reason } as const;
    const { engine, query } = setUp({ end });

    await expect(engine.run(query())).rejects.toMatchObject({ code: 'sql_too_large', status: 400 });
  });

  test('whose rows are too large to answer with are read no further', async () => {
    // A page holds 1,000 rows, hence a megabyte here.
    const rows = Array.from({ length: 60_000 }, () => ['x'.repeat(1_000)]);
    const { athena, engine, query } = setUp({ rows });

    await expect(engine.run(query())).rejects.toMatchObject({
      code: 'result_too_large',
      status: 400,
    });

    expect(reads(athena)).toBeLessThan(40);
    expect(athena.stopped).toEqual([]);
  });

  test('that ran out of memory say so', async () => {
    const end = {
      State: 'FAILED',
      StateChangeReason: 'Query exhausted resources at this scale factor',
    } as const;
    const { engine, query } = setUp({ end });

    await expect(engine.run(query())).rejects.toMatchObject({
      code: 'query_too_large',
      status: 400,
      message: expect.stringContaining('memory'),
    });
  });

  test('that an operator cancels meanwhile are failures', async () => {
    const { engine, query } = setUp({ before: ['RUNNING'], end: { State: 'CANCELLED' } });

    await expect(engine.run(query())).rejects.toMatchObject({ code: 'query_failed', status: 502 });
  });
});

queryEngineContract('AthenaEngine', async () => {
  const plans = new Map<string, () => Plan>();
  const { athena, clock, engine } = setUp((text) => plans.get(text)?.() ?? {});
  const statement = (plan: () => Plan): string => {
    const text = `SELECT ${plans.size}`;
    plans.set(text, plan);
    return text;
  };
  return {
    engine,
    clock,
    answering: (outputs, rows) =>
      statement(() => ({ columns: outputs.map(({ name }) => name), rows })),
    unique: () => statement(() => ({ rows: [[randomUUID()]] })),
    failing: () =>
      statement(() => ({ end: { State: 'FAILED', StateChangeReason: `Table ${LEAK} is gone` } })),
    endless: () => statement(() => ({ before: ['RUNNING'], endless: true })),
    saturate: async () => {
      const busy = serviceError('TooManyRequestsException');
      athena.fail('StartQueryExecution', ...Array(1_000).fill(busy));
    },
    close: async () => {},
  };
});
