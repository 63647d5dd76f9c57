import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringifyJson } from '../../../src/platform/json/json.ts';
import { decodeRows } from '../../../src/query/decoding/decode.ts';
import type {
  OutputColumn,
  OutputShape,
  OutputType,
} from '../../../src/sql/common/result-schema.ts';

const PLAIN = { redact: false, nestedRecords: 'object' } as const;
const RECORDS = { redact: false, nestedRecords: 'array' } as const;

function column(name: string, type: OutputType): OutputColumn {
  return { name, type };
}

/** Decodes one cell and gives the JSON text that a client would see. */
function json(
  type: OutputType,
  cell: string | null,
  options: Parameters<typeof decodeRows>[2] = PLAIN,
) {
  const [row] = decodeRows([column('v', type)], [[cell]], options);
  return stringifyJson(row?.v);
}

describe('decodeRows', () => {
  test.each([
    ['int64', '42', '42'],
    ['int64', '-9007199254740991', '-9007199254740991'],
    ['int64', '9223372036854775807', '9223372036854775807'],
    ['float64', '1.5', '1.5'],
    ['float64', '1.0E10', '10000000000'],
    ['float64', '-0.0', '0'],
    ['float64', 'NaN', '"NaN"'],
    ['float64', 'nan', '"NaN"'],
    ['float64', 'Infinity', '"Infinity"'],
    ['float64', '-inf', '"-Infinity"'],
    ['bool', 'true', 'true'],
    ['bool', 'false', 'false'],
    ['string', '', '""'],
    ['string', '42', '"42"'],
    ['timestamp', '1767225600123456', '1767225600123456'],
    ['date', '2026-01-01', '"2026-01-01"'],
    ['datetime', '1767225600000000', '"2026-01-01T00:00:00"'],
    ['datetime', '1767225600000001', '"2026-01-01T00:00:00.000001"'],
    ['datetime', '-1', '"1969-12-31T23:59:59.999999"'],
    ['datetime', '253402300799999999', '"9999-12-31T23:59:59.999999"'],
  ] as const)('shows %s %s as %s', (kind, cell, expected) => {
    expect(json({ kind }, cell)).toBe(expected);
  });

  test('shows a missing value of any type as null', () => {
    const kinds = ['int64', 'float64', 'bool', 'string', 'timestamp', 'datetime', 'date', 'json'];
    for (const kind of kinds as OutputType['kind'][]) expect(json({ kind }, null)).toBe('null');
  });

  test('shows JSON as the value it holds, integers of any size exact', () => {
    const text = '{"a":[1,{"b":12345678901234567890}],"c":null}';
    expect(json({ kind: 'json' }, text)).toBe(text);
  });

  test('gives structs their names back, at any depth', () => {
    const shape: OutputShape = {
      kind: 'array',
      of: {
        kind: 'struct',
        fields: [
          { name: 'at', shape: { kind: 'scalar', type: { kind: 'datetime' } } },
          { name: 'n', shape: { kind: 'scalar', type: { kind: 'int64' } } },
          { name: 'ratio', shape: { kind: 'scalar', type: { kind: 'float64' } } },
          { name: 'raw', shape: { kind: 'scalar', type: { kind: 'json' } } },
        ],
      },
    };
    const cell =
      '[[1767225600000000,"9223372036854775807","NaN",{"x":[1]}],null,[null,1,0.5,null]]';
    expect(json({ kind: 'json', shape }, cell)).toBe(
      '[{"at":"2026-01-01T00:00:00","n":9223372036854775807,"ratio":"NaN","raw":{"x":[1]}},' +
        'null,{"at":null,"n":1,"ratio":0.5,"raw":null}]',
    );
  });

  test('lets the last of several columns with one name win', () => {
    const columns = [column('a', { kind: 'int64' }), column('a', { kind: 'string' })];
    expect(decodeRows(columns, [['1', 'two']], PLAIN)).toEqual([{ a: 'two' }]);
  });

  test.each(['__proto__', 'constructor', 'toJSON'])('treats a column named %s as data', (name) => {
    const [row] = decodeRows([column(name, { kind: 'string' })], [['x']], PLAIN);
    expect(stringifyJson(row)).toBe(`{"${name}":"x"}`);
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
  });

  test('keeps a __proto__ key inside JSON as data, also when it is rewritten', () => {
    const text = '{"__proto__":{"admin":"1.2.3.4"}}';
    expect(json({ kind: 'json' }, text, { redact: true, nestedRecords: 'array' })).toBe(
      '[{"__proto__":[{"admin":"REDACTED"}]}]',
    );
  });

  test('redacts values when asked to, whatever their column', () => {
    const columns = [column('ip', { kind: 'string' }), column('m', { kind: 'json' })];
    const rows = decodeRows(columns, [['10.0.0.1', '{"10.0.0.1":"from 10.0.0.1"}']], {
      redact: true,
      nestedRecords: 'object',
    });
    expect(rows).toEqual([{ ip: 'REDACTED', m: { '10.0.0.1': 'from REDACTED' } }]);
  });

  test('renders objects as arrays of one at every depth below the row', () => {
    const text = '{"request":{"headers":{"host":"h"}},"id":12345678901234567890}';
    expect(json({ kind: 'json' }, text, RECORDS)).toBe(
      '[{"request":[{"headers":[{"host":"h"}]}],"id":12345678901234567890}]',
    );
  });

  test('leaves a list of objects one list, which is one repeated record already', () => {
    const text = '{"items":[{"tags":{"a":1}},{"tags":{"a":2}},[{"b":3}],"x"]}';
    expect(json({ kind: 'json' }, text, RECORDS)).toBe(
      '[{"items":[{"tags":[{"a":1}]},{"tags":[{"a":2}]},[{"b":3}],"x"]}]',
    );
  });

  test.each([
    [{ kind: 'int64' }, '1.5'],
    [{ kind: 'float64' }, ''],
    [{ kind: 'bool' }, 't'],
    [{ kind: 'json' }, '{'],
    [{ kind: 'json', shape: { kind: 'struct', fields: [] } }, '[1]'],
    [{ kind: 'json', shape: { kind: 'array', of: { kind: 'struct', fields: [] } } }, '{}'],
  ] as [OutputType, string][])(
    'refuses a cell that is not %j, without quoting it',
    (type, cell) => {
      expect(() => json(type, cell)).toThrow(/^The engine returned a cell that is not [\w ]+\.$/);
    },
  );

  test('refuses a row of another width than its columns', () => {
    expect(() => decodeRows([column('a', { kind: 'string' })], [[]], PLAIN)).toThrow(
      'The engine returned 0 cells for 1 columns.',
    );
  });

  test('keeps every int64 exact', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(json({ kind: 'int64' }, value.toString())).toBe(value.toString());
      }),
    );
  });

  test('keeps every string exact', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(json({ kind: 'string' }, text))).toBe(text);
      }),
    );
  });

  test('keeps every JSON value exact', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(json({ kind: 'json' }, text))).toEqual(JSON.parse(text));
      }),
    );
  });
});
