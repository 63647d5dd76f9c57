import { isConst } from '../../ir/expr-builders.ts';
import type { AggregateTemplate } from '../../ir/function.ts';
import { FLOAT64, INT64, type SqlType } from '../../ir/types.ts';
import { docsFrom, type FunctionDoc, type FunctionExample, windowExample } from '../common/doc.ts';
import type { AggregateFunction, ParameterKind } from '../common/function.ts';
import { aggregate, always, firstType, plain } from './aggregate.ts';

const doc = docsFrom('Numbering functions');
const navigationDoc = docsFrom('Navigation functions');
const WINDOW_ONLY = { windowOnly: true, distinct: 'refused' } as const;

function ranking(
  name: string,
  rule: string,
  type: SqlType,
  examples: readonly [FunctionExample, ...FunctionExample[]],
): AggregateFunction {
  const returns = type === INT64 ? 'INT64' : 'FLOAT64';
  const text = doc(`${name}() OVER (..) -> ${returns}`, rule, examples);
  return {
    ...aggregate(name.toLowerCase(), text, [], always(type), plain(name)),
    ...WINDOW_ONLY,
    noFrame: true,
  };
}

/** Functions of one row of the window. */
function navigation(
  engine: string,
  text: FunctionDoc,
  parameters: readonly ParameterKind[],
  required: number,
  further: Pick<AggregateFunction, 'nulls' | 'check' | 'noFrame'>,
): AggregateFunction {
  // IGNORE NULLS stands behind the call in Trino, inside of it in DuckDB.
  const athena: AggregateTemplate = (parts) =>
    `${engine}(${parts.args.join(', ')})${parts.ignoreNulls ? ' IGNORE NULLS' : ''}${parts.over}`;
  const duckdb: AggregateTemplate = (parts) =>
    `${engine}(${parts.args.join(', ')}${parts.ignoreNulls ? ' IGNORE NULLS' : ''})${parts.over}`;
  return {
    name: engine.toLowerCase(),
    doc: text,
    parameters,
    required,
    result: firstType,
    athena,
    duckdb,
    ...WINDOW_ONLY,
    ...further,
  };
}

const NULLS = { nulls: ['ignore', 'respect'] } as const;

/** A sentence unless an argument, if it is given, is a constant of `least` or more. */
const countOf =
  (index: number, least: bigint): NonNullable<AggregateFunction['check']> =>
  (args) => {
    const count = args[index];
    const fits =
      count === undefined ||
      (isConst(count) && typeof count.value === 'bigint' && count.value >= least);
    return fits ? undefined : `argument ${index + 1} must be a constant of ${least} or more`;
  };

const neighbour = (name: string, where: string, results: readonly unknown[]) =>
  navigation(
    name,
    navigationDoc(
      `${name}(value T[, offset INT64[, default T]]) OVER (..) -> T`,
      `The value of the row so many rows (1) ${where}; the default, or NULL, where there is no such row.`,
      [
        windowExample('[10, 20, 30]', `${name}(x, 1, 0) OVER (ORDER BY x)`, results),
        windowExample('[10]', `${name}(CAST(x AS FLOAT64), 1, 7) OVER (ORDER BY x)`, [7]),
      ],
    ),
    ['same', 'int64', 'same'],
    1,
    { check: countOf(1, 0n), noFrame: true },
  );

const FRAME = 'ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING';

export const WINDOW_FUNCTIONS: readonly AggregateFunction[] = [
  ranking('ROW_NUMBER', 'The place of the row in its partition, counted from 1.', INT64, [
    windowExample('[30, 10, 20]', 'ROW_NUMBER() OVER (ORDER BY x DESC)', [3, 2, 1]),
  ]),
  ranking('RANK', 'The place of the row; equal rows share one and leave a gap.', INT64, [
    windowExample('[10, 10, 20]', 'RANK() OVER (ORDER BY x)', [1, 1, 3]),
  ]),
  ranking('DENSE_RANK', 'The place of the row; equal rows share one and leave no gap.', INT64, [
    windowExample('[10, 10, 20]', 'DENSE_RANK() OVER (ORDER BY x)', [1, 1, 2]),
  ]),
  ranking(
    'PERCENT_RANK',
    'RANK less one, divided by the number of rows less one; 0 for a single row.',
    FLOAT64,
    [
      windowExample('[10, 20, 30]', 'PERCENT_RANK() OVER (ORDER BY x)', [0, 0.5, 1]),
      windowExample('[10]', 'PERCENT_RANK() OVER (ORDER BY x)', [0]),
    ],
  ),
  ranking('CUME_DIST', 'The share of rows that come no later than this one.', FLOAT64, [
    windowExample('[10, 10, 20, 30]', 'CUME_DIST() OVER (ORDER BY x)', [0.5, 0.5, 0.75, 1]),
  ]),
  {
    ...aggregate(
      'ntile',
      doc(
        'NTILE(buckets INT64) OVER (..) -> INT64',
        'Which of so many buckets of almost equal size, counted from 1, the row is in; the first ones take what is left over.',
        [windowExample('[10, 20, 30]', 'NTILE(2) OVER (ORDER BY x)', [1, 1, 2])],
      ),
      ['int64'],
      always(INT64),
      plain('NTILE'),
    ),
    ...WINDOW_ONLY,
    check: countOf(0, 1n),
    noFrame: true,
  },
  neighbour('LAG', 'earlier', [0, 10, 20]),
  neighbour('LEAD', 'later', [20, 30, 0]),
  navigation(
    'FIRST_VALUE',
    navigationDoc(
      'FIRST_VALUE(value T [IGNORE NULLS | RESPECT NULLS]) OVER (..) -> T',
      'The value of the first row of the window frame.',
      [
        windowExample('[10, 20]', 'FIRST_VALUE(x) OVER (ORDER BY x)', [10, 10]),
        windowExample(
          '[NULL, 10]',
          `FIRST_VALUE(x IGNORE NULLS) OVER (ORDER BY x ${FRAME})`,
          [10, 10],
        ),
      ],
    ),
    ['any'],
    1,
    NULLS,
  ),
  navigation(
    'LAST_VALUE',
    navigationDoc(
      'LAST_VALUE(value T [IGNORE NULLS | RESPECT NULLS]) OVER (..) -> T',
      'The value of the last row of the window frame, which ends at the current row unless it is said otherwise.',
      [
        windowExample('[10, 20]', 'LAST_VALUE(x) OVER (ORDER BY x)', [10, 20]),
        windowExample('[10, 20]', `LAST_VALUE(x) OVER (ORDER BY x ${FRAME})`, [20, 20]),
      ],
    ),
    ['any'],
    1,
    NULLS,
  ),
  navigation(
    'NTH_VALUE',
    navigationDoc(
      'NTH_VALUE(value T, n INT64 [IGNORE NULLS | RESPECT NULLS]) OVER (..) -> T',
      'The value of the n-th row, counted from 1, of the window frame; NULL where there is none yet.',
      [windowExample('[10, 20]', `NTH_VALUE(x, 2) OVER (ORDER BY x ${FRAME})`, [20, 20])],
    ),
    ['any', 'int64'],
    2,
    { ...NULLS, check: countOf(1, 1n) },
  ),
];
