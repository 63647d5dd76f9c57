import { SqlError } from '../../common/sql-error.ts';
import type { AggregateParts } from '../../ir/function.ts';

const MAX_QUANTILES = 100_000;
/** As many are written out: Trino makes computed ones anew for every row. */
const MAX_WRITTEN = 100;
/** Elements of Trino's SEQUENCE. */
const MAX_SEQUENCE = 10_000;

/**
 * Where APPROX_QUANTILES(x, n) cuts, printed: the n + 1 shares 0, 1/n .. 1.
 *
 * @throws SqlError `sql_type` for an n that is no number from 1 to 100,000.
 */
export const shares = {
  athena: ({ args }: AggregateParts): string => {
    const n = countOf(args);
    if (n <= MAX_WRITTEN) return `ARRAY[${written(n)}]`;
    const share = `TRANSFORM(SEQUENCE(b, LEAST(b + ${MAX_SEQUENCE - 1}, ${n})), i -> CAST(i AS DOUBLE) / ${n}E0)`;
    return `FLATTEN(TRANSFORM(SEQUENCE(0, ${n}, ${MAX_SEQUENCE}), b -> ${share}))`;
  },
  duckdb: ({ args }: AggregateParts): string => {
    const n = countOf(args);
    return n <= MAX_WRITTEN
      ? `[${written(n)}]`
      : `LIST_TRANSFORM(RANGE(${n + 1}), lambda i: CAST(i AS DOUBLE) / ${n}E0)`;
  },
};

function written(n: number): string {
  return Array.from({ length: n + 1 }, (_, i) => `${i / n}E0`).join(', ');
}

/** The second argument, a constant that is printed. */
function countOf(args: readonly string[]): number {
  const n = Number(/^BIGINT '(\d+)'$/.exec(args[1] ?? '')?.[1] ?? 0);
  if (n < 1 || n > MAX_QUANTILES) {
    const message = `APPROX_QUANTILES takes a number from 1 to ${MAX_QUANTILES} as its second argument`;
    throw new SqlError('sql_type', message);
  }
  return n;
}
