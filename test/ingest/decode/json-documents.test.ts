import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonDocuments } from '../../../src/ingest/decode/json-documents.ts';
import { rawNumber } from '../../../src/platform/json/json.ts';

/** Objects as they are, text as text. */
function read(text: string | Uint8Array): unknown[] {
  return [...jsonDocuments(Buffer.from(text))].map((document) =>
    'value' in document ? document.value : document.text,
  );
}

test.each<[string, string, unknown[]]>([
  ['an object', '{"a":1}', [{ a: 1 }]],
  ['an object over several lines', '{\n  "a": [1,\n 2]\n}\n', [{ a: [1, 2] }]],
  ['two of them', '{\n"a":1\n}\n{\n"a":2\n}', [{ a: 1 }, { a: 2 }]],
  ['objects back to back', '{"a":1}{"a":2}{"a":3}', [{ a: 1 }, { a: 2 }, { a: 3 }]],
  ['objects one a line', '{"a":1}\n{"a":2}\r\n\n{"a":3}\n', [{ a: 1 }, { a: 2 }, { a: 3 }]],
  ['objects with commas', '{"a":1},{"a":2} ,\n{"a":3},', [{ a: 1 }, { a: 2 }, { a: 3 }]],
  ['a list', '[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
  ['lists back to back', '[{"a":1}][{"a":2}]', [{ a: 1 }, { a: 2 }]],
  ['brackets in strings', '{"a":"}{\\"]"}{"b":"["}', [{ a: '}{"]' }, { b: '[' }]],
  ['a byte order mark', '\ufeff{"a":1}', [{ a: 1 }]],
  ['a long integer', '{"a":12345678901234567890}', [{ a: rawNumber('12345678901234567890') }]],
])('%s is read as objects', (_what, text, documents) => {
  expect(JSON.stringify(read(text))).toBe(JSON.stringify(documents));
});

test.each<[string, string, unknown[]]>([
  ['nothing', '', []],
  ['blanks', ' \r\n\t\n', []],
  ['lines', 'one\r\n\n  two\nthree', ['one', 'two', 'three']],
  ['a bracketed word', '[INFO] hello\n[1] world', ['[INFO] hello', '[1] world']],
  ['an object before other text', '{} is empty', ['{} is empty']],
  ['an object after other text', 'GET {"a":1}', ['GET {"a":1}']],
  ['scalars', '5\n"five"\nnull', ['5', '"five"', 'null']],
  ['lists of anything else', '[]\n[1,{"a":1}]', ['[]', '[1,{"a":1}]']],
  ['what is not JSON', '{a:1}\n{"a":1}', ['{a:1}', { a: 1 }]],
  ['an object that is cut short', '{"a":1}\n{"a":', [{ a: 1 }, '{"a":']],
  ['one before others', '{"a":\n{"b":1}', ['{"a":', { b: 1 }]],
  ['broken ones over several lines', '{\nfoo\n}\n{"b":1}', ['{', 'foo', '}', { b: 1 }]],
])('%s: what is no object is text, line by line', (_what, text, documents) => {
  expect(read(text)).toEqual(documents);
});

test('a line of many objects is looked at once, not once for each of them', () => {
  expect(read('{}'.repeat(1_000_000))).toHaveLength(1_000_000);
});

test('brackets without end are read once, not once for each of them', () => {
  // A quadratic reader would look at 2 * 10^11 bytes here.
  for (const line of ['{\n', '[\n', '{"\n', '{}x\n', '{\n}x\n']) {
    const text = line.repeat(300_000);

    expect(read(`${'{\n'.repeat(1000)}${text}`).length).toBeGreaterThan(300_000);
  }
  expect(read('{'.repeat(1_000_000))).toHaveLength(1);
});

const json = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
const separator = fc.constantFrom('', '\n', '\r\n', ' ', ',', ',\n', '\n\n', '\t');

test('objects come out as they went in, however they are packed', () => {
  fc.assert(
    fc.property(
      fc.array(json),
      separator,
      fc.constantFrom(undefined, 2),
      (objects, between, indent) => {
        const text = objects.map((object) => JSON.stringify(object, null, indent)).join(between);

        expect(JSON.stringify(read(text))).toBe(JSON.stringify(objects));
      },
    ),
  );
});

test('no character of any text is lost, apart from white space and commas between objects', () => {
  const piece = fc.oneof(
    fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', '\n', '\r', ' ', '{}', '{"a":1}', 'x'),
    fc.string({ maxLength: 4 }),
  );
  const squeezed = (text: string) => text.replaceAll(/[\s,\ufeff]/g, '');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('').toWellFormed();
      const length = read(text)
        .map((document) => (typeof document === 'string' ? document : JSON.stringify(document)))
        .join('');
      const lists = /[[\]]/g;

      expect(squeezed(length).replaceAll(lists, '')).toBe(squeezed(text).replaceAll(lists, ''));
    }),
  );
});
