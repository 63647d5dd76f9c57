import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/platform/errors.ts';
import {
  isPlainObject,
  isPlainString,
  isRawNumber,
  MAX_JSON_DEPTH,
  parseJson,
  parseJsonBytes,
  rawNumber,
  stringifyJson,
} from '../../../src/platform/json/json.ts';

const utf8 = (text: string): Uint8Array => Buffer.from(text);
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof ServiceError ? `${error.status} ${error.code}` : String(error);
  }
  return 'nothing thrown';
}

describe.each([
  ['parseJson', parseJson],
  ['parseJsonBytes', (text: string) => parseJsonBytes(utf8(text))],
])('%s', (_name, parse) => {
  test.each([
    '9007199254740992',
    '-9007199254740993',
    '1713268565764892123',
    '9223372036854775807',
    '-9223372036854775808',
    '123456789012345678901234567890',
    '{"a":[1,{"b":12345678901234567890}]}',
    '[ 12345678901234567890 , 1 ]'.replaceAll(' ', ''),
  ])('keeps every digit of %s', (text) => {
    expect(stringifyJson(parse(text))).toBe(text);
  });

  test.each([
    ['white space before it', '{"a":\n\t12345678901234567890}', '{"a":12345678901234567890}'],
    ['a space before it', '[1, 12345678901234567890]', '[1,12345678901234567890]'],
  ])('keeps the digits of an integer with %s', (_case, text, compact) => {
    expect(stringifyJson(parse(text))).toBe(compact);
  });

  test.each(['9007199254740991', '-9007199254740991', '1713268565764892', '0', '-1'])(
    'reads the safe integer %s as a number',
    (text) => {
      expect(parse(text)).toBe(Number(text));
    },
  );

  test.each(['1234567890123456789.5', '12345678901234567e3', '0.12345678901234567890'])(
    'reads %s, which is no integer, as a double',
    (text) => {
      expect(parse(text)).toBe(Number(text));
    },
  );

  test('leaves digits inside strings alone', () => {
    const text = '{"a":": 12345678901234567890, ","12345678901234567890":"9999999999999999"}';
    expect(stringifyJson(parse(text))).toBe(text);
  });

  test('reads __proto__ and constructor as data', () => {
    const value = parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');

    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect((value as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('reads __proto__ as data beside an integer that a double cannot hold', () => {
    const text = '{"__proto__":{"polluted":12345678901234567890}}';
    expect(stringifyJson(parse(text))).toBe(text);
  });

  test('takes the last of two equal keys', () => {
    expect(parse('{"a":1,"a":2}')).toEqual({ a: 2 });
  });

  test.each(['', '{', '{"a":}', "{'a':1}", 'nul', '[1,]', '\u0000'])('refuses %j', (text) => {
    expect(codeOf(() => parse(text))).toBe('400 invalid_json');
  });

  test('says where malformed JSON breaks, without quoting it', () => {
    expect(() => parse('{"password":"hunter2",}')).toThrow(
      /^This is not valid JSON \(at position 22\)\.$/,
    );
  });

  test('keeps the digits of every integer there is', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.string(), fc.boolean(), (integer, filler, isInList) => {
        const value = isInList ? `[${integer}]` : `${integer}`;
        const text = `{"text":${JSON.stringify(filler)},"value":${value}}`;
        expect(stringifyJson(parse(text))).toBe(text);
      }),
    );
  });

  test('agrees with JSON.parse on everything but unsafe integers', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(stringifyJson(parse(text)))).toEqual(
          JSON.parse(JSON.stringify(JSON.parse(text))),
        );
      }),
    );
  });

  test('throws nothing but ServiceError, whatever the text', () => {
    const fragment = fc.oneof(
      fc.string(),
      fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '12345678901234567890', '-', '\\u', 'e9'),
    );
    fc.assert(
      fc.property(fc.array(fragment), (fragments) => {
        try {
          parse(fragments.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
        }
      }),
    );
  });
});

describe('depth', () => {
  test('parseJson takes 64 levels and refuses 65', () => {
    expect(codeOf(() => parseJson(nested(MAX_JSON_DEPTH)))).toBe('nothing thrown');
    expect(codeOf(() => parseJson(nested(MAX_JSON_DEPTH + 1)))).toBe('400 nesting_too_deep');
  });

  test('parseJson survives a hundred thousand levels', () => {
    expect(codeOf(() => parseJson(nested(100_000)))).toBe('400 nesting_too_deep');
  });

  test('parseJsonBytes survives a hundred thousand levels around an unsafe integer', () => {
    const text = `${'['.repeat(100_000)}12345678901234567890${']'.repeat(100_000)}`;
    expect(codeOf(() => parseJsonBytes(utf8(text)))).toBe('400 nesting_too_deep');
  });

  test('a raw number does not count as a level', () => {
    const text = `${'['.repeat(MAX_JSON_DEPTH)}12345678901234567890${']'.repeat(MAX_JSON_DEPTH)}`;
    expect(stringifyJson(parseJson(text))).toBe(text);
  });
});

describe('bytes', () => {
  test('bytes that are not UTF-8 become U+FFFD', () => {
    const bytes = Buffer.concat([utf8('{"a":"x'), Buffer.from([0xff, 0xc3]), utf8('"}')]);
    expect(parseJsonBytes(bytes)).toEqual({ a: 'x\ufffd\ufffd' });
  });

  test('a byte order mark is skipped', () => {
    expect(parseJsonBytes(utf8('\ufeff{"a":1}'))).toEqual({ a: 1 });
  });

  test('an unsafe integer is found wherever the bytes lie in memory', () => {
    for (let offset = 0; offset < 48; offset++) {
      const text = `${' '.repeat(offset)}[9007199254740993]`;
      const padded = utf8(`${'x'.repeat(offset)}${text}`);
      expect(stringifyJson(parseJsonBytes(padded.subarray(offset)))).toBe('[9007199254740993]');
    }
  });

  test('long runs of digits are looked at once', () => {
    const digits = '1'.repeat(2_000_000);
    expect(parseJsonBytes(utf8(`{"a":"${digits}"}`))).toEqual({ a: digits });
  });
});

test('stringifyJson escapes lone surrogates', () => {
  expect(stringifyJson('a\ud800b')).toBe('"a\\ud800b"');
});

test('stringifyJson writes null for what is no JSON value', () => {
  expect(stringifyJson(undefined)).toBe('null');
});

test('isPlainString agrees with JSON.stringify', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      if (isPlainString(text)) expect(JSON.stringify(text)).toBe(`"${text}"`);
    }),
  );
  expect(isPlainString('plain text, é and 漢')).toBe(true);
  expect(isPlainString('a"b')).toBe(false);
});

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  ['{}', false],
  [rawNumber('1'), false],
])('isPlainObject(%j) is %s', (value, expected) => {
  expect(isPlainObject(value)).toBe(expected);
});

test('an object that looks like a raw number is an object', () => {
  expect(isRawNumber(parseJson('{"rawJSON":"1"}'))).toBe(false);
});

test.each([1, 2, 3])('bytes that end a buffer %i past a whole word are parsed', (start) => {
  const buffer = utf8('    1');
  expect(parseJsonBytes(Uint8Array.from(buffer).subarray(start))).toBe(1);
  expect(() => parseJsonBytes(new Uint8Array(start + 1).subarray(start))).toThrow(ServiceError);
});
