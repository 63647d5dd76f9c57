import { constant, isConst } from '../build.ts';
import type { Expr } from '../tree.ts';
import { arrayOf, BOOL, INT64, type SqlType, STRING } from '../types.ts';
import { docsFrom, is, of } from './doc.ts';
import {
  calls,
  type ScalarFunction,
  type SimpleFunction,
  type SpecialCall,
  type SpecialFunction,
} from './function.ts';

const doc = docsFrom('String functions');

/** Whether a pattern has a capturing group; REGEXP_EXTRACT then gives the first one. */
export function hasGroup(pattern: string): boolean {
  let inClass = false;
  for (let i = 0; i < pattern.length; i += 1) {
    const character = pattern[i];
    if (character === '\\') {
      i += 1;
    } else if (inClass) {
      inClass = character !== ']';
    } else if (character === '[') {
      inClass = true;
    } else if (
      character === '(' &&
      (pattern[i + 1] !== '?' || /^\?P?</.test(pattern.slice(i + 1)))
    ) {
      return true;
    }
  }
  return false;
}

const EXTRACT: ScalarFunction = {
  name: 'regexp_extract',
  athena: calls('REGEXP_EXTRACT'),
  // No match is '' in DuckDB and NULL in BigQuery.
  duckdb: ([s, pattern, group]) =>
    `CASE WHEN REGEXP_MATCHES(${s}, ${pattern}) THEN REGEXP_EXTRACT(${s}, ${pattern}, CAST(${group} AS INTEGER)) END`,
};

const EXTRACT_ALL: ScalarFunction = {
  name: 'regexp_extract_all',
  athena: calls('REGEXP_EXTRACT_ALL'),
  duckdb: ([s, pattern, group]) =>
    `REGEXP_EXTRACT_ALL(${s}, ${pattern}, CAST(${group} AS INTEGER))`,
};

const REPLACE: ScalarFunction = {
  name: 'regexp_replace',
  athena: ([s, pattern, replacement]) =>
    `REGEXP_REPLACE(${s}, ${pattern}, REGEXP_REPLACE(REGEXP_REPLACE(${replacement}, '\\$', '\\\\\\$'), '\\\\(\\d)', '\\$$1'))`,
  duckdb: ([s, pattern, replacement]) => `REGEXP_REPLACE(${s}, ${pattern}, ${replacement}, 'g')`,
};

/** The pattern decides at compile time which group is meant. */
const extract =
  (fn: ScalarFunction, type: SqlType) =>
  (call: SpecialCall): Expr => {
    const name = call.name.toUpperCase();
    const pattern = call.argAs(1, STRING);
    if (!isConst(pattern)) {
      throw call.fail(`The pattern of ${name} must be a literal`);
    }
    if (call.count > 2) {
      throw call.fail(
        `${name} takes 2 arguments here: the position and occurrence are not supported`,
      );
    }
    if (typeof pattern.value !== 'string') {
      return constant(type, null);
    }
    const group = constant(INT64, hasGroup(pattern.value) ? 1n : 0n);
    return { op: 'call', type, fn, args: [call.argAs(0, STRING), pattern, group] };
  };

const extractRule =
  'The first match of a regular expression (RE2), or of its group if it has one; NULL if nothing matches.';

function extractDoc(name: string) {
  return doc(`${name}(value STRING, pattern STRING) -> STRING`, extractRule, [
    is(`${name}('/rest/v1/users', r'v\\d+')`, 'v1'),
    is(`${name}('status=503', r'status=(\\d+)')`, '503'),
    is(`${name}('abc', r'\\d')`, null),
    is(`${name}('äöü', r'ö(.)')`, 'ü'),
  ]);
}

export const REGEX_PREDICATES: readonly SimpleFunction[] = [
  {
    name: 'regexp_contains',
    doc: doc(
      'REGEXP_CONTAINS(value STRING, pattern STRING) -> BOOL',
      'Whether a regular expression (RE2) matches anywhere in the text.',
      [
        is("REGEXP_CONTAINS('GET /v1', r'^(GET|HEAD) ')", true),
        is("REGEXP_CONTAINS('abc', '(?i)B')", true),
        is("REGEXP_CONTAINS('abc', r'^b')", false),
        is("REGEXP_CONTAINS(CAST(NULL AS STRING), 'a')", null),
      ],
    ),
    parameters: ['string', 'regex'],
    required: 2,
    result: BOOL,
    athena: calls('REGEXP_LIKE'),
    duckdb: calls('REGEXP_MATCHES'),
  },
];

export const REGEX_FUNCTIONS: readonly SpecialFunction[] = [
  {
    name: 'regexp_extract',
    doc: extractDoc('REGEXP_EXTRACT'),
    bind: extract(EXTRACT, STRING),
  },
  { name: 'regexp_substr', doc: extractDoc('REGEXP_SUBSTR'), bind: extract(EXTRACT, STRING) },
  {
    name: 'regexp_extract_all',
    doc: doc(
      'REGEXP_EXTRACT_ALL(value STRING, pattern STRING) -> ARRAY<STRING>',
      'Every match of a regular expression (RE2), or of its group if it has one; an empty array if nothing matches.',
      [
        is("REGEXP_EXTRACT_ALL('a1b22', r'\\d+')", ['1', '22']),
        is("REGEXP_EXTRACT_ALL('k=1 l=2', r'(\\w)=')", ['k', 'l']),
        is("REGEXP_EXTRACT_ALL('abc', r'\\d')", []),
        is("REGEXP_EXTRACT_ALL(CAST(NULL AS STRING), r'\\d')", null),
      ],
    ),
    bind: extract(EXTRACT_ALL, arrayOf(STRING)),
  },
  {
    name: 'regexp_replace',
    doc: doc(
      'REGEXP_REPLACE(value STRING, pattern STRING, replacement STRING) -> STRING',
      'Every match replaced; `\\1` to `\\9` in the replacement stand for groups and `\\0` for the match.',
      [
        is("REGEXP_REPLACE('id 42 and 7', r'\\d+', '?')", 'id ? and ?'),
        is("REGEXP_REPLACE('a-b', r'(\\w)-(\\w)', r'\\2-\\1')", 'b-a'),
        is("REGEXP_REPLACE('price', 'price', '$1')", '$1'),
        of("['a1', NULL]", "STRING_AGG(REGEXP_REPLACE(x, '[0-9]', ''))", 'a'),
      ],
    ),
    bind: (call) => ({
      op: 'call',
      type: STRING,
      fn: REPLACE,
      args: [call.argAs(0, STRING), call.argAs(1, STRING), call.argAs(2, STRING)],
    }),
  },
];
