import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError } from '../../../src/platform/errors.ts';
import { expectWellFormedRows } from '../encode/well-formed-rows.ts';
import {
  awslogs,
  CONTROL_MESSAGE,
  delivery,
  FIREHOSE_HEADERS,
  gzipJson,
  subscription,
} from '../formats/aws/support.ts';
import { Harness } from '../support.ts';

const LAMBDA = '2025-06-01T11:59:00.000Z\t8f2d1c7a-54be-4a6e-9d0b-3c1f2e4a5b6c\tINFO\t{"a":1}';

const message = fc.oneof(
  fc.constantFrom('', 'START RequestId: r Version: 1', LAMBDA, '{"level":"INFO","a":[1]}', '{"a":'),
  fc.string({ unit: 'binary' }),
  fc.json(),
);

/** Deliveries of CloudWatch Logs, most of them with something that does not belong there. */
const subscriptions = fc
  .tuple(fc.array(message, { maxLength: 4 }), fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(5))
  .map(([messages, fields, kind]) => {
    const valid = subscription(...messages);
    const logEvents: unknown[] = valid.logEvents;
    if (kind === 0) return CONTROL_MESSAGE;
    if (kind === 1) return { ...valid, ...fields };
    if (kind === 2) return { ...valid, logEvents: [...logEvents, fields, null, 7] };
    if (kind === 3)
      return {
        ...valid,
        logEvents: logEvents.map((event) => ({ ...(event as object), ...fields })),
      };
    return valid;
  });

/** Contents of a record: packed in every way, and broken. */
const content: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array(),
  subscriptions.map(gzipJson),
  fc.array(subscriptions.map(gzipJson), { maxLength: 3 }).map((members) => Buffer.concat(members)),
  fc
    .array(fc.oneof(fc.json(), message), { maxLength: 5 })
    .map((lines) => Buffer.from(lines.join('\n'))),
  fc.array(fc.json(), { maxLength: 5 }).map((documents) => Buffer.from(documents.join(''))),
  fc
    .tuple(fc.string(), fc.nat(40))
    .map(([text, cut]) => gzipSync(text).subarray(0, -cut || undefined)),
);

/** Bytes with some of them changed. */
function mutated(bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 });
  return fc.tuple(bytes, changes).map(([original, edits]) => {
    const copy = Uint8Array.from(original);
    for (const [at, byte] of edits) if (copy.length > 0) copy[at % copy.length] = byte;
    return copy;
  });
}

const attributes = fc.oneof(
  fc.string(),
  fc.dictionary(fc.string(), fc.string()).map((all) => JSON.stringify({ commonAttributes: all })),
);

test('whatever is in the records of a delivery, all of it is stored', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(mutated(content), { maxLength: 5 }),
      attributes,
      async (records, text) => {
        const harness = new Harness();

        const outcome = await harness.post(delivery(...records), '/firehose', {
          headers: { ...FIREHOSE_HEADERS, 'x-amz-firehose-common-attributes': text },
        });

        expect(outcome).toEqual({ stored: harness.rows.length, rejected: [] });
        expectWellFormedRows(harness.rows);
      },
    ),
    { numRuns: 1000 },
  );
});

test('a line of a record is never lost, whatever is beside it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(content, { maxLength: 4 }), fc.nat(4), async (records, at) => {
      const harness = new Harness();
      const all = records.toSpliced(at, 0, Buffer.from('the line'));

      await harness.post(delivery(...all), '/firehose', { headers: FIREHOSE_HEADERS });

      expect(harness.events.map(({ event_message }) => event_message)).toContain('the line');
    }),
  );
});

const bodies = fc.oneof(
  mutated(content),
  mutated(fc.array(content).map((records) => Buffer.from(JSON.stringify(delivery(...records))))),
  mutated(subscriptions.map((value) => Buffer.from(JSON.stringify(value)))),
  mutated(subscriptions.map((value) => Buffer.from(JSON.stringify(awslogs(value))))),
  mutated(subscriptions.map(gzipJson)),
);

test.each(['/firehose', '/cloudwatch-logs'])(
  'any bytes posted to %s are stored whole or refused whole',
  async (path) => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.boolean(), async (body, isEncoded) => {
        const harness = new Harness();
        try {
          const outcome = await harness.post(isEncoded ? gzipSync(body) : body, path, {
            ...(isEncoded && { contentEncoding: 'gzip' }),
            headers: FIREHOSE_HEADERS,
          });
          expect(outcome.rejected).toEqual([]);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
          expect(harness.rows).toEqual([]);
        }
        expectWellFormedRows(harness.rows);
      }),
      { numRuns: 1000 },
    );
  },
);

test('log events of any kind are all stored', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(message, fc.jsonValue())), async (all) => {
      const harness = new Harness();
      const logEvents = all.map((each) => (typeof each === 'string' ? { message: each } : each));

      await harness.post({ ...subscription(), logEvents }, '/cloudwatch-logs');

      expect(harness.rows).toHaveLength(all.length);
    }),
  );
});
