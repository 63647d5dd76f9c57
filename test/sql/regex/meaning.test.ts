import { type DuckDBConnection, DuckDBInstance, listValue } from '@duckdb/node-api';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { SqlError } from '../../../src/sql/common/sql-error.ts';
import { parseRegex } from '../../../src/sql/regex/parse.ts';
import { printRegex } from '../../../src/sql/regex/print.ts';
import { SCRIPTS } from '../../../src/sql/regex/scripts.ts';
import { patterns, TEXTS } from './patterns.ts';

/** RE2's own reading of a pattern, against what is printed of the tree that ours gives. */
let duckdb: DuckDBConnection;
beforeAll(async () => {
  const instance = await DuckDBInstance.create();
  duckdb = await instance.connect();
});

/** All matches in all texts, as JSON. */
async function matches(pattern: string, texts = TEXTS): Promise<unknown> {
  const result = await duckdb.runAndReadAll(
    'SELECT TO_JSON([REGEXP_EXTRACT_ALL(t, $pattern) FOR t IN $texts]) AS found',
    { pattern, texts: listValue(texts) },
  );
  return result.getRowObjects()[0]?.found;
}

function printed(pattern: string, captures = true): string {
  const refuse = (message: string): SqlError => new SqlError('sql_type', message);
  return printRegex(parseRegex(pattern, refuse).root, 'duckdb', captures);
}

describe('a pattern is read as RE2 reads it', () => {
  test.each([
    ...['^a', 'a$', '(?m)^a$', '(?s)a.b', '.', '(?-s).', '(?s:.)a', '(?U)a+?', '(?U:a+)b*'],
    ...['\\d', '\\D', '\\s+', '\\S', '\\w', '(?i)\\w', '(?i)\\W', '(?i)[^\\W]', 'a\\b', 'a\\B'],
    ...['[[:word:]]', '[[:^space:]]', '(?i)[[:upper:]]', '[[:a]', '[a[:digit:]-]', '[]a]', '[^]a]'],
    ...[
      '\\pL',
      '\\PL',
      '\\p{^L}',
      '\\P{^L}',
      '[\\PL]',
      '\\pC',
      '\\p{Any}',
      '(?i)\\p{Lu}',
      '(?i)\\P{Lu}',
    ],
    ...[
      '(?i)k',
      '(?i)[K]',
      '(?i)ß',
      '(?i)[^s]',
      '(?i)[ß-ÿ]',
      '(?i)i',
      '(?i)ǆ',
      'a(?i)b|B',
      '(?i:k)K',
    ],
    ...[
      '\\Qa.b\\E+',
      '\\Q.+',
      '\\x41',
      '\\x{1F600}',
      '\\101',
      '\\0',
      '\\_',
      '\\-',
      '[\\]\\[&&]',
      '\\/',
    ],
    ...[
      'a{',
      'a{,2}',
      'a{1',
      'a{01}',
      '{a}',
      'a{2}',
      'a{1,}?',
      '(?:a{2}){2}',
      '^*',
      '(?:)',
      '()',
      'a|',
    ],
    ...[
      '(?P<n>a)(?P<n>b)',
      '(?)a',
      '(?i-s:K.)',
      '(?i)(?-i)K',
      '[a-z&&[^b]]',
      '[--a]',
      '[a-]',
      '[\\d-]',
    ],
  ])('%s', async (pattern) => {
    expect(await matches(printed(pattern))).toEqual(await matches(pattern));
  });

  test('(?<n>..), which DuckDB is too old for', async () => {
    expect(await matches(printed('(?<n>a)'))).toEqual(await matches('(?P<n>a)'));
  });

  test('generated patterns', async () => {
    // RE2 finds \B inside of characters, so that DuckDB fails to make a text of what is between.
    const readable = patterns.filter((pattern) => !pattern.includes('\\B'));
    await fc.assert(
      fc.asyncProperty(readable, async (pattern) => {
        const expected = await matches(pattern).catch(() => undefined);
        if (expected === undefined) {
          expect(() => printed(pattern)).toThrow(SqlError);
        } else {
          expect(await matches(printed(pattern)), printed(pattern)).toEqual(expected);
          expect(await matches(printed(pattern, false))).toEqual(expected);
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe('whether there is a match, which DuckDB asks LIKE when it can', () => {
  test.each([
    ...[
      'a$b',
      'a^b',
      '^^',
      '$$',
      '\\z[&]',
      '$&',
      '(?s).*^b',
      '(?:)(?:)',
      'a(?:)',
      '^(?:)b',
      '()()',
    ],
    ...['^a', 'a$', '^a$', 'a', '(?s)^.a', '(?s)a.*b', '%', '_', '^_', '100%$', '\\n', ''],
  ])('%s', async (pattern) => {
    const literal = `'${printed(pattern, false).replaceAll("'", "''")}'`;
    const result = await duckdb.runAndReadAll(
      `SELECT t FROM (SELECT UNNEST($texts) AS t) WHERE REGEXP_MATCHES(t, ${literal}) <> (LEN(REGEXP_EXTRACT_ALL(t, $pattern)) > 0)`,
      { pattern, texts: listValue([...TEXTS, '&b', '%', '_', 'x_', '100%']) },
    );
    expect(result.getRows()).toEqual([]);
  });
});

test('every script has a table', () => {
  const tables = Array.from(SCRIPTS, (name) => new RegExp(`^\\p{Script=${name}}$`, 'u'));
  expect(tables).toHaveLength(SCRIPTS.size);
  expect(tables.filter((table) => table.test('ω'))).toEqual([/^\p{Script=Greek}$/u]);
});

test('the largest patterns that are taken are not too large for DuckDB', async () => {
  const astral = Array.from({ length: 60 }, (_, i) => String.fromCodePoint(0x10000 + i * 0x1041));
  const largest = [
    ...['\\pL{30}', '(?:\\PL\\pN){20}', '(?:[é-ÿà]{10}){100}', 'a{1000}', '(?:[^a].){1000}'],
    ...[
      `[${astral.join('')}]{300}`,
      `(?:${astral.slice(0, 12).join('')}){1000}`,
      'a|'.repeat(1999),
    ],
  ];
  for (const pattern of largest) {
    await expect(matches(printed(pattern)), pattern).resolves.toBeTypeOf('string');
  }
});
