import { aggregateExample, docsFrom, example } from '../common/doc.ts';
import type { CustomBoundFunction } from '../common/function.ts';
import {
  bindRegexpContains,
  bindRegexpExtract,
  bindRegexpExtractAll,
  bindRegexpInstr,
  bindRegexpReplace,
} from './bind.ts';

const doc = docsFrom('String functions');

const extractRule =
  'The first match of a pattern, or what its group matched if it has one; NULL if nothing matches, or if the group took no part. With a position, the text before it does not exist; the occurrence says which match is meant. More than one group is an error.';

function extractDoc(name: string) {
  return doc(
    `${name}(value STRING, pattern STRING[, position INT64[, occurrence INT64]]) -> STRING`,
    extractRule,
    [
      example(`${name}('/rest/v1/users', r'v\\d+')`, 'v1'),
      example(`${name}('status=503', r'status=(\\d+)')`, '503'),
      example(`${name}('abc', r'\\d')`, null),
      example(`${name}('äöü', r'ö(.)')`, 'ü'),
      example(`${name}('a', r'a(x)?')`, null),
      example(`${name}('a', r'a(x*)')`, ''),
      example(`${name}('k=1 l=2', r'\\w=(\\d)', 1, 2)`, '2'),
      example(`${name}('a1b2', r'[a-z]', 2)`, 'b'),
      example(`${name}('a1', r'[a-z]', 1, 2)`, null),
      example(`${name}('a', NULL)`, null),
    ],
  );
}

export const REGEX_FUNCTIONS: readonly CustomBoundFunction[] = [
  {
    name: 'regexp_contains',
    takes: [2, 2],
    doc: doc(
      'REGEXP_CONTAINS(value STRING, pattern STRING) -> BOOL',
      'Whether a pattern matches anywhere in the text.',
      [
        example("REGEXP_CONTAINS('GET /v1', r'^(GET|HEAD) ')", true),
        example("REGEXP_CONTAINS('abc', '(?i)B')", true),
        example("REGEXP_CONTAINS('abc', r'^b')", false),
        example("REGEXP_CONTAINS('abc\\n', r'c$')", false),
        example("REGEXP_CONTAINS('abc\\n', r'(?m)c$')", true),
        example("REGEXP_CONTAINS('É', r'(?i)^é$')", true),
        example("REGEXP_CONTAINS('é٣', r'\\w|\\d')", false),
        example("REGEXP_CONTAINS('a', NULL)", null),
        example("REGEXP_CONTAINS(CAST(NULL AS STRING), 'a')", null),
      ],
    ),
    bind: bindRegexpContains,
  },
  {
    name: 'regexp_extract',
    takes: [2, 4],
    doc: extractDoc('REGEXP_EXTRACT'),
    bind: bindRegexpExtract,
  },
  {
    name: 'regexp_substr',
    takes: [2, 4],
    doc: extractDoc('REGEXP_SUBSTR'),
    bind: bindRegexpExtract,
  },
  {
    name: 'regexp_extract_all',
    takes: [2, 2],
    doc: doc(
      'REGEXP_EXTRACT_ALL(value STRING, pattern STRING) -> ARRAY<STRING>',
      'Every match of a pattern, or what its group matched if it has one (an empty text where the group took no part); an empty array if nothing matches.',
      [
        example("REGEXP_EXTRACT_ALL('a1b22', r'\\d+')", ['1', '22']),
        example("REGEXP_EXTRACT_ALL('k=1 l=2', r'(\\w)=')", ['k', 'l']),
        example("REGEXP_EXTRACT_ALL('abc', r'\\d')", []),
        example("REGEXP_EXTRACT_ALL('xx xa', r'x(a)?')", ['', '', 'a']),
        example("REGEXP_EXTRACT_ALL('xab', 'x*')", ['x', '', '']),
        example("REGEXP_EXTRACT_ALL('', 'x*')", ['']),
        example("REGEXP_EXTRACT_ALL(CAST(NULL AS STRING), r'\\d')", null),
      ],
    ),
    bind: bindRegexpExtractAll,
  },
  {
    name: 'regexp_replace',
    takes: [3, 3],
    doc: doc(
      'REGEXP_REPLACE(value STRING, pattern STRING, replacement STRING) -> STRING',
      'Every match replaced. In the replacement, a constant, `\\1` to `\\9` stand for groups, `\\0` for the match and `\\\\` for a backslash. An empty match right behind another is none.',
      [
        example("REGEXP_REPLACE('id 42 and 7', r'\\d+', '?')", 'id ? and ?'),
        example("REGEXP_REPLACE('a-b', r'(\\w)-(\\w)', r'\\2-\\1')", 'b-a'),
        example("REGEXP_REPLACE('price', 'price', '$1')", '$1'),
        example("REGEXP_REPLACE('abc', '', '-')", '-a-b-c-'),
        example("REGEXP_REPLACE('xabx', 'x*', '-')", '-a-b-'),
        example("REGEXP_REPLACE('one\\ntwo', '.*', '(\\\\0)')", '(one)\n(two)'),
        example("REGEXP_REPLACE('a', 'a', NULL)", null),
        aggregateExample("['a1', NULL]", "STRING_AGG(REGEXP_REPLACE(x, '[0-9]', ''))", 'a'),
      ],
    ),
    bind: bindRegexpReplace,
  },
  {
    name: 'regexp_instr',
    takes: [2, 5],
    doc: doc(
      'REGEXP_INSTR(value STRING, pattern STRING[, position INT64[, occurrence INT64[, end INT64]]]) -> INT64',
      'Position of the first match, counted from 1, or of the character after it if the end is 1; 0 if nothing matches. The occurrence can only be 1, and the pattern can have no group.',
      [
        example("REGEXP_INSTR('ab12c3', r'\\d+')", 3),
        example("REGEXP_INSTR('ab12c3', r'\\d+', 1, 1, 1)", 5),
        example("REGEXP_INSTR('ab12c3', r'\\d+', 5)", 6),
        example("REGEXP_INSTR('äöü', 'ü')", 3),
        example("REGEXP_INSTR('abc', r'\\d')", 0),
        example("REGEXP_INSTR(CAST(NULL AS STRING), r'\\d')", null),
      ],
    ),
    bind: bindRegexpInstr,
  },
];
