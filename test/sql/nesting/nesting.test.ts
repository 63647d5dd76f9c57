import { beforeAll, describe, expect, test } from 'vitest';
import type { SqlTarget } from '../../../src/sql/common/result-schema.ts';
import { SqlError } from '../../../src/sql/common/sql-error.ts';
import { SAMPLES } from '../../conformance/cases/samples.ts';
import { sqlBench } from '../support.ts';
import { type Nested, nestedForms } from './nested.ts';

const DEPTH = 12;
/** Most that a level may add to a statement, compared with the levels before it. */
const GROWTH = 1.3;

const bench = sqlBench({ samples: SAMPLES });
let forms: readonly Nested[] = [];

const query = (expression: string): string => `select ${expression} as x from samples`;

/** A form within itself around the number 1. */
function nest(depth: number, form: (inner: string) => string): string {
  return depth === 0 ? '1' : form(nest(depth - 1, form));
}

function compiles(expression: string): boolean {
  try {
    bench.compile(query(expression));
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(SqlError);
    return false;
  }
}

/** Length of the statement at each depth from 1 on, as far as the budget lets it grow. */
function sizes({ sql }: Nested, target: SqlTarget): number[] {
  const found: number[] = [];
  for (let depth = 1; depth <= DEPTH; depth += 1) {
    try {
      found.push(bench.compile(query(sql(depth)), { target }).text.length);
    } catch (error) {
      expect(error).toMatchObject({ code: 'sql_too_large', status: 400 });
      break;
    }
  }
  return found;
}

beforeAll(() => {
  forms = nestedForms(compiles);
});

describe('what can only double', () => {
  test.each([
    [
      'subqueries in aggregates that say their argument twice',
      nest(8, (x) => `(select corr(${x}, y + ${x}) from unnest([1, 2]) as y)`),
    ],
    [
      'a long list of long texts',
      `[${Array(300)
        .fill(`'${'x'.repeat(1000)}'`)
        .join(', ')}]`,
    ],
  ])('is refused before it takes memory: %s', (_, expression) => {
    expect(() => bench.compile(query(expression))).toThrow(
      expect.objectContaining({ code: 'sql_too_large', status: 400 }),
    );
  });

  test('subqueries in the expressions of each other are eight at most', async () => {
    const sum = (x: string): string => `(select max(y + ${x}) from unnest([1, 2]) as y)`;

    expect(await bench.rows(`select ${nest(8, sum)} as x`)).toEqual([{ x: 17 }]);
    expect(() => bench.compile(`select ${nest(9, sum)} as x`)).toThrow(
      expect.objectContaining({ code: 'sql_too_large', status: 400 }),
    );
  });
});

test.each(['duckdb', 'athena'] as const)(
  'the statement of any number of quantiles is of one size for %s',
  (target) => {
    const size = (n: number): number =>
      bench.compile(`select approx_quantiles(m, ${n}) as x from samples`, { target }).text.length;

    expect(size(100_000)).toBeLessThan(size(100));
  },
);

describe('a form that lies within itself, each function in each of its arguments', () => {
  test('there are forms of all kinds', () => {
    expect(forms.length).toBeGreaterThan(350);
  });

  test.each(['duckdb', 'athena'] as const)(
    'is printed for %s in a text that grows by the same at every level',
    (target) => {
      const growing = forms.flatMap((form) => {
        const found = sizes(form, target);
        const added = found.slice(1).map((size, index) => size - (found[index] ?? 0));
        const most = Math.max(...added.slice(0, 5)) * GROWTH + 50;
        return found.length < 5 || added.some((size) => size > most) ? [[form.what, ...found]] : [];
      });

      expect(growing).toEqual([]);
    },
  );

  test('is taken by DuckDB, eight levels deep', { timeout: 120_000 }, async () => {
    const refused: string[] = [];
    for (const { what, sql } of forms) {
      const depth = /'[A-Z][a-z]+\/\w+'/.test(what) ? 2 : 8;
      const compiled = bench.compile(query(sql(depth)));
      if (!(await bench.accepts(compiled))) refused.push(what);
    }

    expect(refused).toEqual([]);
  });
});
