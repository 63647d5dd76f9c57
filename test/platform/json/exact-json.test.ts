import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExactly } from '../../../src/platform/json/exact-json.ts';

interface SourceText {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}

const { parse, rawJSON } = JSON as unknown as SourceText;

/** The same by the language's own means, which are slow. */
function parseWithReviver(text: string): unknown {
  return parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? rawJSON(source)
      : value,
  );
}

/** What a text means, as JSON again; or that it is none. */
function read(parser: (text: string) => unknown, text: string): string {
  try {
    return JSON.stringify(parser(text));
  } catch (error) {
    if (error instanceof SyntaxError) return 'no JSON';
    throw error;
  }
}

const digits = fc.stringMatching(/^-?[1-9]\d{14,20}$/);

/** Texts that look like what the parser looks for, among others. */
const string = fc
  .array(
    fc.oneof(
      digits,
      fc.constantFrom(
        ':',
        ',',
        '[',
        ']',
        '}',
        ' ',
        '"',
        '\\',
        '\u007f',
        '\\u007F',
        'x',
        '__proto__',
      ),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));

const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    digits,
    fc.constantFrom('0', '-0', '1e30', '12345678901234567.5', '012345678901234567890', 'null'),
    string.map((text) => JSON.stringify(text)),
    fc
      .array(tie('json'), { maxLength: 4 })
      .chain((members) => space.map((blank) => `[${members.join(`,${blank}`)}]`)),
    fc
      .array(fc.tuple(string, tie('json')), { maxLength: 4 })
      .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`)}}`),
  ),
}));

const space = fc.constantFrom('', ' ', '\n\t', '\u00a0');

test('any text means what it means to the language', () => {
  fc.assert(
    fc.property(json, (text) => {
      expect(read(parseExactly, text)).toBe(read(parseWithReviver, text));
    }),
    { numRuns: 3000 },
  );
});

test.each([
  ['{"a":12345678901234567890}', '{"a":12345678901234567890}'],
  ['[1, 9007199254740993 ,-9007199254740993]', '[1,9007199254740993,-9007199254740993]'],
  ['{"a":"x:12345678901234567890,y"}', '{"a":"x:12345678901234567890,y"}'],
  [
    '["\u007f12345678901234567890",12345678901234567890]',
    '["\u007f12345678901234567890",12345678901234567890]',
  ],
  [
    '["\\u007f12345678901234567890",12345678901234567890]',
    '["\u007f12345678901234567890",12345678901234567890]',
  ],
  ['{"__proto__":12345678901234567890}', '{"__proto__":12345678901234567890}'],
  ['12345678901234567890', '12345678901234567890'],
])('%s keeps its digits', (text, expected) => {
  expect(JSON.stringify(parseExactly(text))).toBe(expected);
});

test.each(['{"a":012345678901234567890}', '[12345678901234567890', '[12345678901234567890x]'])(
  '%s is no JSON',
  (text) => {
    expect(() => parseExactly(text)).toThrow(SyntaxError);
  },
);
