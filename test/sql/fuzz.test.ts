import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SqlError } from '../../src/sql/common/sql-error.ts';
import { EVENTS } from './fixtures.ts';
import { sqlBench } from './support.ts';

const INT = 'safe_cast(? as int64)';
const FLOAT = 'safe_cast(? as float64)';

/** Forms of a STRING that give a STRING: any of them can stand in any. */
const FORMS = [
  ...['right(?, 3)', 'substr(?, -4, 3)', "replace(?, 'a', id)", 'initcap(?)', "nullif(?, 'a')"],
  ...['greatest(?, id)', "concat(?, '/')", "split(?, '/')[safe_offset(0)]", 'repeat(?, 2)'],
  ...["json_value(?, '$.a')", "json_query(?, '$')", 'json_value(?, \'$.""\')', 'to_json_string(?)'],
  ...[
    'to_json_string([?, id])',
    'to_json_string(struct(? as a, [?] as b))',
    'array_to_string([id], ?)',
  ],
  ...["regexp_replace(?, 'a*', 'b')", "array_to_string(regexp_extract_all(?, 'x*'), ',')"],
  ...["case ? when 'a' then 'b' when id then 'c' end", "if(? like 'a%' or id like ?, ?, 'no')"],
  ...["cast(? between 'a' and id as string)", 'cast(? in unnest([id, ?]) as string)'],
  ...["lag(?, 1, 'none') over (order by id)", '(select max(concat(?, v)) from unnest([1]) as v)'],
  ...['cast(exists(select 1 from unnest(split(?)) as v where v = id) as string)', 'max(?) over ()'],
  ...[`cast(safe.div(9, ${INT}) as string)`, `cast(safe.mod(${INT}, 2) as string)`],
  ...[`cast(${INT} << 1 as string)`, `cast([1, 2][safe_offset(${INT})] as string)`],
  ...[`cast(safe_divide(1, ${FLOAT}) as string)`, `cast(safe.pow(${FLOAT}, 2) as string)`],
  ...[`to_json_string([ieee_divide(${FLOAT}, 0)])`, `cast(nullif(${FLOAT}, 1) as string)`],
  ...['cast(safe_cast(? as timestamp) as string)', 'cast(safe_cast(? as date) as string)'],
  ...["format_timestamp('%F %T %Ez', safe_cast(? as timestamp), 'Asia/Tokyo')"],
];

/** A shallow expression with many forms around it. */
const composed = fc
  .tuple(
    fc.constantFrom('id', 'm.level', 'request.path', "'7'", 'to_json_string(metadata)', '@p'),
    fc.array(fc.constantFrom(...FORMS), { minLength: 3, maxLength: 9 }),
  )
  .map(([leaf, forms]) => forms.reduce((x, form) => form.replaceAll('?', () => x), leaf));

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

  async function isRefusedOrRuns(sql: string): Promise<boolean> {
    let compiled: ReturnType<typeof bench.compile>;
    try {
      compiled = bench.compile(sql, { parameters: { p: { type: 'string', value: "it's" } } });
      bench.compile(sql, { target: 'athena' });
    } catch (error) {
      expect(error).toBeInstanceOf(SqlError);
      return false;
    }
    expect(await bench.accepts(compiled)).toBe(true);
    return true;
  }

  test('are refused by the compiler or run: the engine never sees what it cannot parse or bind', async () => {
    let ran = 0;
    await fc.assert(
      fc.asyncProperty(expression, expression, async (item, condition) => {
        const sql = `select ${item} as x ${from} where ${condition} is not null`;
        ran += (await isRefusedOrRuns(sql)) ? 1 : 0;
      }),
      { numRuns: 1500 },
    );
    expect(ran).toBeGreaterThan(100);
  });

  test('are refused or run however deep functions lie in each other', async () => {
    let ran = 0;
    await fc.assert(
      fc.asyncProperty(composed, async (item) => {
        ran += (await isRefusedOrRuns(`select ${item} as x ${from}`)) ? 1 : 0;
      }),
      { numRuns: 400 },
    );
    expect(ran).toBeGreaterThan(200);
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
