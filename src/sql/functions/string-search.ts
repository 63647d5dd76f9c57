import { BOOL, INT64 } from '../types.ts';
import { docsFrom, is, of } from './doc.ts';
import { both, calls, type SimpleFunction } from './function.ts';

const doc = docsFrom('String functions');

/** Functions that look for a text in another. */
export const STRING_SEARCH_FUNCTIONS: readonly SimpleFunction[] = [
  {
    name: 'starts_with',
    doc: doc(
      'STARTS_WITH(value STRING, prefix STRING) -> BOOL',
      'Whether the text begins with the prefix. Every text begins with the empty one.',
      [
        is("STARTS_WITH('/auth/v1', '/auth')", true),
        of("['ab', 'b', '', NULL]", "COUNTIF(STARTS_WITH(x, 'a'))", 1),
        of("['ab', '']", "LOGICAL_AND(STARTS_WITH(x, ''))", true),
      ],
    ),
    parameters: ['string', 'string'],
    required: 2,
    result: BOOL,
    ...both(calls('STARTS_WITH')),
    fold: ([s, prefix]) => String(s).startsWith(String(prefix)),
  },
  {
    name: 'ends_with',
    doc: doc(
      'ENDS_WITH(value STRING, suffix STRING) -> BOOL',
      'Whether the text ends with the suffix. Every text ends with the empty one.',
      [
        is("ENDS_WITH('index.html', '.html')", true),
        is("ENDS_WITH('l', 'html')", false),
        is("ENDS_WITH('', '')", true),
        is("ENDS_WITH(CAST(NULL AS STRING), 'a')", null),
        is("ENDS_WITH(CAST(NULL AS STRING), '')", null),
      ],
    ),
    parameters: ['string', 'string'],
    required: 2,
    result: BOOL,
    // A suffix longer than the text starts before it, where SUBSTR finds nothing.
    athena: ([s, suffix]) =>
      `(SUBSTR(${s}, GREATEST(LENGTH(${s}) - LENGTH(${suffix}) + 1, 1)) = ${suffix})`,
    duckdb: calls('ENDS_WITH'),
  },
  position('STRPOS'),
  position('INSTR'),
  {
    name: 'contains_substr',
    doc: doc(
      'CONTAINS_SUBSTR(value STRING, part STRING) -> BOOL',
      'Whether the part occurs in the text, whatever the case of either. NULL if the text is NULL.',
      [
        is("CONTAINS_SUBSTR('Connection RESET by peer', 'reset')", true),
        is("CONTAINS_SUBSTR('abc', 'd')", false),
        is("CONTAINS_SUBSTR(CAST(NULL AS STRING), 'd')", null),
      ],
    ),
    parameters: ['string', 'string'],
    required: 2,
    result: BOOL,
    ...both(([s, part]) => `(STRPOS(LOWER(${s}), LOWER(${part})) > 0)`),
  },
];

function position(name: string): SimpleFunction {
  return {
    name: name.toLowerCase(),
    doc: doc(
      `${name}(value STRING, part STRING) -> INT64`,
      'Position of the first character of the first occurrence, counted from 1; 0 if there is none.',
      [
        is(`${name}('user@host', '@')`, 5),
        is(`${name}('äöü', 'ü')`, 3),
        is(`${name}('abc', 'x')`, 0),
        is(`${name}('abc', NULL)`, null),
      ],
    ),
    parameters: ['string', 'string'],
    required: 2,
    result: INT64,
    ...both(calls('STRPOS')),
  };
}
