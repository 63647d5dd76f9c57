import { expect, test } from 'vitest';
import { convertDocument } from './openx.ts';

test.each([
  ['keys in any case, unknown ones dropped', '{"ID":"a","colour":"red"}', '{"id":"a"}'],
  ['null as if it were not there', '{"id":"a","level":null}', '{"id":"a"}'],
  ['numbers out of text', '{"response_status_code":"200"}', '{"response_status_code":"200"}'],
  [
    'every digit of a whole number',
    '{"execution_time_ms":9223372036854775807}',
    '{"execution_time_ms":9223372036854775807}',
  ],
  ['text out of numbers', '{"status":200,"level":true}', '{"status":"200","level":"true"}'],
  ['half a surrogate pair as a question mark', '{"msg":"a\\ud83d"}', '{"msg":"a?"}'],
])('reads %s', (_, document, row) => {
  expect(convertDocument(document)).toBe(row);
});

test.each([
  ['an object as text, since its keys would lose their case', '{"metadata":{"requestId":1}}'],
  ['text that is no number', '{"response_status_code":"oops"}'],
  ['what is beyond 64 bits', '{"execution_time_ms":9223372036854775808}'],
  ['a fraction as a whole number', '{"execution_time_ms":1.5}'],
  ['a time with an offset', '{"timestamp":"2026-02-03T04:05:06+09:00"}'],
])('refuses %s', (_, document) => {
  expect(() => convertDocument(document)).toThrow(/is no/);
});
