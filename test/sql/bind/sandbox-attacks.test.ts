import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANDING_COLUMNS } from '../../../src/lake/layout/columns.ts';
import { SqlError } from '../../../src/sql/common/sql-error.ts';
import type { CompileInput } from '../../../src/sql/compile.ts';
import { EVENTS } from '../fixtures.ts';
import { sqlBench } from '../support.ts';

const ENDPOINT = 'with src as (select id, event_message from `edge.logs`) select id from src';
const TARGETS = ['duckdb', 'athena'] as const;

const bench = sqlBench(EVENTS);
const graft = (consumerSql: string, target: CompileInput['target'] = 'duckdb') =>
  bench.compile(ENDPOINT, { consumerSql, target, table: 'the_lake' });

const LAKE_WORDS = new Set([
  'the_lake',
  'source_id',
  'dt',
  'hour',
  ...LANDING_COLUMNS.map(({ name }) => name),
]);
/** What the compiler itself names things: a hint and a number; variables of lambdas are one letter. */
const OWN_WORD = /^(?:[a-z][a-z0-9_]*_\d+|[a-z]|one|lambda)$/;

/** Words of a statement that are neither keywords and functions, which are in capitals, nor its own. */
function foreignWords(text: string): string[] {
  const code = text.replace(/'(?:[^']|'')*'/g, "''");
  const words = code.match(/"[^"]*"|[A-Za-z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*/gu) ?? [];
  return words.filter(
    (word) => !/^[A-Z][A-Z0-9_]*$/.test(word) && !OWN_WORD.test(word) && !LAKE_WORDS.has(word),
  );
}

const without = (text: string, characters: string): string =>
  [...text].map((one) => (characters.includes(one) ? '_' : one)).join('');

describe('no word of a consumer is ever printed outside of a literal', () => {
  const name = fc.oneof(
    fc.constantFrom(
      'the_lake',
      'source_id',
      'src_1',
      'x',
      '1',
      'select',
      'a"b',
      "a'b",
      'a\\',
      ';--',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  );
  const quoted = name.map((text) => `\`${without(text, '`\\\0\n\r')}\``);
  const literal = fc
    .oneof(name, fc.constantFrom("') or 1=1 --", '"; drop table x; --', '$$', '/*', "\\'"))
    .map((text) => `r"""${without(text, '"\\\0')}"""`);

  test.each(TARGETS)('of aliases, CTEs, labels and texts, for %s', (target) => {
    let compiled = 0;
    fc.assert(
      fc.property(quoted, quoted, quoted, literal, (cte, table, label, text) => {
        const sql = `with ${cte} as (select id as ${label}, ${text} as q from src as ${table} where ${table}.id <> ${text})
          select ${label}, q from ${cte} as ${table} order by ${label}`;
        try {
          expect(foreignWords(graft(sql, target).text)).toEqual([]);
          compiled += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(SqlError);
        }
      }),
      { numRuns: 500 },
    );
    expect(compiled).toBeGreaterThan(300);
  });

  test('a check that can fail: another word is found', () => {
    expect(foreignWords('SELECT src_1.id FROM read_csv AS "x y"')).toEqual(['read_csv', '"x y"']);
  });
});

describe('names that look like something else are names', () => {
  test.each([
    [
      'those that the compiler would make up',
      'with src_1 as (select id from src) select src_2.id from src_1 as src_2',
    ],
    [
      'keywords in backticks',
      'with `select` as (select id as `from` from src) select `from` as id from `select`',
    ],
    [
      'the table behind all sources',
      'with log_events as (select id from src) select id from log_events',
    ],
    ['a source', 'with `edge.logs` as (select id from src) select id from `edge.logs`'],
    ['functions of the engines', 'with read_csv as (select id from src) select id from read_csv'],
    [
      'system schemas',
      'with `information_schema.tables` as (select id from src) select id from `information_schema.tables`',
    ],
    ['an alias that hides its table', 'select src.id from src as a join src on src.id = a.id'],
    ['a column that hides an alias', 'select src.id from (select id, id as src from src) as src'],
    ['comments around everything', '/* ; drop */ select -- x\n id # y\n from /**/ src'],
  ])('%s', async (_, consumerSql) => {
    const rows = await bench.rows(ENDPOINT, { consumerSql });

    expect(rows.map(({ id }) => id).toSorted()).toEqual(
      (await bench.rows(ENDPOINT)).map(({ id }) => id).toSorted(),
    );
  });

  test.each([
    ['Cyrillic letters', 'select id from ѕrc'],
    ['full-width letters', 'select id from ｓｒｃ'],
    ['a zero-width space', 'select id from `src\u200b`'],
    ['a combining mark', 'select id from `s\u0301rc`'],
    ['a blank', 'select id from ` src`'],
    ['text that runs backwards', 'select id from `\u202ecrs`'],
    ['an escape in backticks', 'select id from `edge\\.logs`'],
    ['a path in one pair of backticks', 'select id from `main.log_events`'],
    ['double quotes', 'select id from "src"'],
  ])('%s do not make another name', (_, consumerSql) => {
    for (const target of TARGETS) expect(() => graft(consumerSql, target)).toThrow(SqlError);
  });
});

describe('texts that would take a parser down are refused in time, on both targets', () => {
  const deep = (open: string, close: string, n: number): string =>
    `select ${open.repeat(n)}1${close.repeat(n)} as x from src`;

  test.each([
    ['parentheses', deep('(', ')', 20_000)],
    ['arrays', deep('[', ']', 20_000)],
    ['calls', deep('abs(', ')', 20_000)],
    ['CASE', deep('case when true then ', ' end', 5_000)],
    ['NOT', `select id from src where ${'not '.repeat(40_000)}true`],
    ['minus signs', `select ${'- '.repeat(60_000)}1 as x`],
    ['subqueries', `${'select id from ('.repeat(5_000)}select id from src${')'.repeat(5_000)}`],
    [
      'WITH in WITH',
      `${'with a as ('.repeat(5_000)}select 1 as x${') select x from a'.repeat(5_000)}`,
    ],
    ['joins', `select 1 as x from src ${'join (src '.repeat(5_000)}`],
    ['types', `select cast(null as ${'array<'.repeat(20_000)}int64${'>'.repeat(20_000)}) as x`],
    ['comments in comments', `select ${'/* '.repeat(60_000)}1`],
    ['a string without end', `select '${'a'.repeat(190_000)}`],
    ['more than 256 KB', `select '${'a'.repeat(262_144)}' as x`],
    ['a NUL', 'select id from src where id = "\u0000"'],
    ['a NUL between tokens', 'select id\u0000 from src'],
    ['a lone surrogate between tokens', 'select id \ud800 from src'],
  ])('%s', (_, consumerSql) => {
    for (const target of TARGETS) expect(() => graft(consumerSql, target)).toThrow(SqlError);
  });

  test('a text of just under 200 KB is compiled', async () => {
    const wide = `select id from src where id in (${"'nobody', ".repeat(19_000)}'e1')`;

    expect(wide.length).toBeGreaterThan(190_000);
    expect(await bench.rows(ENDPOINT, { consumerSql: wide })).toEqual([{ id: 'e1' }]);
  });
});
