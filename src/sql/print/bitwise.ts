/**
 * Bit operators of INT64. BigQuery shifts zeros in from both sides, gives 0 from 64 places on, and
 * refuses a negative number of places; DuckDB alone would refuse bits that get lost, keep the sign, and
 * Trino count places modulo 64 where they are negative.
 */

import type { SqlTarget } from '../common/result-schema.ts';
import { letBinding, letBindings } from '../functions/common/let-binding.ts';
import { clamped, notNegative } from '../functions/common/runtime-errors.ts';

const TRINO: Readonly<Record<string, string>> = {
  '&': 'BITWISE_AND',
  '|': 'BITWISE_OR',
  '^': 'BITWISE_XOR',
  '<<': 'BITWISE_LEFT_SHIFT',
  '>>': 'BITWISE_RIGHT_SHIFT',
};

const ALL_BITS = "CAST('18446744073709551615' AS HUGEINT)";

/** `left operator right`, both INT64. */
export function bitwise(target: SqlTarget, operator: string, left: string, right: string): string {
  const shifts = operator === '<<' || operator === '>>';
  // Not LEAST, which leaves out NULL in DuckDB.
  const places = shifts ? clamped(notNegative(right, 'The number of places'), 0, 64) : right;
  if (target === 'athena') {
    return `${TRINO[operator]}(${left}, ${shifts ? `CAST(${places} AS INTEGER)` : right})`;
  }
  if (!shifts) {
    return operator === '^' ? `XOR(${left}, ${right})` : `(${left} ${operator} ${right})`;
  }
  // 128 bits have room for what is shifted, of which the lower 64 are taken.
  const wide = `(CAST(${left} AS HUGEINT) & ${ALL_BITS})`;
  const shifted =
    operator === '>>'
      ? `(${wide} >> CAST(${places} AS HUGEINT))`
      : letBindings(target, [wide, places], ([bits, n]) => {
          const kept = `(${bits} & ((CAST(1 AS HUGEINT) << CAST(64 - ${n} AS HUGEINT)) - 1))`;
          return `(${kept} << CAST(${n} AS HUGEINT))`;
        });
  return letBinding(
    target,
    shifted,
    'b',
    (b) =>
      `CAST(CASE WHEN ${b} > 9223372036854775807 THEN ${b} - ${ALL_BITS} - 1 ELSE ${b} END AS BIGINT)`,
  );
}
