import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SqlError } from '../../src/sql/error.ts';
import { EVENTS } from './fixtures.ts';
import { sqlBench } from './support.ts';

/** Expressions over the allow-list, well typed or not. */
const expression = fc.letrec<{ expr: string }>((tie) => ({
  expr: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(
      '1',
      '2.5',
      "'x'",
      'null',
      'true',
      'id',
      'timestamp',
      'project',
      'm.level',
      'metadata',
      'request.path',
    ),
    fc.constantFrom(
      "timestamp '2026-02-03'",
      "date '2026-02-03'",
      'response.status_code',
      '[1, 2]',
      "'2026-02-03'",
      '@p',
    ),
    fc
      .tuple(
        tie('expr'),
        fc.constantFrom('+', '-', '*', '/', '=', '<', '||', 'and', 'or', 'like'),
        tie('expr'),
      )
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc
      .tuple(
        fc.constantFrom(
          'lower',
          'length',
          'abs',
          'round',
          'count',
          'sum',
          'max',
          'countif',
          'date',
          'timestamp',
          'coalesce',
          'unix_millis',
          'array_agg',
        ),
        tie('expr'),
      )
      .map(([fn, a]) => `${fn}(${a})`),
    fc
      .tuple(
        tie('expr'),
        fc.constantFrom('string', 'int64', 'float64', 'timestamp', 'date', 'bool'),
      )
      .map(([a, type]) => `safe_cast(${a} as ${type})`),
    fc.tuple(tie('expr'), tie('expr'), tie('expr')).map(([a, b, c]) => `if(${a}, ${b}, ${c})`),
    fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => `(${a} in (${b}, null))`),
    fc
      .tuple(tie('expr'), fc.constantFrom('hour', 'week', 'month'))
      .map(([a, unit]) => `timestamp_trunc(${a}, ${unit})`),
    fc
      .tuple(tie('expr'), fc.constantFrom('+05:30', 'Asia/Tokyo', 'America/New_York'))
      .chain(([a, zone]) =>
        fc.constantFrom(
          `datetime(${a}, '${zone}')`,
          `timestamp(${a}, '${zone}')`,
          `timestamp_trunc(${a}, day, '${zone}')`,
          `extract(hour from ${a} at time zone '${zone}')`,
          `format_timestamp('%R %z', ${a}, '${zone}')`,
        ),
      ),
  ),
})).expr;

describe('generated queries', () => {
  const bench = sqlBench(EVENTS);
  const from =
    'from `edge.logs` t left join unnest(metadata) m left join unnest(m.request) request left join unnest(m.response) response';

  test('are refused by the compiler or run: the engine never sees what it cannot parse or bind', async () => {
    let ran = 0;
    await fc.assert(
      fc.asyncProperty(expression, expression, async (item, condition) => {
        const sql = `select ${item} as x ${from} where ${condition} is not null`;
        let compiled: ReturnType<typeof bench.compile>;
        try {
          compiled = bench.compile(sql, { parameters: { p: { type: 'string', value: "it's" } } });
          bench.compile(sql, { target: 'athena' });
        } catch (error) {
          expect(error).toBeInstanceOf(SqlError);
          return;
        }
        ran += 1;
        expect(await bench.accepts(compiled)).toBe(true);
      }),
      { numRuns: 1500 },
    );
    expect(ran).toBeGreaterThan(100);
  });

  test('literals never escape their quotes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        const value = text.replaceAll('\u0000', '');
        const rows = await bench.rows('select @p as p', {
          parameters: { p: { type: 'string', value } },
        });
        expect(rows).toEqual([{ p: value.toWellFormed() }]);
      }),
      { numRuns: 200 },
    );
  });
});
