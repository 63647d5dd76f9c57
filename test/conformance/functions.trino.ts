import { describe, expect, test } from 'vitest';
import { functionExamples } from '../../src/sql/functions/table.ts';
import { NOW_US } from '../sql/support.ts';
import { twoEngines } from './support/two-engines.ts';

/** Examples per statement: one at a time would take Trino minutes, all at once it refuses. */
const TOGETHER = 12;

describe('the examples of the reference, on Trino', () => {
  const engines = twoEngines({ table: 'functions', arrivals: [{ at: NOW_US / 1000, events: {} }] });
  const examples = functionExamples();
  const chunks = Array.from({ length: Math.ceil(examples.length / TOGETHER) }, (_, i) =>
    examples.slice(i * TOGETHER, (i + 1) * TOGETHER),
  );

  test.each(chunks.map((chunk) => ({ first: chunk[0]?.sql, chunk })))(
    '$first and what follows',
    async ({ chunk }) => {
      const items = chunk.map(({ sql }, i) => `${sql} as x${i}`);
      const [row] = await engines().onTrino(`select ${items.join(', ')}`);
      const got = chunk.map(({ sql }, i) => [sql, row?.[`x${i}`]]);
      expect(got).toEqual(chunk.map(({ sql, value }) => [sql, value]));
    },
  );
});
