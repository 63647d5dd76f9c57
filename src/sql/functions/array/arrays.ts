import { isConst } from '../../ir/expr-builders.ts';
import type { ScalarFunction } from '../../ir/function.ts';
import type { Expr } from '../../ir/ir.ts';
import { arrayOf, INT64, STRING, typeName } from '../../ir/types.ts';
import { aggregateExample, docsFrom, example } from '../common/doc.ts';
import { type CustomBoundFunction, calls, type FunctionCall } from '../common/function.ts';
import { joinTexts } from '../common/join-texts.ts';
import { letBindings } from '../common/let-binding.ts';

const doc = docsFrom('Array functions');

const LENGTH: ScalarFunction = {
  name: 'array_length',
  athena: ([array]) => `CAST(CARDINALITY(${array}) AS BIGINT)`,
  duckdb: ([array]) => `CAST(LEN(${array}) AS BIGINT)`,
};

/** The separator is a constant: DuckDB takes no other. */
const JOIN: ScalarFunction = {
  name: 'array_to_string',
  athena: calls('ARRAY_JOIN'),
  // Without any text to join DuckDB gives NULL.
  duckdb: (args) => joined(args, joinTexts),
};

/** DuckDB joins with constants only: the first separator is cut off again. */
const JOIN_BY_COLUMN: ScalarFunction = {
  ...JOIN,
  duckdb: (args) =>
    joined(args, (array, separator) =>
      letBindings('duckdb', [array, separator], ([list = '', between = '']) => {
        const parts = `LIST_TRANSFORM(${list}, LAMBDA item: ${between} || item)`;
        return `SUBSTR(${joinTexts(parts, "''")}, LENGTH(${between}) + 1)`;
      }),
    ),
};

function joined(
  [array = '', separator = '', missing]: readonly string[],
  join: (list: string, separator: string) => string,
): string {
  const given = [array, separator, ...(missing === undefined ? [] : [missing])];
  const list =
    missing === undefined
      ? array
      : letBindings(
          'duckdb',
          [array, missing],
          ([items, other]) => `LIST_TRANSFORM(${items}, LAMBDA item: COALESCE(item, ${other}))`,
        );
  const present = given.map((arg) => `${arg} IS NOT NULL`).join(' AND ');
  return `CASE WHEN ${present} THEN COALESCE(${join(list, separator)}, '') END`;
}

const REVERSE: ScalarFunction = {
  name: 'array_reverse',
  athena: calls('REVERSE'),
  duckdb: calls('LIST_REVERSE'),
};

export const ARRAY_CONCAT: ScalarFunction = {
  name: 'array_concat',
  athena: calls('CONCAT'),
  // LIST_CONCAT would leave a NULL out.
  duckdb: (arrays) => `(${arrays.join(' || ')})`,
};

/** An array, also a JSON list: its elements are read as STRING. */
function arrayArgument(call: FunctionCall, index: number): Expr {
  const value = call.arg(index);
  const array: Expr =
    value.op === 'json'
      ? {
          op: 'json_elements',
          type: arrayOf(STRING),
          text: value.text,
          path: value.path,
        }
      : value;
  if (array.type.kind !== 'array') {
    throw call.fail(`${call.name.toUpperCase()} needs an array, not ${typeName(array.type)}`);
  }
  return array;
}

