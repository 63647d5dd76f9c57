import { expect, test } from 'vitest';
import { athenaCostUsd } from '../../src/cost/athena-price.ts';

test.each([
  ['nothing, as for a result that was used again', 0, 0],
  ['a byte, billed as 10 MB', 1, 0.00005],
  ['10 MB', 10_000_000, 0.00005],
  ['a byte more, billed as 11 MB', 10_000_001, 0.000055],
  ['a gigabyte', 1_000_000_000, 0.005],
  ['a terabyte', 1_000_000_000_000, 5],
])('a query that reads %s', (_what, bytes, dollars) => {
  expect(athenaCostUsd(bytes)).toBe(dollars);
});
