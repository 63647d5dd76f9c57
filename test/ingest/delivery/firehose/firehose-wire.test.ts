import type { FirehoseClient } from '@aws-sdk/client-firehose';
import { afterEach, describe, expect, test } from 'vitest';
import { firehoseClient } from '../../../../src/ingest/delivery/firehose/firehose-client.ts';
import { FirehoseSink } from '../../../../src/ingest/delivery/firehose/firehose-sink.ts';
import {
  type AwsServer,
  startAwsServer,
  type WireAnswer,
  wireError,
} from '../../../support/aws/aws-server.ts';
import { TestClock } from '../../../support/aws/clock.ts';
import { rowsOf } from '../../../support/aws/fake-firehose.ts';
import { LogRecorder } from '../../../support/aws/log.ts';

/** The real SDK client, so that its errors, encodings and retry settings are the real ones too. */
let server: AwsServer | undefined;
let client: FirehoseClient | undefined;

afterEach(async () => {
  client?.destroy();
  await server?.close();
});

interface PutInput {
  readonly DeliveryStreamName: string;
  readonly Records: readonly { readonly Data: string }[];
}

describe('FirehoseSink over HTTP', () => {
  async function setUp(
    script: readonly WireAnswer[],
  ): Promise<{ sink: FirehoseSink; at: AwsServer; logger: LogRecorder }> {
    const at = await startAwsServer((_, call) => script[call - 1] ?? stored);
    server = at;
    client = firehoseClient('eu-west-1');
    const clock = new TestClock();
    const logger = new LogRecorder();
    const sink = new FirehoseSink({ client, stream: 'landing', clock, logger, sleep: clock.sleep });
    return { sink, at, logger };
  }

  const stored: WireAnswer = {
    status: 200,
    body: { FailedPutCount: 0, RequestResponses: [{ RecordId: 'a' }] },
  };
  const refused: WireAnswer = {
    status: 200,
    body: {
      FailedPutCount: 1,
      RequestResponses: [{ ErrorCode: 'ServiceUnavailableException', ErrorMessage: 'Slow down.' }],
    },
  };

  test('puts rows as the bytes of a record', async () => {
    const { sink, at } = await setUp([]);

    await sink.write(['{"n":1}', '{"n":"ä"}']);

    const inputs = at.calls.map(({ input }) => input as PutInput);
    expect(inputs.map(({ DeliveryStreamName }) => DeliveryStreamName)).toEqual(['landing']);
    const rows = inputs.flatMap(({ Records }) =>
      Records.flatMap(({ Data }) => rowsOf(Buffer.from(Data, 'base64'))),
    );
    expect(rows).toEqual(['{"n":1}', '{"n":"ä"}']);
  });

  test.each([
    ['a refused record', refused],
    ['ServiceUnavailableException', wireError('ServiceUnavailableException', 503)],
    ['ThrottlingException', wireError('ThrottlingException')],
    ['a broken connection', 'reset'],
    ['a gateway error that is no AWS answer', { status: 502, body: 'Bad Gateway' }],
  ] as const)(
    "sends once more, of its own and not the SDK's doing, after %s",
    async (_, answer) => {
      const { sink, at, logger } = await setUp([answer]);

      await sink.write(['{"n":1}']);

      expect(at.calls).toHaveLength(2);
      expect(at.calls[1]).toEqual(at.calls[0]);
      expect(logger.at('warn')).toHaveLength(1);
    },
  );

  test.each(['AccessDeniedException', 'ResourceNotFoundException', 'InvalidArgumentException'])(
    'makes a single call on %s',
    async (type) => {
      const { sink, at } = await setUp([wireError(type)]);

      await expect(sink.write(['{"n":1}'])).rejects.toMatchObject({ code: 'sink_unavailable' });

      expect(at.calls).toHaveLength(1);
    },
  );
});
