import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FirehoseSink } from '../../../../src/ingest/delivery/firehose/firehose-sink.ts';
import { ServiceError } from '../../../../src/platform/errors.ts';
import { TestClock } from '../../../support/aws/clock.ts';
import { networkError, serviceError } from '../../../support/aws/failures.ts';
import { FakeFirehose, type PutOutcome } from '../../../support/aws/fake-firehose.ts';
import { LogRecorder } from '../../../support/aws/log.ts';

/** What may happen to a call that ought to be repeated, or not. */
const outcome: fc.Arbitrary<PutOutcome> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<PutOutcome>('accept') },
  { weight: 6, arbitrary: fc.record({ refuse: fc.uniqueArray(fc.nat(30)) }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<PutOutcome>(
      { throws: serviceError('ServiceUnavailableException', 503) },
      { throws: networkError('ECONNRESET') },
      { losesAnswer: networkError('ETIMEDOUT') },
      { answers: { FailedPutCount: 0, RequestResponses: [] } },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant<PutOutcome>({ throws: serviceError('AccessDeniedException') }),
  },
);

test('a write either stores every row at least once or is rejected', async () => {
  let succeeded = 0;
  let rejected = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(outcome, { maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 900_000 }), { maxLength: 12 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.boolean(),
      async (script, sizes, random, compress) => {
        const rows = sizes.map((size, n) => JSON.stringify({ n, text: 'x'.repeat(size) }));
        const clock = new TestClock();
        const firehose = new FakeFirehose(script);
        const sink = new FirehoseSink({
          client: firehose.client,
          stream: 'landing',
          compress,
          clock,
          logger: new LogRecorder(),
          sleep: clock.sleep,
          random: () => random,
        });

        const error = await sink.write(rows).catch((thrown: unknown) => thrown);

        const stored = new Set(firehose.storedRows);
        if (error === undefined) {
          succeeded += 1;
          expect(stored).toEqual(new Set(rows));
        } else {
          rejected += 1;
          expect(error).toBeInstanceOf(ServiceError);
          expect(error).toMatchObject({ code: 'sink_unavailable', status: 503 });
        }
        // Either way nothing arrives that was not written.
        expect(stored.isSubsetOf(new Set(rows))).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
  expect(Math.min(succeeded, rejected)).toBeGreaterThan(0);
});
