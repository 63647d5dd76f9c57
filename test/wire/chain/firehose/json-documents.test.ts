import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonDocuments } from './json-documents.ts';

test('objects are told apart whatever white space is between them, and whatever they hold', () => {
  const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());
  const gap = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(object, gap), { minLength: 1 }), (written) => {
      const texts = written.map(([value]) => JSON.stringify(value));

      const record = written.map(([, space], i) => `${texts[i]}${space}`).join('');

      expect(jsonDocuments(record)).toEqual(texts);
    }),
  );
});

test.each(['', ' \n', '[{"a":1}]', '{"a":1},{"a":2}', '{"a":1}{"a":', '{"a":"}'])(
  'a record of %j is refused',
  (record) => {
    expect(() => jsonDocuments(record)).toThrow();
  },
);
