import { expect } from 'vitest';
import type { CompileInput } from '../../src/sql/compile.ts';
import { at } from '../sql/fixtures.ts';
import type { SqlBench } from '../sql/support.ts';

/** Three sources: one with lists and fields of many kinds, one to join it with, one with dots. */
export const EVENTS = {
  my_table: [
    {
      id: 'm1',
      timestamp: at(0),
      message: 'one',
      a: 3,
      b: 4,
      c: 'x',
      n: 1,
      col: ['p', 'q'],
      d: [10, 20],
    },
    { id: 'm2', timestamp: at(1), message: 'two', a: 6, b: 6, c: 'x', n: 2, col: ['r'], d: [30] },
    { id: 'm3', timestamp: at(2), message: 'three', a: 9, b: 8, c: 'y', n: 3 },
  ],
  other_table: [
    { id: 'o1', timestamp: at(0), a: 6, word: 'six' },
    { id: 'o2', timestamp: at(0), a: 9, word: 'nine' },
  ],
  'my.table.name': [{ id: 'd1', timestamp: at(0), val: 7 }],
};

/** A saved query that shows two tables with some fields of one source. */
export const ENDPOINT = `
  with src as (select id, a, b, c, col from my_table), big as (select a, b from src where a > 5)
  select c from src order by c desc limit 1`;

export interface Refusal {
  readonly code: string;
  readonly says: string | RegExp;
}

/** A text as an endpoint, or with what a consumer sends to it. */
export type Text = readonly [sql: string, options?: Partial<CompileInput>];

/** Expects each text to be refused, as it would be when it is saved or called. */
export function expectRefusal(bench: SqlBench, texts: readonly Text[], refusal: Refusal): void {
  const { code, says } = refusal;
  const message =
    typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says);
  for (const [sql, options = {}] of texts) {
    const shown = options.consumerSql ?? sql;
    expect(() => bench.compile(sql, { checkAll: true, ...options }), shown).toThrow(
      expect.objectContaining({ code, status: 400, message }),
    );
  }
}

/** Expects each text to be refused because it is no SELECT, by its first word. */
export function expectNoSelect(bench: SqlBench, texts: readonly Text[]): void {
  for (const text of texts) {
    const [sql, options = {}] = text;
    const [first = ''] = (options.consumerSql ?? sql).toUpperCase().split(' ');
    expectRefusal(bench, [text], { code: 'sql_not_select', says: first });
  }
}
