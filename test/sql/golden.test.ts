import { describe, expect, test } from 'vitest';
import { PASSES, type Pass } from '../../src/sql/optimize/optimize.ts';
import { sameRows } from '../conformance/support/compare.ts';
import type { Row } from '../conformance/support/two-engines.ts';
import { EVENTS } from './fixtures.ts';
import { GOLDEN } from './golden/index.ts';
import { sqlBench } from './support.ts';

describe('SQL means on DuckDB what it means on BigQuery', () => {
  const bench = sqlBench(EVENTS);
  for (const [topic, cases] of Object.entries(GOLDEN)) {
    describe(topic, () => {
      for (const { what, sql, rows } of cases) {
        test(what, async () => {
          expect(await bench.rows(sql)).toEqual(rows);
        });
      }
    });
  }

  describe('read from the JSON, as paths without slots are', () => {
    for (const { what, sql, rows } of Object.values(GOLDEN).flat()) {
      test(what, async () => {
        expect(await bench.rows(sql, { catalog: bench.jsonCatalog })).toEqual(rows);
      });
    }
  });

  describe.each(['half', 'all'] as const)('with %s of it compacted', (progress) => {
    const compacted = sqlBench(EVENTS, progress);
    for (const { what, sql, rows } of Object.values(GOLDEN).flat()) {
      test(what, async () => {
        const found = await compacted.rows(sql);
        // Rows of two tables come in any order.
        const same = sameRows(found, rows as readonly Row[], /order by/i.test(sql));
        expect(same ? rows : found).toEqual(rows);
      });
    }
  });

  describe.each([
    ['none of its passes', []],
    ...PASSES.map(({ name }) => [`all but ${name}`, PASSES.filter((pass) => pass.name !== name)]),
    ['all of them, of which none changes what it is given', PASSES],
  ] as [string, readonly Pass[]][])('optimized by %s', (_what, passes) => {
    test('has the same rows', async () => {
      for (const { what, sql, rows } of Object.values(GOLDEN).flat()) {
        expect(await bench.rowsBehind(passes, sql), what).toEqual(rows);
      }
    });
  });

  test('every golden query also prints for Athena', () => {
    for (const { sql } of Object.values(GOLDEN).flat()) {
      expect(bench.compile(sql, { target: 'athena' }).text).toMatch(/^(WITH|SELECT) /);
    }
  });
});
