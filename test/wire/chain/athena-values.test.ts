import { expect, test } from 'vitest';
import { athenaText } from './athena-values.ts';

// Java's Double.toString, which Athena's texts come from.
test.each([
  [0, '0.0'],
  [-0, '-0.0'],
  [1, '1.0'],
  [10.5, '10.5'],
  [0.001, '0.001'],
  [0.0001, '1.0E-4'],
  [9_999_999, '9999999.0'],
  [10_000_000, '1.0E7'],
  [-1.25e21, '-1.25E21'],
  [Number.NaN, 'NaN'],
  [Number.NEGATIVE_INFINITY, '-Infinity'],
])('the double %d is written as %s', (value, text) => {
  expect(athenaText('double', Object.is(value, -0) ? '-0' : String(value))).toBe(text);
});

test('all else of an answer is written as Trino writes it, and NULL has no text', () => {
  expect(athenaText('bigint', '9223372036854775807')).toBe('9223372036854775807');
  expect(athenaText('varchar', '')).toBe('');
  expect(athenaText('double', null)).toBeNull();
});

test('a type of which nothing is known is not guessed at', () => {
  expect(() => athenaText('timestamp', '2026-02-03 04:05:06')).toThrow('timestamp');
});
