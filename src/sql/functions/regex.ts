import { docsFrom, is, of } from './doc.ts';
import type { SpecialFunction } from './function.ts';
import { bindContains, bindExtract, bindExtractAll, bindInstr, bindReplace } from './regex-bind.ts';

const doc = docsFrom('String functions');

const extractRule =
  'The first match of a pattern, or what its group matched if it has one; NULL if nothing matches, or if the group took no part. With a position, the text before it does not exist; the occurrence says which match is meant. More than one group is an error.';

function extractDoc(name: string) {
  return doc(
    `${name}(value STRING, pattern STRING[, position INT64[, occurrence INT64]]) -> STRING`,
    extractRule,
    [
      is(`${name}('/rest/v1/users', r'v\\d+')`, 'v1'),
      is(`${name}('status=503', r'status=(\\d+)')`, '503'),
      is(`${name}('abc', r'\\d')`, null),
      is(`${name}('äöü', r'ö(.)')`, 'ü'),
      is(`${name}('a', r'a(x)?')`, null),
      is(`${name}('a', r'a(x*)')`, ''),
      is(`${name}('k=1 l=2', r'\\w=(\\d)', 1, 2)`, '2'),
      is(`${name}('a1b2', r'[a-z]', 2)`, 'b'),
      is(`${name}('a1', r'[a-z]', 1, 2)`, null),
      is(`${name}('a', NULL)`, null),
    ],
  );
}

export const REGEX_FUNCTIONS: readonly SpecialFunction[] = [
  {
    name: 'regexp_contains',
    takes: [2, 2],
    doc: doc(
      'REGEXP_CONTAINS(value STRING, pattern STRING) -> BOOL',
      'Whether a pattern matches anywhere in the text.',
      [
        is("REGEXP_CONTAINS('GET /v1', r'^(GET|HEAD) ')", true),
        is("REGEXP_CONTAINS('abc', '(?i)B')", true),
        is("REGEXP_CONTAINS('abc', r'^b')", false),
        is("REGEXP_CONTAINS('abc\\n', r'c$')", false),
        is("REGEXP_CONTAINS('abc\\n', r'(?m)c$')", true),
        is("REGEXP_CONTAINS('É', r'(?i)^é$')", true),
        is("REGEXP_CONTAINS('é٣', r'\\w|\\d')", false),
        is("REGEXP_CONTAINS('a', NULL)", null),
        is("REGEXP_CONTAINS(CAST(NULL AS STRING), 'a')", null),
      ],
    ),
    bind: bindContains,
  },
  { name: 'regexp_extract', takes: [2, 4], doc: extractDoc('REGEXP_EXTRACT'), bind: bindExtract },
  { name: 'regexp_substr', takes: [2, 4], doc: extractDoc('REGEXP_SUBSTR'), bind: bindExtract },
  {
    name: 'regexp_extract_all',
    takes: [2, 2],
    doc: doc(
      'REGEXP_EXTRACT_ALL(value STRING, pattern STRING) -> ARRAY<STRING>',
      'Every match of a pattern, or what its group matched if it has one (an empty text where the group took no part); an empty array if nothing matches.',
      [
        is("REGEXP_EXTRACT_ALL('a1b22', r'\\d+')", ['1', '22']),
        is("REGEXP_EXTRACT_ALL('k=1 l=2', r'(\\w)=')", ['k', 'l']),
        is("REGEXP_EXTRACT_ALL('abc', r'\\d')", []),
        is("REGEXP_EXTRACT_ALL('xx xa', r'x(a)?')", ['', '', 'a']),
        is("REGEXP_EXTRACT_ALL('xab', 'x*')", ['x', '', '']),
        is("REGEXP_EXTRACT_ALL('', 'x*')", ['']),
        is("REGEXP_EXTRACT_ALL(CAST(NULL AS STRING), r'\\d')", null),
      ],
    ),
    bind: bindExtractAll,
  },
  {
    name: 'regexp_replace',
    takes: [3, 3],
    doc: doc(
      'REGEXP_REPLACE(value STRING, pattern STRING, replacement STRING) -> STRING',
      'Every match replaced. In the replacement, a constant, `\\1` to `\\9` stand for groups, `\\0` for the match and `\\\\` for a backslash. An empty match right behind another is none.',
      [
        is("REGEXP_REPLACE('id 42 and 7', r'\\d+', '?')", 'id ? and ?'),
        is("REGEXP_REPLACE('a-b', r'(\\w)-(\\w)', r'\\2-\\1')", 'b-a'),
        is("REGEXP_REPLACE('price', 'price', '$1')", '$1'),
        is("REGEXP_REPLACE('abc', '', '-')", '-a-b-c-'),
        is("REGEXP_REPLACE('xabx', 'x*', '-')", '-a-b-'),
        is("REGEXP_REPLACE('one\\ntwo', '.*', '(\\\\0)')", '(one)\n(two)'),
        is("REGEXP_REPLACE('a', 'a', NULL)", null),
        of("['a1', NULL]", "STRING_AGG(REGEXP_REPLACE(x, '[0-9]', ''))", 'a'),
      ],
    ),
    bind: bindReplace,
  },
  {
    name: 'regexp_instr',
    takes: [2, 5],
    doc: doc(
      'REGEXP_INSTR(value STRING, pattern STRING[, position INT64[, occurrence INT64[, end INT64]]]) -> INT64',
      'Position of the first match, counted from 1, or of the character after it if the end is 1; 0 if nothing matches. The occurrence can only be 1, and the pattern can have no group.',
      [
        is("REGEXP_INSTR('ab12c3', r'\\d+')", 3),
        is("REGEXP_INSTR('ab12c3', r'\\d+', 1, 1, 1)", 5),
        is("REGEXP_INSTR('ab12c3', r'\\d+', 5)", 6),
        is("REGEXP_INSTR('äöü', 'ü')", 3),
        is("REGEXP_INSTR('abc', r'\\d')", 0),
        is("REGEXP_INSTR(CAST(NULL AS STRING), r'\\d')", null),
      ],
    ),
    bind: bindInstr,
  },
];
