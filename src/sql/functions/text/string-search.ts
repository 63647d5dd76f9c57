import { BOOL, INT64 } from '../../ir/types.ts';
import { aggregateExample, docsFrom, example } from '../common/doc.ts';
import { both, calls, type SignatureFunction } from '../common/function.ts';

const doc = docsFrom('String functions');

/** Functions that look for a text in another. */
export const STRING_SEARCH_FUNCTIONS: readonly SignatureFunction[] = [
  {
    name: 'starts_with',
    doc: doc(
      'STARTS_WITH(value STRING, prefix STRING) -> BOOL',
      'Whether the text begins with the prefix. Every text begins with the empty one.',
      [
        example("STARTS_WITH('/auth/v1', '/auth')", true),
        aggregateExample("['ab', 'b', '', NULL]", "COUNTIF(STARTS_WITH(x, 'a'))", 1),
        aggregateExample("['ab', '']", "LOGICAL_AND(STARTS_WITH(x, ''))", true),
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
        example("ENDS_WITH('index.html', '.html')", true),
        example("ENDS_WITH('l', 'html')", false),
        example("ENDS_WITH('', '')", true),
        example("ENDS_WITH(CAST(NULL AS STRING), 'a')", null),
        example("ENDS_WITH(CAST(NULL AS STRING), '')", null),
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
        example("CONTAINS_SUBSTR('Connection RESET by peer', 'reset')", true),
        example("CONTAINS_SUBSTR('abc', 'd')", false),
        example("CONTAINS_SUBSTR(CAST(NULL AS STRING), 'd')", null),
      ],
    ),
    parameters: ['string', 'string'],
    required: 2,
    result: BOOL,
    ...both(([s, part]) => `(STRPOS(LOWER(${s}), LOWER(${part})) > 0)`),
  },
];

function position(name: string): SignatureFunction {
  return {
    name: name.toLowerCase(),
    doc: doc(
      `${name}(value STRING, part STRING) -> INT64`,
      'Position of the first character of the first occurrence, counted from 1; 0 if there is none.',
      [
        example(`${name}('user@host', '@')`, 5),
        example(`${name}('äöü', 'ü')`, 3),
        example(`${name}('abc', 'x')`, 0),
        example(`${name}('abc', NULL)`, null),
      ],
    ),
    parameters: ['string', 'string'],
    required: 2,
    result: INT64,
    ...both(calls('STRPOS')),
  };
}
