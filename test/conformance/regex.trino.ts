import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { SqlError } from '../../src/sql/common/sql-error.ts';
import { patterns, TEXTS } from '../sql/regex/patterns.ts';
import { NOW_US } from '../sql/support.ts';
import { PATTERNS } from './cases/patterns.ts';
import { sameRows } from './support/compare.ts';
import { type Row, twoEngines } from './support/two-engines.ts';
import { Progress } from './trino/progress.ts';

/** Another seed and more runs look for more: `TRINO_REGEX_SEED=7 TRINO_REGEX_RUNS=5000`. */
const SEED = Number(process.env.TRINO_REGEX_SEED ?? 20_260_203);
const RUNS = Number(process.env.TRINO_REGEX_RUNS ?? 200);
/** Expressions in one query: a query costs Trino more than what it computes here. */
const BATCH = 40;
const LIMIT_MS = 60_000 + RUNS * 500;

const texts = [...TEXTS, 'a\u0000b', '\u0000'];
const events = texts.map((text, i) => ({ id: String(i).padStart(3, '0'), text }));
const engines = twoEngines({
  table: 'regex',
  arrivals: [{ at: NOW_US / 1000, events: { texts: events } }],
});

const progress = new Progress('regex');
const counts = { compared: 0, refused: 0 };

/** A string literal of BigQuery, whatever the text. */
function literal(text: string): string {
  const escaped = Array.from(text, (character) =>
    /[A-Za-z0-9 ]/.test(character)
      ? character
      : `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
  );
  return `'${escaped.join('')}'`;
}

/** Calls of all functions with a pattern, without those that the compiler refuses. */
function callsWith(pattern: string): string[] {
  const text = literal(pattern);
  return [
    `regexp_contains(text, ${text})`,
    `regexp_extract(text, ${text})`,
    `regexp_extract(text, ${text}, 1, 2)`,
    `regexp_extract(text, ${text}, 3)`,
    `regexp_extract_all(text, ${text})`,
    `regexp_replace(text, ${text}, ${literal('<\\0>')})`,
    `regexp_replace(text, ${text}, ${literal('<\\1$1\\\\>')})`,
    `regexp_instr(text, ${text})`,
    `regexp_instr(text, ${text}, 2, 1, 1)`,
  ].filter(isTaken);
}

function isTaken(call: string): boolean {
  try {
    engines().compile('athena', `select ${call} as x from texts`);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(SqlError);
    counts.refused += 1;
    return false;
  }
}

function queryOf(calls: readonly string[]): string {
  return `select ${calls.map((call, i) => `${call} as x${i}`).join(', ')} from texts order by id`;
}

async function rowsOf(rows: Promise<Row[]>): Promise<readonly Row[]> {
  return rows.catch((error: Error) => [{ error: String(error.cause ?? error).slice(0, 300) }]);
}

/** What of the calls the engines do not answer alike, with both answers. */
async function differences(calls: readonly string[]): Promise<readonly unknown[]> {
  const sql = queryOf(calls);
  const trino = await rowsOf(engines().onTrino(sql));
  const duckdb = await rowsOf(engines().onDuckdb(sql));
  if (!('error' in (trino[0] ?? {})) && sameRows(trino, duckdb, true)) {
    counts.compared += calls.length * trino.length;
    return [];
  }
  if (calls.length > 1) {
    const half = Math.ceil(calls.length / 2);
    return [
      ...(await differences(calls.slice(0, half))),
      ...(await differences(calls.slice(half))),
    ];
  }
  const differing = texts
    .map((text, i) => ({ text, trino: trino[i], duckdb: duckdb[i] }))
    .filter((row) => JSON.stringify(row.trino) !== JSON.stringify(row.duckdb));
  return [{ calls, differing: differing.slice(0, 3) }];
}

async function differencesOf(list: readonly string[]): Promise<readonly unknown[]> {
  const calls = list.flatMap(callsWith);
  const found: unknown[] = [];
  for (let i = 0; i < calls.length; i += BATCH) {
    found.push(...(await differences(calls.slice(i, i + BATCH))));
    progress.tick(`${counts.compared} values are the same`);
  }
  return found;
}

afterAll(() => {
  progress.step(
    `seed ${SEED}, ${RUNS} patterns: ${counts.compared} values are the same, ${counts.refused} calls were refused`,
  );
});

describe('a pattern means the same on both engines', () => {
  test.each(Object.entries(PATTERNS))('%s', async (_what, list) => {
    expect(await differencesOf(list)).toEqual([]);
  });
});

test(
  'generated patterns mean the same on both engines',
  async () => {
    const generated = fc.sample(patterns, { seed: SEED, numRuns: RUNS });
    expect(await differencesOf(generated)).toEqual([]);
    expect(counts.compared).toBeGreaterThan(RUNS * texts.length * 3);
  },
  LIMIT_MS,
);
