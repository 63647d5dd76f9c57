import { expect, test } from 'vitest';
import { convertDocument } from './openx.ts';

test.each([
  ['keys in any case, unknown ones dropped', '{"ID":"a","colour":"red"}', '{"id":"a"}'],
  ['null as if it were not there', '{"id":"a","s000":null}', '{"id":"a"}'],
  ['numbers out of text', '{"timestamp_us":"200"}', '{"timestamp_us":"200"}'],
  [
    'every digit of a whole number',
    '{"timestamp_us":9223372036854775807}',
    '{"timestamp_us":9223372036854775807}',
  ],
  ['text out of numbers', '{"s000":200,"s001":true}', '{"s000":"200","s001":"true"}'],
  ['half a surrogate pair as a question mark', '{"s000":"a\\ud83d"}', '{"s000":"a?"}'],
])('reads %s', (_, document, row) => {
  expect(convertDocument(document)).toBe(row);
});

test.each([
  ['an object as text, since its keys would lose their case', '{"metadata":{"requestId":1}}'],
  ['text that is no number', '{"timestamp_us":"oops"}'],
  ['what is beyond 64 bits', '{"timestamp_us":9223372036854775808}'],
  ['a fraction as a whole number', '{"timestamp_us":1.5}'],
  ['a time with an offset', '{"timestamp":"2026-02-03T04:05:06+09:00"}'],
])('refuses %s', (_, document) => {
  expect(() => convertDocument(document)).toThrow(/is no/);
});
