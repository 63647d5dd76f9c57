import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ParameterDeclaration, ParameterType } from '../../../src/catalog/types.ts';
import { parseJson } from '../../../src/platform/json/json.ts';
import {
  bindParameters,
  type CallInput,
  sampleParameters,
} from '../../../src/query/parameters/parameters.ts';

function declare(type: ParameterType, more: Partial<ParameterDeclaration> = {}) {
  return { name: 'p', type, required: false, ...more };
}

/** Binds one declared parameter and gives its value. */
function bind(declaration: ParameterDeclaration, input: CallInput) {
  return bindParameters([declaration], ['p'], input).p?.value;
}

describe('bindParameters', () => {
  test('makes used names that are not declared optional strings', () => {
    expect(bindParameters([], ['a', 'b'], { a: 'x' })).toEqual({
      a: { type: 'string', value: 'x' },
      b: { type: 'string', value: null },
    });
  });

  test('ignores inputs that no text uses', () => {
    expect(bindParameters([], ['a'], { a: 'x', z: ['not', 'even', 'text'] })).toEqual({
      a: { type: 'string', value: 'x' },
    });
  });

  test('matches names by case', () => {
    expect(bindParameters([], ['a'], { A: 'x' })).toEqual({ a: { type: 'string', value: null } });
  });

  test('does not take inherited properties for inputs', () => {
    const bound = bindParameters([], ['constructor', '__proto__'], {});
    expect(Object.entries(bound)).toEqual([
      ['constructor', { type: 'string', value: null }],
      ['__proto__', { type: 'string', value: null }],
    ]);
  });

  test.each([
    ['string', 'x y', 'x y'],
    ['string', '', ''],
    ['int64', '9223372036854775807', 9223372036854775807n],
    ['int64', '-9223372036854775808', -9223372036854775808n],
    ['int64', '+7', 7n],
    ['int64', '', null],
    ['float64', '1.5e3', 1500],
    ['float64', '-.5', -0.5],
    ['bool', 'TRUE', true],
    ['bool', 'false', false],
    ['timestamp', '', null],
  ] as const)('reads a %s from %j', (type, text, expected) => {
    expect(bind(declare(type), { p: text })).toBe(expected);
  });

  test.each([
    ['2026-01-01T00:00:00Z', 1767225600000000],
    ['2026-01-01t00:00:00z', 1767225600000000],
    ['2026-01-01 00:00Z', 1767225600000000],
    ['2026-01-01T02:00:00+02:00', 1767225600000000],
    ['2025-12-31T19:00:00.000001-0500', 1767225600000001],
    ['2026-01-01T00:00:00.123456789Z', 1767225600123456],
    ['2026-01-01T02:00:00 02:00', 1767225600000000],
    ['1969-12-31T23:59:59.999999Z', -1],
    ['0001-01-01T00:00:00Z', -62135596800000000],
    ['1767225600123456', 1767225600123456],
    ['-1', -1],
  ])('reads the time %s', (text, expected) => {
    expect(bind(declare('timestamp'), { p: text })).toBe(expected);
  });

  test.each([
    ['int64', '1.5'],
    ['int64', '9223372036854775808'],
    ['int64', '0x10'],
    ['float64', 'NaN'],
    ['float64', '1e999'],
    ['float64', 'one'],
    ['bool', '1'],
    ['timestamp', 'yesterday'],
    ['timestamp', '2026-01-01'],
    ['timestamp', '2026-01-01T00:00:00'],
    ['timestamp', '2026-02-30T00:00:00Z'],
    ['timestamp', '2026-01-01T24:00:00Z'],
    ['timestamp', '2026-01-01T00:00:00+99:00'],
    ['timestamp', '253402300800000000'],
  ] as const)('refuses for a %s the text %j', (type, text) => {
    expect(() => bind(declare(type), { p: text })).toThrow(/^The parameter "p" must be /);
  });

  test.each([
    ['string', '5', '5'],
    ['string', 'true', 'true'],
    ['string', '12345678901234567890', '12345678901234567890'],
    ['int64', '9007199254740993', 9007199254740993n],
    ['float64', '0.25', 0.25],
    ['bool', 'true', true],
    ['string', 'null', null],
  ] as const)('reads a %s from the JSON value %s', (type, json, expected) => {
    expect(bind(declare(type), { p: parseJson(json) })).toBe(expected);
  });

  test.each(['[]', '["x"]', '{}', '{"a":1}'])('refuses the JSON value %s', (json) => {
    expect(() => bind(declare('string'), { p: parseJson(json) })).toThrow(
      expect.objectContaining({
        code: 'invalid_parameter',
        status: 400,
        message: 'The parameter "p" must be text.',
      }),
    );
  });

  test.each([{}, { p: '' }, { p: null }])(
    'reports a required parameter missing from %j',
    (input) => {
      expect(() => bind(declare('int64', { required: true }), input)).toThrow(
        expect.objectContaining({
          code: 'missing_parameter',
          status: 400,
          message: expect.stringMatching(
            /^The parameter "p" is missing; it must be a whole number/,
          ),
        }),
      );
    },
  );

  test('reports a required parameter missing even where no text uses it', () => {
    expect(() => bindParameters([declare('string', { required: true })], [], {})).toThrow(
      'The parameter "p" is missing; it must be text.',
    );
  });

  test('takes the default for a missing parameter', () => {
    const declaration = declare('int64', { required: true, default: 10 });
    expect(bind(declaration, {})).toBe(10n);
  });

  test('names the values that an enum allows', () => {
    const interval = declare('string', { enum: ['hourly', 'daily', 'minutely'] });
    expect(bind(interval, { p: 'daily' })).toBe('daily');
    expect(() => bind(interval, { p: 'weekly' })).toThrow(
      'The parameter "p" must be one of hourly, daily, minutely.',
    );
  });

  test('compares with an enum by value', () => {
    expect(bind(declare('int64', { enum: [7] }), { p: '007' })).toBe(7n);
  });

  test('answers any text with a value or a sentence about the parameter', () => {
    const types = fc.constantFrom<ParameterType>('string', 'int64', 'float64', 'bool', 'timestamp');
    fc.assert(
      fc.property(types, fc.string({ unit: 'binary' }), (type, text) => {
        try {
          expect(bindParameters([declare(type)], [], { p: text }).p?.type).toBe(type);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_parameter', status: 400 });
        }
      }),
    );
  });

  test('reads every moment back that JavaScript can print', () => {
    const years = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') };
    fc.assert(
      fc.property(fc.date({ ...years, noInvalidDate: true }), (moment) => {
        expect(bind(declare('timestamp'), { p: moment.toISOString() })).toBe(
          moment.getTime() * 1_000,
        );
      }),
    );
  });
});

describe('sampleParameters', () => {
  test('takes the default, else the first of the enum, else null', () => {
    const samples = sampleParameters([
      declare('int64', { name: 'a', default: 5, enum: [1, 5] }),
      declare('string', { name: 'b', enum: ['x', 'y'], required: true }),
      declare('timestamp', { name: 'c', required: true }),
    ]);
    expect(samples).toEqual({
      a: { type: 'int64', value: 5n },
      b: { type: 'string', value: 'x' },
      c: { type: 'timestamp', value: null },
    });
  });

  test('reports a default that does not fit its type', () => {
    expect(() => sampleParameters([declare('bool', { default: 'maybe' })])).toThrow(
      'The parameter "p" must be true or false.',
    );
  });
});
