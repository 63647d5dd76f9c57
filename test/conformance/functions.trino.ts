import { describe, expect, test } from 'vitest';
import { FUNCTION_NAMES, functionExamples } from '../../src/sql/functions/table.ts';
import { NOW_US } from '../sql/support.ts';
import { AGGREGATE_CASES, FUNCTION_CASES, WINDOW_CASES } from './cases/function-cases.ts';
import { SAMPLES } from './cases/samples.ts';
import { sameRows } from './support/compare.ts';
import { twoEngines } from './support/two-engines.ts';

const engines = twoEngines({
  table: 'functions',
  arrivals: [{ at: NOW_US / 1000, events: { samples: SAMPLES } }],
});

async function expectSameRows(sql: string, ordered: boolean): Promise<void> {
  const trino = await engines().onTrino(sql);
  const duckdb = await engines().onDuckdb(sql);
  // The message of a failure shows both, where a boolean would show nothing.
  expect(sameRows(trino, duckdb, ordered) ? duckdb : trino, sql).toEqual(duckdb);
}

describe('the examples of the reference', () => {
  const byName = Object.entries(Object.groupBy(functionExamples(), ({ name }) => name));
  test.each(byName)('%s', async (_name, examples = []) => {
    for (const { sql, value } of examples) {
      const rows = await engines().onTrino(`select ${sql} as x`);
      expect(sameRows(rows, [{ x: value }], true) ? [{ x: value }] : rows, sql).toEqual([
        { x: value },
      ]);
    }
  });
});

describe('on columns, where nothing is computed beforehand', () => {
  test.each(Object.entries(FUNCTION_CASES))('%s', async (_name, calls) => {
    for (const call of calls) {
      await expectSameRows(`select id, ${call} as x from samples order by id`, true);
    }
  });

  test.each(Object.entries(WINDOW_CASES))('%s as a window function', async (_name, calls) => {
    for (const call of calls) {
      await expectSameRows(`select id, ${call} as x from samples order by id`, true);
    }
  });

  test.each(Object.entries(AGGREGATE_CASES))(
    '%s of all rows, of groups, of none',
    async (_, calls) => {
      for (const call of calls) {
        await expectSameRows(`select ${call} as x from samples`, false);
        await expectSameRows(`select project, ${call} as x from samples group by project`, false);
        await expectSameRows(`select ${call} as x from samples where id = 'none'`, false);
      }
    },
  );

  test('every function is called', () => {
    const called = [FUNCTION_CASES, WINDOW_CASES, AGGREGATE_CASES].flatMap(Object.keys);
    expect(FUNCTION_NAMES.filter((name) => !called.includes(name))).toEqual([]);
  });
});
