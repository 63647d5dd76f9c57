import { describe, expect, test } from 'vitest';
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

  test('every golden query also prints for Athena', () => {
    for (const { sql } of Object.values(GOLDEN).flat()) {
      expect(bench.compile(sql, { target: 'athena' }).text).toMatch(/^(WITH|SELECT) /);
    }
  });
});
