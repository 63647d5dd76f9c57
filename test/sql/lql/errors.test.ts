import { describe, expect, test } from 'vitest';
import { refusal } from './support.ts';

describe('what cannot be read is refused, with what stands there and where', () => {
  const field = (path: string, value: string): string =>
    `Error while parsing \`${path}\` field metadata filter value: ${value}`;
  const quoted = (path: string, value: string): string =>
    `${field(path, value)} - write such a value in quotes`;
  const time = (text: string): string =>
    `Error while parsing timestamp filter value: expected ISO8601 string, Unix timestamp, range or shorthand, got '${text}'`;

  test.each([
    ['m.field:', field('metadata.field', '""'), 9],
    ['a: b', field('a', '""'), 3],
    ['s:', field('s', '""'), 3],
    ['f:', field('f', '""'), 3],
    ['c:', field('c', '""'), 3],
    ['m.field::value', quoted('metadata.field', ':value'), 9],
    ['m.field:>>100', quoted('metadata.field', '>100'), 10],
    ['x a:-5', quoted('a', '-5'), 5],
    ['path:/rest/v1 x', quoted('path', '/rest/v1'), 6],
    ['a:~\\d', quoted('a', '\\d'), 4],
    ['http://example.com', quoted('http', '//example.com'), 6],
    ['t:', time(''), 3],
    ['t:invalid', time('invalid'), 3],
    ['t:>20', time('20'), 4],
    ['t:NULL', time('NULL'), 3],
    ['t:"2023-01-01"', time('"2023-01-01"'), 3],
    ['t:2023-13-01', time('2023-13-01'), 3],
    ['t:>2023-02-30', time('2023-02-30'), 4],
    ['t:17106832220000', time('17106832220000'), 3],
    ['t:last@5', time('last@5'), 3],
    ['t:last@12345m', time('last@12345m'), 3],
    ['t:last@9999y', time('last@9999y'), 3],
    ['t:this@', time('this@'), 3],
    ['t:this@second', time('this@second'), 3],
    ['t:this@5m', time('this@5m'), 3],
    ['t:2023-01-01..today', time('2023-01-01..today'), 3],
    ['t:2023-01-01T10', time('2023-01-01T10'), 3],
    ['t:2020-{1..13}-01', time('2020-{1..13}-01'), 3],
    [
      't:2024-03-17T13:47:02+00:00..2024-03-17T13:57:02.000',
      'Timestamp range cannot mix timestamps with and without timezone offsets',
      3,
    ],
    [
      's:m.qty@',
      'Error while parsing select clause: select alias cannot be blank, expected alias name after @. For example, s:my_field@my_alias',
      9,
    ],
  ])('%s', (lql, message, column) => {
    const error = refusal(lql);

    expect(error.code).toBe('lql_syntax');
    expect(error.status).toBe(400);
    expect(error.message).toBe(`${message} (line 1, column ${column})`);
  });
});

describe('text that upstream would read as something else than its author means is refused', () => {
  test.each([
    ['cluster:prod-c', '-c', 13],
    ['id:550e8400-e29b', 'e8400-e29b', 7],
    ['ip:192.168.1.1', '.1.1', 11],
    ['n:123abc', 'abc', 6],
    ['a:1e5', 'e5', 4],
    ['a:foo,bar', ',bar', 6],
    ['a:1..b', '..b', 4],
    ['a:NULLABLE', 'ABLE', 7],
    ['a:debug..error', '..error', 8],
    ['f:my-table', '-table', 5],
    ['a~b', '~b', 2],
    ["it's", "'s", 3],
    ['(a:1)', ':1)', 3],
    ['foo:bar:baz', ':baz', 8],
    ['a:"b"c', 'c', 6],
    ['"a""b"', '"b"', 4],
    ['s:a-b', '-b', 4],
    ['C:count(*)', '(*)', 8],
  ])('%s', (lql, rest, column) => {
    const { message } = refusal(lql);

    expect(message).toMatch(`LQL cannot go on with ${rest} here: write a blank`);
    expect(message).toMatch(`(line 1, column ${column})`);
  });

  test.each(['c:min(x)', 'c:p90(x)', 'c:COUNT(*)', 'c:group_by(t::week)', 'c:count( * )'])(
    '%s',
    (lql) => {
      expect(refusal(lql).message).toMatch('is not a chart: write c:group_by(t::second)');
    },
  );
});

describe('clauses that make no sense', () => {
  test.each([
    ['   ', 'The LQL query is blank'],
    ['"unclosed', 'This quote is never closed'],
    ['a:"unclosed', 'This quote is never closed'],
    ['é', 'LQL cannot read é here'],
    ['a:1 `x`', 'LQL cannot read `x` here'],
    ['-', 'A minus negates the filter right behind it'],
    ['- x', 'A minus negates the filter right behind it'],
    ['~', 'A pattern is missing behind ~'],
    ['~~x', 'A pattern is missing behind ~'],
    ['""', 'There is nothing to search for'],
    ['~""', 'There is nothing to search for'],
    ['-f:x', 'Only filters can be negated'],
    ['-s:x', 'Only filters can be negated'],
    ['-c:count(*)', 'Only filters can be negated'],
    ['f:a f:b', 'Only one from rule (f:table) is allowed per query, found 2'],
    ['c:countd(*)', 'countd needs a field: write c:countd(field)'],
    ['a:>NULL', 'NULL stands behind a colon alone'],
    ['a:>1..2', 'A range stands behind a colon alone: remove >'],
    ['m.level:error..debug', 'A range of levels runs upwards: write debug..error'],
    ['t:~2020-01-01', 'A timestamp is compared with :, :>, :>=, :< or :<='],
    ['a..b:1', 'A name is missing here'],
    ['s:.a', 'A name is missing here'],
    [`s:${'a.'.repeat(20)}a`, 'A path can have at most 20 names'],
    ['s:a@x s:b@x', 'Two columns would be named x: give one another alias, as in s:b@other'],
    ['a\u0000b', 'LQL cannot hold a NUL character'],
    ['x '.repeat(101), 'An LQL query can have at most 100 clauses'],
  ])('%j', (lql, message) => {
    expect(refusal(lql).message).toMatch(message);
  });

  test('a position counts lines', () => {
    expect(refusal('a:1\n  b:').message).toMatch('(line 2, column 5)');
  });

  test('a text of more than 16 KB', () => {
    const error = refusal('x'.repeat(16_385));

    expect(error.code).toBe('lql_too_large');
  });

  test('messages show long texts cut', () => {
    expect(refusal(`a:/${'x'.repeat(5000)}`).message.length).toBeLessThan(300);
  });
});

describe('the table, in the words of Logflare', () => {
  test.each([
    ['f:nonexistent s:col1', ['a', 'b'], "Table 'nonexistent' not found in available CTEs: a, b"],
    ['f:A', ['a'], "Table 'A' not found in available CTEs: a"],
    [
      's:col1',
      ['a', 'b'],
      'Multiple CTEs available (a, b). You must specify which one to query using `f:name`',
    ],
    ['s:col1', [], 'No CTEs found in query'],
    ['f:a', [], 'No CTEs found in query'],
  ])('%s over %j', (lql, tables, message) => {
    const error = refusal(lql, { tables });

    expect(error.code).toBe('lql_unknown_table');
    expect(error.message).toBe(message);
  });
});
