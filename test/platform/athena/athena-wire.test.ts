import type { AthenaClient } from '@aws-sdk/client-athena';
import { afterEach, describe, expect, test } from 'vitest';
import { athenaClient } from '../../../src/platform/athena/athena-client.ts';
import { AthenaEngine } from '../../../src/platform/athena/athena-engine.ts';
import {
  type AwsServer,
  startAwsServer,
  type WireAnswer,
  wireError,
} from '../../support/aws/aws-server.ts';
import { TestClock } from '../../support/aws/clock.ts';
import { LogRecorder } from '../../support/aws/log.ts';

/** The real SDK client, so that its errors, encodings and retry settings are the real ones too. */
let server: AwsServer | undefined;
let client: AthenaClient | undefined;

afterEach(async () => {
  client?.destroy();
  await server?.close();
});

describe('AthenaEngine over HTTP', () => {
  const answers: Readonly<Record<string, WireAnswer>> = {
    StartQueryExecution: { status: 200, body: { QueryExecutionId: 'e1' } },
    GetQueryExecution: {
      status: 200,
      body: {
        QueryExecution: {
          Status: { State: 'SUCCEEDED', CompletionDateTime: 1_790_000_000.123 },
          Statistics: { DataScannedInBytes: 10, EngineExecutionTimeInMillis: 20 },
        },
      },
    },
    GetQueryResults: {
      status: 200,
      body: {
        ResultSet: {
          Rows: [[{ VarCharValue: 'c0' }], [{}], [{ VarCharValue: '' }]].map((Data) => ({ Data })),
        },
      },
    },
  };

  async function run(changed: (operation: string, call: number) => WireAnswer | undefined) {
    const at = await startAwsServer(
      (operation, call) => changed(operation, call) ?? answers[operation] ?? wireError('Unknown'),
    );
    server = at;
    client = athenaClient('eu-west-1');
    const clock = new TestClock();
    const logger = new LogRecorder();
    const engine = new AthenaEngine({
      client,
      workGroup: 'w',
      database: 'd',
      clock,
      logger,
      sleep: clock.sleep,
    });
    const answer = engine.run({
      text: 'SELECT 1',
      width: 1,
      token: 'c'.repeat(32),
      deadline: clock.now() + 25_000,
    });
    const result = await answer.catch((error: Error) => error);
    return { result, logger, operations: at.calls.map(({ operation }) => operation) };
  }

  test('starts, polls and reads', async () => {
    const { result, operations } = await run(() => undefined);

    expect(result).toEqual({
      rows: [[null], ['']],
      bytesScanned: 10,
      queueMs: 0,
      engineMs: 20,
      endedAt: expect.any(Number),
    });
    expect(operations).toEqual(['StartQueryExecution', 'GetQueryExecution', 'GetQueryResults']);
  });

  test.each([
    ['TooManyRequestsException', wireError('TooManyRequestsException')],
    ['InternalServerException', wireError('InternalServerException', 500)],
    ['a broken connection', 'reset'],
  ] as const)('repeats every kind of call after %s', async (_, failure) => {
    const { result, logger, operations } = await run((__, call) =>
      call % 2 === 1 ? failure : undefined,
    );

    expect(result).toMatchObject({ rows: [[null], ['']] });
    expect(operations).toEqual([
      'StartQueryExecution',
      'StartQueryExecution',
      'GetQueryExecution',
      'GetQueryExecution',
      'GetQueryResults',
      'GetQueryResults',
    ]);
    expect(logger.at('warn')).toHaveLength(3);
  });

  test('makes a single call when it may not start', async () => {
    const { result, operations } = await run(() => wireError('AccessDeniedException'));

    expect(result).toMatchObject({ code: 'query_failed', status: 502 });
    expect(operations).toEqual(['StartQueryExecution']);
  });
});
