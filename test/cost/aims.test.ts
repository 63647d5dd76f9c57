import { expect, test } from 'vitest';
import { measurePacking } from '../../bench/pack-sizes.ts';
import { GB, ingestCost, total } from '../../src/cost/ingest.ts';
import { monthlyCost, TYPICAL } from '../../src/cost/month.ts';

test('events in requests of 100 cost what the documents promise', async () => {
  const pack = await measurePacking(100, 1_000);

  expect(total(ingestCost(1_000_000, TYPICAL.eventBytes, pack))).toBeLessThan(0.04);
  expect(total(monthlyCost({ ...TYPICAL, bytesPerDay: 1_024 * GB, pack }))).toBeLessThan(2_200);
});
