import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SqlError } from '../../../src/sql/common/sql-error.ts';
import { parameterNames, tableNames } from '../../../src/sql/compile.ts';
import { parse } from '../../../src/sql/parse/parse.ts';

describe('parameter names', () => {
  test.each([
    ['select @a, @B, @a', ['a', 'B']],
    ['select \'@x\' -- @y\n, "@z" # @q\n/* @r */', []],
    ['select 1 limit @n offset @o', ['n', 'o']],
    ['select timestamp_sub(t, interval @n hour) from x', ['n']],
    ['select a in unnest(@ids) from x', ['ids']],
    ['select @`a`, @ b', ['a', 'b']],
    ['with q as (select @c from old) select 1', ['c']],
    ['select @test, @test_another', ['test', 'test_another']],
  ])('%s', (sql, names) => {
    expect(parameterNames(sql)).toEqual(names);
  });
});

test('table names are found at every depth', () => {
  const sql = `with a as (select 1 from one) select (select 1 from two), case when exists (select 1 from \`three.3\`) then 1 end
    from four join (select 1 from five-and-a-half) on x in (select y from six.logs.2)`;
  expect(tableNames(sql).sort()).toEqual([
    'five-and-a-half',
    'four',
    'one',
    'six.logs.2',
    'three.3',
    'two',
  ]);
});

describe('no text makes the parser do anything but parse or refuse', () => {
  const words = fc.constantFrom(
    ...[
      'select',
      'from',
      'where',
      'with',
      'as',
      '(',
      ')',
      ',',
      '.',
      '*',
      'a',
      '`b`',
      "'c'",
      '1',
      '2.5',
      '@p',
      'union all',
    ],
    ...[
      'join',
      'on',
      'unnest',
      'case',
      'when',
      'then',
      'end',
      'not',
      'in',
      'between',
      'and',
      'or',
      '=',
      '<',
      '[',
      ']',
      '-',
    ],
    ...[
      'interval',
      'day',
      'over',
      'order by',
      'group by',
      'limit',
      'cast',
      'struct',
      'array',
      'exists',
      ';',
      '--',
      '/*',
      '"',
    ],
  );
  const parses = (sql: string): boolean => {
    try {
      parse(sql);
      return true;
    } catch (error) {
      if (error instanceof SqlError) return false;
      throw error;
    }
  };

  test('any characters', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        (sql) => typeof parses(sql) === 'boolean',
      ),
    );
  });

  test('any words of the language', () => {
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 60 }),
        (list) => typeof parses(`select ${list.join(' ')}`) === 'boolean',
      ),
      { numRuns: 2000 },
    );
  });

  test('any string survives being quoted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const quoted = `'${text.replace(/[\\'\n\r]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)}'`;
        fc.pre(!text.includes('\u0000'));
        const { body } = parse(`select ${quoted}`);
        expect(body).toMatchObject({ items: [{ expr: { kind: 'string', value: text } }] });
      }),
    );
  });

  test('nested parentheses before a join do not double the work at each level', () => {
    const depth = 60;
    const sql = `select 1 from ${'('.repeat(depth)}(select 1 as x) as a${' join (select 1 as y) b on true)'.repeat(depth)}`;
    expect(parses(sql)).toBe(true);
  });
});
