import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SqlError } from '../../../src/sql/common/sql-error.ts';
import { sqlBench } from '../support.ts';

const bench = sqlBench({});

function compile(call: string, pattern: string): string {
  const parameters = { p: { type: 'string', value: pattern } } as const;
  const duckdb = bench.compile(`select ${call} as x`, { parameters });
  bench.compile(`select ${call} as x`, { parameters, target: 'athena' });
  return duckdb.text;
}

describe('a pattern that RE2 refuses is refused, with the place and what to write', () => {
  test.each([
    ['(?=a)', 'at character 1, (?=a): RE2 cannot look ahead or behind'],
    ['a(?!b)', 'at character 2, (?!b): RE2 cannot look ahead or behind: write a second condition'],
    ['(?<=a)b', 'RE2 cannot look ahead or behind'],
    ['(?<!a)b', 'RE2 cannot look ahead or behind'],
    ['(?>a)', 'RE2 has no atomic groups'],
    ['(?#note)', 'RE2 has no comments'],
    ["(?'n'a)", 'RE2 names a group (?P<name>..)'],
    ['(?P<n>a)(?P=n)', 'RE2 cannot refer back'],
    ['(?P<a-b>a)', 'a group is named with letters, digits and _'],
    ['(?x)a', 'RE2 knows the groups'],
    ['(?i-)a', 'RE2 knows the groups'],
    ['(a)\\1', 'at character 4, \\1: RE2 cannot refer back'],
    ['a**', 'at character 3, *: a repetition cannot be repeated'],
    ['a++', 'at character 3, +: a repetition cannot be repeated'],
    ['a{2}{3}', 'a repetition cannot be repeated'],
    ['*a', 'at character 1, *a: there is nothing to repeat'],
    ['a|+', 'there is nothing to repeat'],
    ['(?i)*', 'there is nothing to repeat'],
    ['a{1001}', 'RE2 repeats 1000 times at most'],
    ['a{3,2}', 'the most is less than the least'],
    ['(a{10}){101}', 'more than RE2'],
    ['\\pL{1000}', 'is too large'],
    ['(a', 'at character 1, (a: its ) is missing'],
    ['a)', 'at character 2, ): no group is open here'],
    ['[a', 'at character 1, [a: its ] is missing'],
    ['[]', 'its ] is missing'],
    ['[b-a]', 'at character 2, b-a]: the range ends before it starts'],
    ['[[:letter:]]', 'such classes are alnum, alpha'],
    ['[\\b]', 'write \\x08 for a backspace'],
    ['\\p{Greekish}', 'RE2 knows no such Unicode group'],
    ['\\p{Script=Greek}', 'RE2 knows no such Unicode group'],
    ['\\p{Cn}', 'RE2 knows no such Unicode group'],
    ['\\p{L', 'the name of a Unicode group follows'],
    ['\\x{110000}', 'a code point is written'],
    ['\\xg0', 'a code point is written'],
    ['\\Z', 'RE2 has no escape \\Z: write \\z'],
    ['\\u00e9', 'write \\x{20AC}'],
    ['\\y', 'leave out the backslash'],
    ['\\E', 'there is no \\Q before it'],
    ['ab\\', 'at character 3, \\: nothing follows the backslash'],
    ['\\C', 'a single byte cannot be matched here: write (?s:.)'],
    ['()'.repeat(2001), 'has 4002 characters, and 4000 is the most'],
    [`${'('.repeat(101)}${')'.repeat(101)}`, 'nested more than 100 deep'],
    ['aaaaaaaaaa(?=bbbbbbbbbbbbbbbbbbbbbbbb)', 'at character 11, (?=bbbbbbbbbbbbbbbbb…:'],
  ])('%s', (pattern, message) => {
    expect(() => compile("regexp_contains('a', @p)", pattern)).toThrow(message);
    expect(() => compile("regexp_contains('a', @p)", pattern)).toThrow('REGEXP_CONTAINS: ');
  });
});

