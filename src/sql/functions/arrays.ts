import { isConst } from '../build.ts';
import type { Expr } from '../tree.ts';
import { arrayOf, INT64, STRING, typeName } from '../types.ts';
import { docsFrom, is, of } from './doc.ts';
import { calls, type ScalarFunction, type SpecialCall, type SpecialFunction } from './function.ts';
import { joinTexts } from './join-texts.ts';
import { shareAll } from './share.ts';

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
      shareAll('duckdb', [array, separator], ([list = '', between = '']) => {
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
      : shareAll(
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
function arrayArgument(call: SpecialCall, index: number): Expr {
  const value = call.arg(index);
  const array: Expr =
    value.op === 'json'
      ? {
          op: 'json_elements',
          type: arrayOf(STRING),
          text: value.document.text(),
          path: value.path,
        }
      : value;
  if (array.type.kind !== 'array') {
    throw call.fail(`${call.name.toUpperCase()} needs an array, not ${typeName(array.type)}`);
  }
  return array;
}

export const ARRAY_FUNCTIONS: readonly SpecialFunction[] = [
  {
    name: 'array_length',
    takes: [1, 1],
    doc: doc(
      'ARRAY_LENGTH(array ARRAY<T>) -> INT64',
      'Number of elements, NULLs included; 0 for an empty array and NULL for NULL.',
      [
        is('ARRAY_LENGTH([1, 2, NULL])', 3),
        is("ARRAY_LENGTH(SPLIT('a,b'))", 2),
        is("ARRAY_LENGTH(REGEXP_EXTRACT_ALL('a', 'b'))", 0),
        is('ARRAY_LENGTH(SPLIT(CAST(NULL AS STRING)))', null),
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
        is("ARRAY_TO_STRING(['a', 'b'], '/')", 'a/b'),
        is("ARRAY_TO_STRING(['a', NULL, 'c'], ',')", 'a,c'),
        is("ARRAY_TO_STRING(REGEXP_EXTRACT_ALL('a', 'b'), ',')", ''),
        is("ARRAY_TO_STRING([CAST(NULL AS STRING), NULL], ',')", ''),
        is("ARRAY_TO_STRING(['a'], CAST(NULL AS STRING))", null),
        is("ARRAY_TO_STRING(['a', NULL, 'b'], '-', 'MISSING')", 'a-MISSING-b'),
        is("ARRAY_TO_STRING([CAST(NULL AS STRING)], '-', '?')", '?'),
        is("ARRAY_TO_STRING(['a'], '-', CAST(NULL AS STRING))", null),
        of(
          "['-', '+', NULL]",
          "STRING_AGG(ARRAY_TO_STRING(['a', NULL, 'b'], x) ORDER BY x)",
          'a+b,a-b',
        ),
        of("['-']", "STRING_AGG(ARRAY_TO_STRING(['a', NULL, 'b'], x, x))", 'a---b'),
        of("['-']", 'STRING_AGG(ARRAY_TO_STRING([CAST(NULL AS STRING)], x))', ''),
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
        is('ARRAY_CONCAT([1, 2], [3])', [1, 2, 3]),
        is("ARRAY_CONCAT(['a'], SPLIT('b'), ['c'])", ['a', 'b', 'c']),
        is("ARRAY_CONCAT(['a'], SPLIT(CAST(NULL AS STRING)))", null),
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
      is('ARRAY_REVERSE([1, 2, 3])', [3, 2, 1]),
      is('ARRAY_REVERSE(SPLIT(CAST(NULL AS STRING)))', null),
    ]),
    bind: (call) => {
      const array = arrayArgument(call, 0);
      return { op: 'call', type: array.type, fn: REVERSE, args: [array] };
    },
  },
];