export const ARRAY_FUNCTIONS: readonly CustomBoundFunction[] = [
  {
    name: 'array_length',
    takes: [1, 1],
    doc: doc(
      'ARRAY_LENGTH(array ARRAY<T>) -> INT64',
      'Number of elements, NULLs included; 0 for an empty array and NULL for NULL.',
      [
        example('ARRAY_LENGTH([1, 2, NULL])', 3),
        example("ARRAY_LENGTH(SPLIT('a,b'))", 2),
        example("ARRAY_LENGTH(REGEXP_EXTRACT_ALL('a', 'b'))", 0),
        example('ARRAY_LENGTH(SPLIT(CAST(NULL AS STRING)))', null),
      ],
    ),
    bind: (call) => ({ op: 'call', type: INT64, fn: LENGTH, args: [arrayArgument(call, 0)] }),
  },
  {
    name: 'array_to_string',
    takes: [2, 3],
    doc: doc(
      'ARRAY_TO_STRING(array ARRAY<STRING>, separator STRING[, missing STRING]) -> STRING',
      'The elements with the separator between them. NULLs are left out, or written as the text for what is missing.',
      [
        example("ARRAY_TO_STRING(['a', 'b'], '/')", 'a/b'),
        example("ARRAY_TO_STRING(['a', NULL, 'c'], ',')", 'a,c'),
        example("ARRAY_TO_STRING(REGEXP_EXTRACT_ALL('a', 'b'), ',')", ''),
        example("ARRAY_TO_STRING([CAST(NULL AS STRING), NULL], ',')", ''),
        example("ARRAY_TO_STRING(['a'], CAST(NULL AS STRING))", null),
        example("ARRAY_TO_STRING(['a', NULL, 'b'], '-', 'MISSING')", 'a-MISSING-b'),
        example("ARRAY_TO_STRING([CAST(NULL AS STRING)], '-', '?')", '?'),
        example("ARRAY_TO_STRING(['a'], '-', CAST(NULL AS STRING))", null),
        aggregateExample(
          "['-', '+', NULL]",
          "STRING_AGG(ARRAY_TO_STRING(['a', NULL, 'b'], x) ORDER BY x)",
          'a+b,a-b',
        ),
        aggregateExample("['-']", "STRING_AGG(ARRAY_TO_STRING(['a', NULL, 'b'], x, x))", 'a---b'),
        aggregateExample("['-']", 'STRING_AGG(ARRAY_TO_STRING([CAST(NULL AS STRING)], x))', ''),
      ],
    ),
    bind: (call) => {
      const array = arrayArgument(call, 0);
      if (array.type.kind !== 'array' || array.type.of.kind !== 'string') {
        throw call.fail(`ARRAY_TO_STRING needs an ARRAY<STRING>, not ${typeName(array.type)}`);
      }
      const separator = call.argAs(1, STRING);
      const missing = call.count > 2 ? [call.argAs(2, STRING)] : [];
      const fn = isConst(separator) ? JOIN : JOIN_BY_COLUMN;
      return { op: 'call', type: STRING, fn, args: [array, separator, ...missing] };
    },
  },
  {
    name: 'array_concat',
    takes: [1, Number.POSITIVE_INFINITY],
    doc: doc(
      'ARRAY_CONCAT(array ARRAY<T>[, ...]) -> ARRAY<T>',
      'The elements of all arrays in one; NULL if any of the arrays is NULL.',
      [
        example('ARRAY_CONCAT([1, 2], [3])', [1, 2, 3]),
        example("ARRAY_CONCAT(['a'], SPLIT('b'), ['c'])", ['a', 'b', 'c']),
        example("ARRAY_CONCAT(['a'], SPLIT(CAST(NULL AS STRING)))", null),
      ],
    ),
    bind: (call) => {
      const first = arrayArgument(call, 0);
      const arrays = [first];
      for (let i = 1; i < call.count; i += 1) {
        arrays.push(call.coerce(arrayArgument(call, i), first.type));
      }
      return arrays.length === 1
        ? first
        : { op: 'call', type: first.type, fn: ARRAY_CONCAT, args: arrays };
    },
  },
  {
    name: 'array_reverse',
    takes: [1, 1],
    doc: doc('ARRAY_REVERSE(array ARRAY<T>) -> ARRAY<T>', 'The elements in the opposite order.', [
      example('ARRAY_REVERSE([1, 2, 3])', [3, 2, 1]),
      example('ARRAY_REVERSE(SPLIT(CAST(NULL AS STRING)))', null),
    ]),
    bind: (call) => {
      const array = arrayArgument(call, 0);
      return { op: 'call', type: array.type, fn: REVERSE, args: [array] };
    },
  },
];