describe('a call that cannot be the same on both engines is refused by name', () => {
  test.each([
    ["regexp_contains('a', lower('A'))", 'a', undefined],
    ["regexp_contains('a', concat('a', '|b'))", 'a', undefined],
    ["regexp_contains('a', string_agg('b'))", 'a', 'the pattern must be a constant'],
    ["regexp_contains('a')", 'a', 'REGEXP_CONTAINS takes 2 arguments, not 1'],
    ["regexp_contains('a', @p)", '\\B', 'which RE2 then finds inside of characters'],
    ["regexp_extract('a', @p)", '(a)(b)', 'the pattern has 2 groups, and one is the most'],
    ["regexp_extract('a', @p)", '(a*)+', 'repeats something that has a group and can be empty'],
    ["regexp_extract('a', @p)", '(?:a?|b)*c', 'not known where a match ends'],
    ["regexp_replace('a', @p, 'b')", '(?:a??){2}c', 'not known where a match ends'],
    ["regexp_instr('a', @p)", '(?:\\b|a)+c', 'not known where a match ends'],
    ["regexp_contains('a', @p)", '(?:a?|b)*c', undefined],
    ["regexp_extract('a', @p)", '(?:a?b*)*c', undefined],
    ["regexp_extract('a', @p, 2)", '^a', 'a position other than 1 does not go with ^'],
    ["regexp_extract('a', @p, 2)", 'a*', 'a position other than 1 needs a pattern that matches'],
    ["regexp_extract('a', @p, 0)", 'a', 'argument 3 must be a constant of 1 or more'],
    ["regexp_extract('a', @p, 1, 2)", 'a*', 'its occurrences cannot be counted'],
    ["array_length(regexp_extract_all('a', @p))", 'a*$', 'and only at some places'],
    ["regexp_replace('a', @p, 'b')", 'a*|b', 'whether right after another match'],
    ["regexp_replace('a', @p, 'b')", 'a*\\b', 'whether right after another match'],
    ["regexp_replace('a', @p, 'b')", '\\ba*', 'whether right after another match'],
    ["regexp_replace('a', @p, r'\\d')", 'a', 'a backslash before d: write'],
    ["regexp_replace('a', @p, 'b\\\\')", 'a', 'a backslash before its end'],
    ["regexp_replace('a', @p, r'\\1')", 'a', 'asks for group 1, and the pattern has none'],
    ["regexp_replace('a', @p, r'\\2')", '(a)', 'asks for group 2, and the pattern has 1'],
    ["regexp_replace('a', @p, string_agg('b'))", 'a', 'the replacement must be a constant'],
    ["regexp_instr('a', @p)", '(a)', 'the position of a group is not supported'],
    ["regexp_instr('a', @p)", 'a*', 'matches the empty text too'],
    ["regexp_instr('a', @p, 1, 2)", 'a', 'the occurrence can only be 1'],
  ])('%s with %s', (call, pattern, message) => {
    const compiled = () => compile(call, pattern);
    if (message === undefined) {
      expect(compiled()).toMatch(/^SELECT /);
    } else {
      expect(compiled).toThrow(message);
    }
  });
});

test('a position in the query is part of the error', () => {
  expect(() => bench.compile("select\n  regexp_contains('a', '[') as x")).toThrow(
    '(line 2, column 3)',
  );
});

describe('any text as a pattern', () => {
  const soup = fc
    .array(
      fc.constantFrom(
        ...[
          'a',
          'é',
          '😀',
          '-',
          '[',
          ']',
          '^',
          ':',
          '(',
          '?',
          ')',
          '|',
          '*',
          '+',
          '{',
          '}',
          ',',
          '1',
        ],
        ...[
          '(?i)',
          '(?P<n>',
          '{2,3}',
          '\\',
          '\\p',
          '\\x',
          '\\Q',
          '\\E',
          '[:alpha:]',
          '$',
          '.',
          '&&',
        ],
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));

  test('is refused with a SqlError, or DuckDB takes what is printed', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(soup, fc.string({ unit: 'binary' })), async (pattern) => {
        let text: string;
        try {
          text = compile("regexp_extract('aé😀', @p)", pattern);
        } catch (error) {
          expect(error).toBeInstanceOf(SqlError);
          return;
        }
        taken += 1;
        const parameters = { p: { type: 'string', value: pattern } } as const;
        await expect(
          bench.rows("select regexp_extract('aé😀', @p) as x", { parameters }),
          text,
        ).resolves.toHaveLength(1);
      }),
      { numRuns: 1500 },
    );
    expect(taken).toBeGreaterThan(300);
  });
});
