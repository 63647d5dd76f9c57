import { describe, expect, test } from 'vitest';
import { EVENTS } from '../sql/fixtures.ts';
import { GOLDEN } from '../sql/golden-cases.ts';
import { NOW_US } from '../sql/support.ts';
import { twoEngines } from './support/two-engines.ts';

describe('SQL means on Trino what it means on BigQuery', () => {
  const engines = twoEngines({
    table: 'golden',
    arrivals: [{ at: NOW_US / 1000, events: EVENTS }],
  });
  for (const [topic, cases] of Object.entries(GOLDEN)) {
    describe(topic, () => {
      test.each(cases)('$what', async ({ sql, rows }) => {
        expect(await engines().onTrino(sql)).toEqual(rows);
      });
    });
  }
});
