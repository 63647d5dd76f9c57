import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { measureStream } from '../../bench/scale/measure-streams.ts';
import { demandOf, STREAM_SIZES, TODAY } from '../../src/scale/load.ts';
import { bears, given, LIMITS, used } from '../../src/scale/scale.ts';
import { beyondTable, firstTable, limitTable, loadTable } from '../../src/scale/tables.ts';

const [SINGLE, TENS, HUNDREDS] = STREAM_SIZES as [
  (typeof STREAM_SIZES)[number],
  (typeof STREAM_SIZES)[number],
  (typeof STREAM_SIZES)[number],
];

const limit = (start: string) => {
  const found = LIMITS.find(({ name }) => name.startsWith(start));
  if (found === undefined) throw new Error(`There is no limit ${start}.`);
  return found;
};

describe('the model', () => {
  test('says what a calculator says of a stream', () => {
    // 10,000 events a second of 205 bytes are 2.1 of 5 MiB.
    expect(used(limit('Firehose, bytes'), 10, HUNDREDS)).toBeCloseTo(2_050_000 / (5 * 2 ** 20), 4);
    expect(bears(limit('Firehose, bytes'), HUNDREDS)).toBeCloseTo(25.58, 1);
    expect(bears(limit('Firehose, calls'), SINGLE)).toBeCloseTo(2, 1);
  });

  test('knows instances by what a request takes', () => {
    // 1,000 requests of 25.06 ms, and 100 of 25.6.
    expect(demandOf(1, SINGLE).ingestInstances).toBeCloseTo(25.06, 2);
    expect(demandOf(1, TENS).ingestInstances).toBeCloseTo(2.56, 2);
  });

  test('takes nothing less of any limit as the load grows', () => {
    for (const sizes of STREAM_SIZES) {
      for (const one of LIMITS) {
        const shares = [0.1, 1, 10, 100, 1_000, 10_000].map((factor) => used(one, factor, sizes));
        expect(shares, one.name).toEqual(shares.toSorted((a, b) => a - b));
      }
    }
  });

  test('names what gives, the first at the head', () => {
    expect(given(0.1, HUNDREDS)).toEqual([]);
    const factors = given(1_000, SINGLE).map((one) => bears(one, SINGLE));
    expect(factors).toEqual(factors.toSorted((a, b) => a - b));
    expect(factors.at(-1)).toBeLessThan(1_000);
  });

  test('has one entry for each limit', () => {
    expect(new Set(LIMITS.map(({ name }) => name)).size).toBe(LIMITS.length);
    expect(TODAY.eventsPerSecond).toBe(1_000);
  });

  test.each(STREAM_SIZES)('has the sizes that the packer makes of %o', async (sizes) => {
    const measured = await measureStream(sizes.eventsPerRequest);

    expect(measured.recordsPerRequest).toBe(sizes.recordsPerRequest);
    expect(measured.bytesPerEvent / sizes.bytesPerEvent).toBeGreaterThan(0.95);
    expect(measured.bytesPerEvent / sizes.bytesPerEvent).toBeLessThan(1.05);
  });
});

test('the tables in docs/scale.md are those of the model', () => {
  const document = readFileSync('docs/scale.md', 'utf8');

  for (const table of [loadTable(), firstTable(), limitTable(), beyondTable()]) {
    expect(document).toContain(table.join('\n'));
  }
});
