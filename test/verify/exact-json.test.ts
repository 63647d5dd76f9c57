import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExact, printExact } from '../../src/verify/client/exact-json.ts';

test('integers keep all their digits, and other values are what JSON says', () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Number.isInteger(n)),
    fc.bigInt().filter((n) => n > 2n ** 53n || n < -(2n ** 53n)),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      leaf,
      fc.array(tie('any')),
      fc.dictionary(
        fc.string().filter((key) => key !== '__proto__'),
        tie('any'),
      ),
    ),
  })).any;

  fc.assert(
    fc.property(value, (original) => {
      const plain = JSON.parse(
        JSON.stringify(original, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)),
      );
      const read = parseExact(printExact(original));

      const again = JSON.parse(
        JSON.stringify(read, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)),
      );
      expect(again).toEqual(plain);
    }),
  );
});
