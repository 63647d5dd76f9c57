import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLambdaMessage } from '../../../../src/ingest/formats/aws/vercel-lambda-output.ts';

const ID = '8f2d1c7a-54be-4a6e-9d0b-3c1f2e4a5b6c';
const AT = '2025-03-04T05:06:07.089Z';
const START = `START RequestId: ${ID} Version: $LATEST`;
const END = `END RequestId: ${ID}`;
const REPORT =
  `REPORT RequestId: ${ID}\tDuration: 41.52 ms\tBilled Duration: 42 ms\t` +
  'Memory Size: 512 MB\tMax Memory Used: 91 MB\t';

/** A whole call that printed these lines. */
const call = (...lines: readonly string[]) => [START, ...lines, END, REPORT, ''].join('\n');
const printed = (text: string, level = 'INFO') => `${AT}\t${ID}\t${level}\t${text}`;

const WHOLE = {
  request_id: ID,
  report: { duration_ms: 42, billed_duration_ms: 42, memory_size_mb: 512, max_memory_used_mb: 91 },
};
const entry = (rest: object, level = 'info') => ({ timestamp: AT, level, ...rest });

describe('a call', () => {
  test.each([
    ['that printed nothing', call(), {}],
    ['that printed empty lines', call('', ' '), {}],
    [
      'with lines',
      call(printed('one'), printed('two', 'ERROR')),
      [entry({ message: 'one' }), entry({ message: 'two' }, 'error')],
    ],
    [
      'with a line that goes on',
      call(printed('one', 'WARN'), '  two', '', 'three'),
      [entry({ message: 'one\n  two\n\nthree' }, 'warn')],
    ],
    ['with lines without level', call(`${AT}\t${ID}\tone`), [{ timestamp: AT, message: 'one' }]],
    [
      'that printed before it had an id',
      call(`${AT}\tundefined\tINFO\tcold`),
      [entry({ message: 'cold' })],
    ],
    ['with a line of JSON', call(printed('{"a":[1,2]}')), [entry({ data: { a: [1, 2] } })]],
    [
      'with a line of text and JSON',
      call(printed('[pay] got {"a":{"b":1}}')),
      [entry({ message: '[pay] got', data: { a: { b: 1 } } })],
    ],
    [
      'with a line that only looks like JSON',
      call(printed('see {a}')),
      [entry({ message: 'see {a}' })],
    ],
    ['with a list of JSON', call(printed('[1]')), [entry({ data: [1] })]],
    ['that printed JSON without prefix', call('{"a":1}'), [{ data: { a: 1 } }]],
    ['that printed JSON over several lines', call('{', ' "a": 1', '}'), [{ data: { a: 1 } }]],
    [
      'that printed text and JSON without prefix',
      call('got {"a":1}'),
      [{ message: 'got', data: { a: 1 } }],
    ],
  ])('%s', (_case, message, lines) => {
    expect(parseLambdaMessage(message)).toEqual(
      Array.isArray(lines) ? { ...WHOLE, parse_status: 'full', lines } : WHOLE,
    );
  });

  test.each([
    ['text without prefix', ['starting', 'done'], 'starting\ndone'],
    ['a mixture', ['starting', printed('one')], `starting\n${printed('one')}`],
    [
      'more lines than can be kept apart',
      Array<string>(1001).fill(`${AT}\tundefined\tx`),
      undefined,
    ],
  ])('with %s keeps it as a text', (_case, lines, text = lines.join('\n')) => {
    expect(parseLambdaMessage(call(...lines))).toEqual({
      ...WHOLE,
      parse_status: 'partial',
      lines_string: text,
    });
  });

  test('tells how long it took to initialise', () => {
    const { report } = parseLambdaMessage(`${START}\n${REPORT}Init Duration: 185.50 ms\t\n`);
    expect(report).toEqual({ ...WHOLE.report, init_duration_ms: 186 });
  });

  test('that timed out says so after its report', () => {
    const after = `${AT} ${ID} Task timed out after 10.01 seconds`;
    expect(parseLambdaMessage(call() + after)).toEqual({
      ...WHOLE,
      parse_status: 'full',
      lines: [{ timestamp: AT, message: 'Task timed out after 10.01 seconds' }],
    });
  });

  test('whose beginning is cut off is marked', () => {
    expect(parseLambdaMessage(`${printed('one')}\n${END}\n${REPORT}`)).toEqual({
      ...WHOLE,
      message_truncated: true,
      parse_status: 'full',
      lines: [entry({ message: 'one' })],
    });
  });

  test('of which only printed lines are left is marked', () => {
    expect(parseLambdaMessage(printed('one'))).toEqual({
      message_truncated: true,
      parse_status: 'full',
      lines: [entry({ message: 'one' })],
    });
  });

  test('whose report is broken is read as far as it goes', () => {
    const broken = `REPORT RequestId: ${ID}\tDuration: x ms\tMemory Size: \tElse: 5\tDuration`;
    expect(parseLambdaMessage(`${START}\n${broken}`)).toEqual({ request_id: ID, report: {} });
  });
});

test.each([
  ['alone', '[GET] /cart?x=1 status=303', {}],
  ['before a call', `[GET] /cart?x=1 status=303\n${call()}`, WHOLE],
  ['within a call', call('[GET] /cart?x=1 status=303'), WHOLE],
])('a request %s gives method, path and status', (_case, message, rest) => {
  expect(parseLambdaMessage(message)).toEqual({
    method: 'GET',
    path: '/cart?x=1',
    status: 303,
    ...rest,
  });
});

test.each(['Adding a customer', '{"a":1}', '[GET] x', ' ', 'START', 'a\nb'])(
  '%j has nothing of Lambda',
  (message) => {
    expect(parseLambdaMessage(message)).toEqual({ parse_status: 'failed', lines_string: message });
  },
);

describe('bounds', () => {
  test('a message of which an event may not hold two is left alone', () => {
    expect(parseLambdaMessage(START + 'x'.repeat(65_536))).toEqual({ parse_status: 'failed' });
  });

  test.each([
    ['nested too deep', `${'['.repeat(40)}${']'.repeat(40)}`],
    ['nested without end', `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`],
    [
      'of too many keys',
      JSON.stringify(Object.fromEntries(Array.from({ length: 2001 }).entries())),
    ],
    ['with too long a key', JSON.stringify({ ['k'.repeat(1001)]: 1 })],
    ['with too large a number', '{"a":1e999}'],
    ['with too large an integer', `{"a":1${'0'.repeat(400)}}`],
  ])('JSON %s stays text', (_case, text) => {
    const { lines } = parseLambdaMessage(call(printed(text)));
    const [line] = lines as { data?: unknown; message?: string }[];
    expect(line?.message ?? JSON.stringify(line?.data)).toBe(text);
  });

  test('any text gives an object', () => {
    const line = fc.oneof(
      fc.constantFrom(START, END, REPORT, '{', '}', '[', '{"a":1}', '[GET] / status=1', ''),
      fc.string({ unit: 'binary' }).map((text) => printed(text)),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        expect(parseLambdaMessage(lines.join('\n'))).toBeTypeOf('object');
      }),
    );
  });
});
