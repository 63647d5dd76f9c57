import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEventJson } from '../../../src/ingest/decode/event-json.ts';
import { parseJson } from '../../../src/platform/json/json.ts';
import { decode } from '../support.ts';

const parse = (text: string) => parseEventJson(Buffer.from(text));

describe('what Python calls a number and JSON does not', () => {
  test.each([
    ['{"a":NaN,"b":1}', { a: null, b: 1 }],
    ['[Infinity, -Infinity , NaN]', [null, null, null]],
    ['NaN', null],
    ['{"a":"NaN","b":NaN,"Infinity":1}', { a: 'NaN', b: null, Infinity: 1 }],
    ['{"a":"\\"NaN","b":"\\\\","c":NaN}', { a: '"NaN', b: '\\', c: null }],
    ['{"a":12345678901234567890,"b":NaN}', { a: { rawJSON: '12345678901234567890' }, b: null }],
  ])('is null in %s', (text, value) => {
    expect(parse(text)).toEqual(value);
  });

  test.each(['{"a":NaNa}', '{"a":nan}', '{"a":N}', '{"a":NaN', '{NaN:1}', '{"a":"NaN}'])(
    'leaves %s malformed',
    (text) => {
      expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'invalid_json' }));
    },
  );

  test('is null wherever it stands', () => {
    const json = fc.json({ maxDepth: 4 }).filter((text) => !text.includes('null'));
    const word = fc.constantFrom('NaN', 'Infinity', '-Infinity');

    fc.assert(
      fc.property(json, word, (text, instead) => {
        expect(parse(`[${text},${instead}]`)).toEqual([parseJson(text), null]);
      }),
    );
  });

  test.each([
    ['a batch', '', 'application/json', '{"batch":[{"n":NaN,"m":1},{"m":2}]}', 2],
    ['lines', '/json', 'application/x-ndjson', '{"n":NaN,"m":1}\n{"m":Infinity}', 2],
    ['objects in a row', '', 'application/json', '{"n":NaN}\n{"n":-Infinity}', 2],
    ['a line of Logpush', '/cloudflare', 'text/plain', '{"n":NaN}', 1],
    ['a form', '', 'application/x-www-form-urlencoded', '{"n":NaN}', 1],
    ['a request of OTLP', '/v1/metrics', 'application/json', GAUGE, 1],
  ])('does not make %s fail', async (_what, path, contentType, body, count) => {
    expect((await decode(body, { path, contentType })).events).toHaveLength(count);
  });
});

const POINT = '{"timeUnixNano":"1717236000123456789","asDouble":NaN}';
const GAUGE = `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"g","gauge":{"dataPoints":[${POINT}]}}]}]}]}`;
