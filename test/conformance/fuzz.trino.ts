import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { SqlError } from '../../src/sql/common/sql-error.ts';
import { NOW_US } from '../sql/support.ts';
import { SAMPLES } from './cases/samples.ts';
import { type GeneratedQuery, queries } from './fuzz/queries.ts';
import { sameRows } from './support/compare.ts';
import { type QueryOptions, type Row, twoEngines } from './support/two-engines.ts';
import { TrinoError } from './trino/client.ts';
import { Progress } from './trino/progress.ts';

/** Another seed and more runs look for more: `TRINO_FUZZ_SEED=7 TRINO_FUZZ_RUNS=5000`. */
const SEED = Number(process.env.TRINO_FUZZ_SEED ?? 20_260_203);
const RUNS = Number(process.env.TRINO_FUZZ_RUNS ?? 700);
/** Finding the smallest query that fails takes a few hundred more. */
const LIMIT_MS = 120_000 + RUNS * 1_000;

const engines = twoEngines({
  table: 'fuzzed',
  arrivals: [{ at: NOW_US / 1000, events: { samples: SAMPLES } }],
});
const options: QueryOptions = {
  parameters: {
    text: { type: 'string', value: "it's" },
    number: { type: 'int64', value: 3n },
  },
};

type Outcome = { readonly rows: readonly Row[] } | { readonly error: Error };

async function outcomeOf(rows: Promise<Row[]>): Promise<Outcome> {
  try {
    return { rows: await rows };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Where Trino says that the statement itself is wrong, the compiler is, whatever DuckDB says. */
const MEANINGLESS = /SYNTAX|MISMATCH|NOT_FOUND|MISSING|AMBIGUOUS|NOT_SUPPORTED|EXPRESSION_NOT/;

const counts = { refused: 0, failed: 0, compared: 0, rows: 0 };
const progress = new Progress('fuzz');

async function compare({ sql, ordered }: GeneratedQuery): Promise<void> {
  const [trino, duckdb] = [
    await outcomeOf(engines().onTrino(sql, options)),
    await outcomeOf(engines().onDuckdb(sql, options)),
  ];
  if ('error' in trino) {
    if (trino.error instanceof SqlError) {
      counts.refused += 1;
      return;
    }
    const { error } = trino;
    const meaningless = !(error instanceof TrinoError) || MEANINGLESS.test(error.code);
    if (meaningless || !('error' in duckdb)) {
      throw new Error(`Trino fails: ${error.message}\nDuckDB: ${shown(duckdb)}`);
    }
    counts.failed += 1;
    return;
  }
  if ('error' in duckdb || !sameRows(trino.rows, duckdb.rows, ordered)) {
    throw new Error(`Trino:  ${shown(trino)}\nDuckDB: ${shown(duckdb)}`);
  }
  counts.compared += 1;
  counts.rows += trino.rows.length;
  progress.tick(`${counts.compared} queries gave the same rows`);
}

function shown(outcome: Outcome): string {
  return 'rows' in outcome
    ? JSON.stringify(outcome.rows, (_, cell) => (typeof cell === 'bigint' ? `${cell}` : cell))
    : String(outcome.error.cause ?? outcome.error);
}

afterAll(() => {
  progress.step(
    `seed ${SEED}: ${counts.compared} queries gave the same ${counts.rows} rows, ${counts.failed} failed on both engines, ${counts.refused} were refused`,
  );
});

test(
  'generated queries give the same rows on both engines',
  async () => {
    await fc.assert(fc.asyncProperty(queries, compare), { seed: SEED, numRuns: RUNS });
    expect(counts.compared).toBeGreaterThan(RUNS * 0.6);
    expect(counts.refused).toBeLessThan(RUNS * 0.3);
    expect(counts.rows).toBeGreaterThan(counts.compared);
  },
  LIMIT_MS,
);
