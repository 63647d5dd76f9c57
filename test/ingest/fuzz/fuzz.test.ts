import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FORMATS } from '../../../src/ingest/formats/index.ts';
import { ServiceError } from '../../../src/platform/errors.ts';
import { expectWellFormedRows } from '../encode/well-formed-rows.ts';
import { decode, Harness } from '../support.ts';

/** Keys and values that the code treats in ways of their own, among arbitrary ones. */
const key = fc.oneof(
  fc.constantFrom(
    'id',
    'timestamp',
    'message',
    'event_message',
    'log_entry',
    'metadata',
    'project',
  ),
  fc.constantFrom(
    'batch',
    'source',
    'source_name',
    'project_ref',
    'request',
    'response',
    'headers',
  ),
  fc.constantFrom('level', 'status_code', 'origin_time', 'path', 'user-agent', 'cf', 'parsed'),
  fc.constantFrom('proxy', 'userAgent', 'statusCode', 'host', 'log_type', 'method', 'request_id'),
  fc.constantFrom('body', 'typecasts', 'EdgeStartTimestamp', 'Datetime'),
  fc.constantFrom('specversion', 'data', 'data_base64', 'time', 'cloud_event'),
  fc.constantFrom('records', 'awslogs', 'messageType', 'logEvents', 'logGroup', 'extractedFields'),
  fc.constantFrom('repository', 'full_name', 'sender', 'action', 'html_url', '_url'),
  fc.constantFrom('__proto__', 'constructor', 'toJSON', 'rawJSON', '', 'a-b', 'a.b', '_a_b'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const scalar = fc.oneof(
  fc.constantFrom(null, '', [], {}, true, false, 0, 7, 1.5, 1713268565, 1713268565764),
  fc.constantFrom(
    'lambda',
    'build',
    'START RequestId: r\n{"a":1}\nREPORT RequestId: r\tDuration: 1 ms',
  ),
  fc.constantFrom('2024-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '\ud800', '\u0000', '\u2028\n'),
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 8 }).map(Object.fromEntries),
  ),
}));
/** JSON text, some of its integers too long for a double. */
const body = fc.tuple(value, fc.bigInt()).map(([json, integer]) => {
  return JSON.stringify(json).replaceAll(/(?<=[:,[])7(?=[,}\]])/g, String(integer));
});

const PATHS = FORMATS.map(({ path }) => path);
const requestOptions = fc.record({
  contentType: fc.constantFrom(
    'application/json',
    'application/cloudevents+json',
    'application/cloudevents-batch+json',
    'application/csp-report',
    'application/x-ndjson',
    'application/x-www-form-urlencoded',
    'text/plain',
    undefined,
  ),
  headers: fc.dictionary(
    fc.oneof(
      fc.constantFrom('ce-id', 'ce-time', 'ce-', 'ce-__proto__', 'ce-a-b', 'ce-timestamp'),
      fc.string({ unit: 'binary', maxLength: 8 }).map((name) => `ce-${name.toLowerCase()}`),
    ),
    fc.oneof(
      fc.constantFrom('2024-01-01T00:00:00Z', '2999-01-01T00:00:00Z', '%', '%ff', '%c3%a9', '"\\"'),
      fc.string({ unit: 'binary' }),
    ),
    { maxKeys: 4 },
  ),
});

test.each(PATHS)(
  'any JSON posted to "%s" gives well-formed rows or a ServiceError',
  async (path) => {
    await fc.assert(
      fc.asyncProperty(body, requestOptions, async (text, options) => {
        const harness = new Harness();
        try {
          const { stored } = await harness.post(text, path, options);
          expect(harness.rows).toHaveLength(stored);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
        }
        expectWellFormedRows(harness.rows);
      }),
      { numRuns: 500 },
    );
  },
);

test.each(
  PATHS.filter(
    (path) =>
      !/^$|elixir|json|github|syslog|logplex|cloud(?:flare|watch)|typecasts|vector|firehose|^\/v1\/|loki|gelf|services|_bulk|_doc|v2/.test(
        path,
      ),
  ),
)(
  'entries of any kind in a list or by lines, posted to "%s", are stored or refused',
  async (path) => {
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 4 }), async (texts) => {
        const harness = new Harness();
        const list = await harness.post(`[${texts.join(',')}]`, path);
        expect(list.stored + list.rejected.length).toBe(texts.length);

        const lines = texts.join('\n');
        const { events } = await decode(lines, { path, contentType: 'application/x-ndjson' });
        const byLine = await harness.store(events);
        expect(byLine).toEqual(list);
      }),
    );
  },
);

/** Lines of JSON, of white space, and of what looks like neither. */
const lines = fc
  .array(fc.oneof(body, fc.constantFrom('', '\r', ' ', '{', '\ufeff{}', 'a=b&__proto__=c')), {
    maxLength: 5,
  })
  .map((texts) => Buffer.from(texts.join('\n')));

test('any bytes posted give rows or a ServiceError', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.uint8Array(), lines),
      fc.constantFrom(...PATHS),
      requestOptions,
      async (bytes, path, options) => {
        const harness = new Harness();
        await harness.post(bytes, path, options).catch((error: unknown) => {
          expect(error).toBeInstanceOf(ServiceError);
        });
        for (const row of harness.rows) expect(() => JSON.parse(row)).not.toThrow();
      },
    ),
  );
});

test('any typecasts give a row or a refusal, and leave prototypes alone', async () => {
  const typecast = fc.record({
    path: fc.array(fc.oneof(key, value), { maxLength: 4 }),
    from: fc.constant('string'),
    to: fc.constant('float'),
  });
  const element = fc.record({ body: value, typecasts: fc.oneof(fc.array(typecast), value) });
  await fc.assert(
    fc.asyncProperty(fc.array(element, { maxLength: 4 }), async (batch) => {
      const harness = new Harness();
      const { stored, rejected } = await harness.post({ batch }, '/typecasts');
      expect(stored + rejected.length).toBe(batch.length);
      expect(harness.rows).toHaveLength(stored);
    }),
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test('an event stored once is stored the same again', async () => {
  const name = fc.stringMatching(/^[a-zA-Z_][a-z0-9_]{0,6}$/);
  const json = fc.dictionary(
    name,
    fc.oneof(fc.string({ minLength: 1 }), fc.integer(), fc.boolean()),
  );
  await fc.assert(
    fc.asyncProperty(json, async (event) => {
      const harness = new Harness();
      await harness.store([{ ...event, timestamp: 1 }]);
      await harness.store(harness.events);
      expect(harness.events[1]).toEqual(harness.events[0]);
    }),
  );
});
