import fc from 'fast-check';
import { anyExpression, expressions, type Kind } from './expressions.ts';

/** A query and whether it says in which order its rows are. */
export interface GeneratedQuery {
  readonly sql: string;
  readonly ordered: boolean;
}

type Text = fc.Arbitrary<string>;

const { bool, int, float, string, timestamp } = expressions;

/** Every one gives a table `t` with the columns of the samples. */
const FROM: Text = fc.oneof(
  { weight: 4, arbitrary: fc.constant('samples as t') },
  bool.map((condition) => `(select * from samples as t where ${condition}) as t`),
  fc.constant('samples as t left join unnest(t.metadata) as md left join unnest(md.tags) as tag'),
  fc.constant(
    'samples as t cross join unnest(t.metadata) as md cross join unnest(md.spans) as span',
  ),
  fc.constant('samples as t, t.metadata.tags as tag with offset as position'),
  fc.constant('samples as t left join samples as u on u.project = t.project and u.m > t.m'),
  fc.constant('samples as t join samples as u on u.id <= t.id'),
  bool.map(
    (condition) =>
      `(select * from samples as t where ${condition} union all select * from samples) as t`,
  ),
);

const WHERE: Text = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  bool.map((condition) => ` where ${condition}`),
);

function positions(count: number): fc.Arbitrary<string> {
  const keys = Array.from({ length: count }, (_, i) => `${i + 1}`);
  return fc
    .tuple(...keys.map((key) => fc.constantFrom(key, `${key} desc`, `${key} nulls last`)))
    .map((list) => list.join(', '));
}

/** Orders by every column, so that only equal rows may change places; else, in any order. */
function inSomeOrder(query: Text, count: number): fc.Arbitrary<GeneratedQuery> {
  const tail = fc.constantFrom('', '', ' limit 3', ' limit 5 offset 1');
  return fc.oneof(
    query.map((sql) => ({ sql, ordered: false })),
    fc
      .tuple(query, positions(count), tail)
      .map(([sql, keys, limit]) => ({ sql: `${sql} order by ${keys}${limit}`, ordered: true })),
  );
}

/** Columns, the first ones being the id and so on; named so that any can be told from the others. */
function named(items: readonly string[]): string {
  return items.map((item, i) => `${item} as c${i}`).join(', ');
}

const plain = fc.integer({ min: 1, max: 5 }).chain((count) =>
  inSomeOrder(
    fc
      .tuple(
        fc.constantFrom('', '', 'distinct '),
        fc.array(anyExpression, { minLength: count, maxLength: count }),
        FROM,
        WHERE,
      )
      .map(
        ([distinct, items, from, where]) =>
          `select ${distinct}${named(items)} from ${from}${where}`,
      ),
    count,
  ),
);

const aggregate: Text = fc.oneof(
  fc.constant('count(*)'),
  anyExpression.map((x) => `count(${x})`),
  anyExpression.map((x) => `count(distinct ${x})`),
  bool.map((x) => `countif(${x})`),
  int.map((x) => `sum(${x})`),
  float.map((x) => `sum(${x})`),
  fc.oneof(int, float).map((x) => `avg(${x})`),
  fc.oneof(int, string, timestamp, float, bool).map((x) => `max(${x})`),
  fc.oneof(int, string, timestamp, float, bool).map((x) => `min(${x})`),
  fc.tuple(int, bool).map(([x, condition]) => `sum(if(${condition}, ${x}, 0))`),
  fc.tuple(int, bool).map(([x, condition]) => `max(${x}) filter (where ${condition})`),
  fc.oneof(float, int).map((x) => `stddev(${x})`),
  bool.map((x) => `${'logical_or'}(${x})`),
  bool.map((x) => `logical_and(${x})`),
  string.map((x) => `string_agg(distinct ${x}, ',' order by ${x})`),
);

const grouped = fc
  .tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 1, max: 3 }))
  .chain(([keys, values]) =>
    inSomeOrder(
      fc
        .tuple(
          fc.array(anyExpression, { minLength: keys, maxLength: keys }),
          fc.array(aggregate, { minLength: values, maxLength: values }),
          FROM,
          WHERE,
          fc.constantFrom('', '', ' having count(*) > 1'),
        )
        .map(([by, items, from, where, having]) => {
          const group = keys === 0 ? '' : ` group by ${by.map((_, i) => i + 1).join(', ')}`;
          return `select ${named([...by, ...items])} from ${from}${where}${group}${having}`;
        }),
      keys + values,
    ),
  );

/** The partition's order ends with the id, which has no ties. */
const over = fc
  .tuple(anyExpression, anyExpression, fc.constantFrom('', ' desc'))
  .map(([by, key, way]) => `over (partition by ${by} order by ${key}${way}, t.id)`);
const overFrame = fc
  .tuple(
    over,
    fc.constantFrom(
      'rows between 1 preceding and current row',
      'rows between unbounded preceding and unbounded following',
    ),
  )
  .map(([window, frame]) => window.replace(/\)$/, ` ${frame})`));
const windowed: Text = fc.oneof(
  over.map((w) => `row_number() ${w}`),
  over.map((w) => `rank() ${w}`),
  fc.tuple(anyExpression, over).map(([x, w]) => `lag(${x}) ${w}`),
  fc.tuple(anyExpression, over).map(([x, w]) => `lead(${x}, 2) ${w}`),
  fc.tuple(anyExpression, over).map(([x, w]) => `first_value(${x}) ${w}`),
  fc.tuple(anyExpression, overFrame).map(([x, w]) => `last_value(${x}) ${w}`),
  fc.tuple(int, overFrame).map(([x, w]) => `sum(${x}) ${w}`),
  fc.tuple(anyExpression, over).map(([x, w]) => `count(${x}) ${w}`),
);

const windows = inSomeOrder(
  fc
    .tuple(
      windowed,
      windowed,
      WHERE,
      fc.constantFrom('', ' qualify row_number() over (partition by t.project order by t.id) = 1'),
    )
    .map(([a, b, where, qualify]) => {
      const condition = where === '' && qualify !== '' ? ' where true' : where;
      return `select ${named(['t.id', a, b])} from samples as t${condition}${qualify}`;
    }),
  3,
);

const KINDS: readonly Kind[] = ['string', 'int', 'float', 'bool', 'timestamp', 'datetime', 'date'];
const sets = fc.tuple(fc.constantFrom(...KINDS), fc.constantFrom(...KINDS)).chain(([a, b]) => {
  const arm = fc
    .tuple(expressions[a], expressions[b], WHERE)
    .map(([x, y, where]) => `select ${named([x, y])} from samples as t${where}`);
  const operation = fc.constantFrom(
    'union all',
    'union distinct',
    'intersect distinct',
    'except distinct',
  );
  return inSomeOrder(
    fc.tuple(arm, operation, arm).map(([x, op, y]) => `${x} ${op} ${y}`),
    2,
  );
});

/** A query over the result of another, through a CTE. */
const layered = fc
  .tuple(expressions.string, expressions.int, expressions.timestamp, bool, plain)
  .map(([text, m, time, condition, query]) => ({
    sql: `with samples as (select id, project, metadata, mixed, pattern, day, moment, f, flag, ${text} as text, ${m} as m, ${time} as timestamp from samples as t where ${condition}) ${query.sql}`,
    ordered: query.ordered,
  }));

export const queries: fc.Arbitrary<GeneratedQuery> = fc.oneof(
  { weight: 4, arbitrary: plain },
  { weight: 3, arbitrary: grouped },
  { weight: 2, arbitrary: windows },
  { weight: 2, arbitrary: sets },
  { weight: 1, arbitrary: layered },
);
