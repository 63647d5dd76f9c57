import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLambdaLog } from '../../../../src/ingest/formats/aws/lambda-log.ts';

const ID = '8f2d1c7a-54be-4a6e-9d0b-3c1f2e4a5b6c';
const AT = '2025-03-04T05:06:07.089Z';

test.each([
  [
    'the start of a call',
    `START RequestId: ${ID} Version: $LATEST\n`,
    { type: 'start', request_id: ID, version: '$LATEST' },
  ],
  ['its end', `END RequestId: ${ID}\n`, { type: 'end', request_id: ID }],
  [
    'its report, in the precision that Lambda gives',
    `REPORT RequestId: ${ID}\tDuration: 1.52 ms\tBilled Duration: 2 ms\tMemory Size: 128 MB\t` +
      'Max Memory Used: 91 MB\tInit Duration: 137.4 ms\t\n',
    {
      type: 'report',
      request_id: ID,
      report: {
        duration_ms: 1.52,
        billed_duration_ms: 2,
        memory_size_mb: 128,
        max_memory_used_mb: 91,
        init_duration_ms: 137.4,
      },
    },
  ],
  [
    'the report of a failed, traced call',
    `REPORT RequestId: ${ID}\tDuration: 3000.00 ms\tStatus: timeout\tError Type: Sandbox.Timedout\t\n` +
      'XRAY TraceId: 1-5e34\tSegmentId: 1b2\tSampled: true\t\n',
    {
      type: 'report',
      request_id: ID,
      report: {
        duration_ms: 3000,
        status: 'timeout',
        error_type: 'Sandbox.Timedout',
        xray_trace_id: '1-5e34',
      },
    },
  ],
  [
    'what Node prints',
    `${AT}\t${ID}\tWARN\tlow stock\n  of shoes\n`,
    { type: 'log', request_id: ID, level: 'warn', message: 'low stock\n  of shoes' },
  ],
  [
    'JSON in it',
    `${AT}\t${ID}\tINFO\tpaid {"cents": 950}\n`,
    { type: 'log', request_id: ID, level: 'info', message: 'paid', data: { cents: 950 } },
  ],
  [
    'what it prints before there is a call',
    `${AT}\tundefined\tINFO\tcold`,
    { type: 'log', level: 'info', message: 'cold' },
  ],
  [
    'a time-out',
    `${AT} ${ID} Task timed out after 3.00 seconds\n\n`,
    { type: 'log', request_id: ID, message: 'Task timed out after 3.00 seconds' },
  ],
  [
    'what Python logs',
    `[WARNING]\t${AT}\t${ID}\tlow stock\n`,
    { type: 'log', request_id: ID, level: 'warning', message: 'low stock' },
  ],
])('%s', (_what, text, parts) => {
  expect(parseLambdaLog(text)).toEqual(parts);
});

test.each([
  ['other text', 'Server listens on port 80'],
  ['other text with a time', `${AT} GET /`],
  ['a very long text', `START RequestId: ${ID}${' '.repeat(65_536)}`],
  ['nothing', ''],
])('%s is not taken apart', (_what, text) => {
  expect(parseLambdaLog(text)).toBeUndefined();
});

test('any text after any beginning has parts or none', () => {
  const beginning = fc.constantFrom(
    'START RequestId: ',
    'END RequestId: ',
    'REPORT RequestId: ',
    `${AT}\t${ID}\t`,
    `[INFO]\t${AT}\t${ID}\t`,
    '',
  );
  fc.assert(
    fc.property(beginning, fc.string({ unit: 'binary' }), (start, text) => {
      const parts = parseLambdaLog(start + text);

      expect(parts === undefined || typeof parts.type === 'string').toBe(true);
    }),
  );
});
