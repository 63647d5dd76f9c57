import { describe, expect, test } from 'vitest';
import { EVENTS } from '../sql/fixtures.ts';
import { FAILURES } from '../sql/golden/failures.ts';
import { GOLDEN } from '../sql/golden/index.ts';
import { NOW_US } from '../sql/support.ts';
import { sameRows } from './support/compare.ts';
import { type Row, twoEngines } from './support/two-engines.ts';

describe('SQL means on Trino what it means on BigQuery', () => {
  const engines = twoEngines({
    table: 'golden',
    arrivals: [{ at: NOW_US / 1000, events: EVENTS }],
  });
  for (const [topic, cases] of Object.entries(GOLDEN)) {
    describe(topic, () => {
      test.each(cases)('$what', async ({ sql, rows }) => {
        const found = await engines().onTrino(sql);
        // Without ORDER BY rows come in any order, and one that is there by chance proves nothing.
        const same = sameRows(found, rows as readonly Row[], /order by/i.test(sql));
        expect(same ? rows : found).toEqual(rows);
      });
    });
  }

  describe.each(['nested data', 'types of fields', 'fields of several types'])(
    '%s, read from the JSON as paths without slots are',
    (topic) => {
      test.each(GOLDEN[topic] ?? [])('$what', async ({ sql, rows }) => {
        const found = await engines().onTrino(sql, { catalog: engines().jsonCatalog });
        const same = sameRows(found, rows as readonly Row[], /order by/i.test(sql));
        expect(same ? rows : found).toEqual(rows);
      });
    },
  );

  test.each(FAILURES)('fails as on BigQuery: %s', async (sql) => {
    await expect(engines().onTrino(sql)).rejects.toThrow(
      /^(NUMERIC_VALUE_OUT_OF_RANGE|INVALID_CAST_ARGUMENT|DIVISION_BY_ZERO|INVALID_FUNCTION_ARGUMENT|SUBQUERY_MULTIPLE_ROWS)/,
    );
  });
});
