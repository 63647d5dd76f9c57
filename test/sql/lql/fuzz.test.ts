import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SqlError } from '../../../src/sql/common/sql-error.ts';
import { parseLql } from '../../../src/sql/lql/lql.ts';
import { MAX_LQL_LENGTH } from '../../../src/sql/lql/parse.ts';
import type { AstQuery } from '../../../src/sql/parse/ast.ts';
import { NOW_US } from './support.ts';

const CONTEXT = { tables: ['src'], nowUs: NOW_US };

function outcome(lql: string): AstQuery | SqlError {
  try {
    return parseLql(lql, CONTEXT);
  } catch (error) {
    if (error instanceof SqlError) return error;
    throw error;
  }
}

/** A tree without its positions, and with every literal's value replaced. */
function shape(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(shape);
  if (typeof tree !== 'object' || tree === null) return tree;
  const entries = Object.entries(tree).filter(([key]) => key !== 'at');
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'value' ? typeof value : shape(value)]),
  );
}

const piece = fc.constantFrom(
  ...['a', 'm.level', 'metadata.', 't', 's', 'f', 'c', ':', ':>', ':~', ':@>', '..', '-', '~', '"'],
  ...['\\', '(', ')', '{', '}', '@', '*', ' ', '\n', '5', '1.5', 'NULL', 'true', 'debug', 'error'],
  ...[
    '2026-01-02',
    '2026-01-02T03:04:05Z',
    'last@5m',
    'today',
    'count',
    'group_by(t::h)',
    'é',
    '.',
  ],
);

test('any text either parses or is refused with a position inside of it', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(text, (lql) => {
      const result = outcome(lql);
      if (result instanceof SqlError && result.line === 1) {
        expect(result.column).toBeLessThanOrEqual(lql.length + 1);
      }
    }),
    { numRuns: 1000 },
  );
});

test('parsing takes time in proportion to the text, whatever is repeated', () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), (pieces) => {
      const unit = pieces.join('');

      outcome(unit.repeat(MAX_LQL_LENGTH / unit.length));
    }),
    { numRuns: 100 },
  );
});

const quote = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });

test.each([
  ['searched', (value: string) => quote(value)],
  ['matched', (value: string) => `-~${quote(value)}`],
  ['matched in a field', (value: string) => `m.level:~${quote(value)} x`],
  ['looked for in a list', (value: string) => `s:id m.tags:@>~${quote(value)}`],
])('no value changes the query that it is %s by', (_, query) => {
  const plain = shape(parseLql(query('plain'), CONTEXT));
  fc.assert(
    fc.property(anyText, (value) => {
      fc.pre(!value.includes('\u0000'));

      expect(shape(parseLql(query(value), CONTEXT))).toEqual(plain);
    }),
  );
});

test('a quoted value arrives as it was', () => {
  fc.assert(
    fc.property(anyText, (value) => {
      fc.pre(!value.includes('\u0000') && !/^([+-]?\d+(\.\d+)?|true|false)$/.test(value));
      const { body } = parseLql(`level:${quote(value)}`, CONTEXT);

      expect(body).toMatchObject({ where: { right: { kind: 'string', value } } });
    }),
  );
});
