import { quoteText } from '../../../platform/sql-text.ts';
import type { SqlTemplate } from '../../ir/function.ts';
import { arrayOf, STRING } from '../../ir/types.ts';
import { aggregateExample, docsFrom, example, type FunctionExample } from '../common/doc.ts';
import { both, type SignatureFunction } from '../common/function.ts';
import { isSmallLiteral, notNegative } from '../common/runtime-errors.ts';

const doc = docsFrom('String functions');

/** Functions that take parts of a text; positions and lengths count characters. */
export const STRING_PART_FUNCTIONS: readonly SignatureFunction[] = [
  substring('SUBSTR'),
  substring('SUBSTRING'),
  {
    name: 'left',
    doc: doc(
      'LEFT(value STRING, length INT64) -> STRING',
      'The first characters; the whole text if it has no more. A negative length is an error.',
      [
        example("LEFT('abcdef', 2)", 'ab'),
        example("LEFT('ab', 5)", 'ab'),
        example("LEFT('äöü', 0)", ''),
        example("SAFE.LEFT('ab', -1)", null),
        example("LEFT('ab', 9223372036854775807)", 'ab'),
        aggregateExample('[1, NULL]', "COUNT(LEFT('ab', x))", 1),
        aggregateExample('[1, -1, NULL]', "COUNT(SAFE.LEFT('ab', x))", 1),
      ],
    ),
    parameters: ['string', 'int64'],
    required: 2,
    result: STRING,
    ...both(([s = '', n]) => `SUBSTR(${s}, 1, ${lengthIn(s, n)})`),
  },
  {
    name: 'right',
    doc: doc(
      'RIGHT(value STRING, length INT64) -> STRING',
      'The last characters; the whole text if it has no more. A negative length is an error.',
      [
        example("RIGHT('abcdef', 2)", 'ef'),
        example("RIGHT('ab', 5)", 'ab'),
        example("RIGHT('äöü', 0)", ''),
        example("SAFE.RIGHT('ab', -1)", null),
        example("RIGHT('ab', 9223372036854775807)", 'ab'),
        example("RIGHT('ab', NULL)", null),
        aggregateExample('[1, NULL]', "STRING_AGG(RIGHT('ab', x))", 'b'),
      ],
    ),
    parameters: ['string', 'int64'],
    required: 2,
    result: STRING,
    ...both(([s = '', n]) => `SUBSTR(${s}, LENGTH(${s}) - ${lengthIn(s, n)} + 1)`),
  },
  trim('TRIM', 'BOTH', [
    example("TRIM('  a b \\t')", 'a b'),
    example("TRIM('xxaxbxx', 'x')", 'axb'),
    example("TRIM('a.b.,', ',.')", 'a.b'),
  ]),
  trim('LTRIM', 'LEADING', [example("LTRIM('  a ')", 'a '), example("LTRIM('//a/', '/')", 'a/')]),
  trim('RTRIM', 'TRAILING', [
    example("RTRIM(' a  ')", ' a'),
    example("RTRIM('a/b//', '/')", 'a/b'),
  ]),
  {
    name: 'split',
    doc: doc(
      'SPLIT(value STRING[, delimiter STRING]) -> ARRAY<STRING>',
      'The parts between the delimiters, a comma if none is given. An empty delimiter splits into characters; the empty text has one empty part.',
      [
        example("SPLIT('a,b,,c')", ['a', 'b', '', 'c']),
        example("SPLIT('/rest/v1', '/')[SAFE_OFFSET(1)]", 'rest'),
        example("SPLIT('', ',')", ['']),
        example("SPLIT('aé', '')", ['a', 'é']),
        aggregateExample("['a b', NULL]", "SUM(ARRAY_LENGTH(SPLIT(x, ' ')))", 2),
        example('SPLIT(CAST(NULL AS STRING))', null),
        example("SPLIT('a', NULL)", null),
        aggregateExample("[',', NULL]", "SUM(ARRAY_LENGTH(SPLIT('a,b', x)))", 2),
      ],
    ),
    parameters: ['string', 'string'],
    required: 1,
    result: arrayOf(STRING),
    athena: ([s, delimiter = "','"]) =>
      isLiteral(delimiter) && delimiter !== "''"
        ? `SPLIT(${s}, ${delimiter})`
        : `CASE WHEN ${delimiter} = '' THEN REGEXP_EXTRACT_ALL(${s}, '(?s).') ELSE SPLIT(${s}, ${delimiter}) END`,
    // DuckDB takes NULL for a delimiter that does not occur.
    duckdb: ([s, delimiter = "','"]) =>
      isLiteral(delimiter)
        ? `STRING_SPLIT(${s}, ${delimiter})`
        : `CASE WHEN ${delimiter} IS NOT NULL THEN STRING_SPLIT(${s}, ${delimiter}) END`,
  },
];

/** A text literal, printed. */
const isLiteral = (text: string): boolean => /^'(?:[^']|'')*'$/.test(text);

/**
 * How many characters of a text a length asks for, printed: no more than there are. The condition cannot
 * fail: DuckDB's TRY does not catch what fails in a condition of a CASE (1.5).
 */
function lengthIn(text: string, length: string | undefined): string {
  return `CASE WHEN ${length} > LENGTH(${text}) THEN LENGTH(${text}) ELSE ${notNegative(length, 'The length')} END`;
}

/** Position 0, and one before the start of the text, mean 1 in BigQuery; '' or NULL elsewhere. */
function substring(name: string): SignatureFunction {
  const form: SqlTemplate = ([s = '', position = '', length]) => {
    const start = /^BIGINT '[1-9]\d{0,8}'$/.test(position)
      ? position
      : `CASE WHEN ${position} = 0 OR ${position} < -LENGTH(${s}) THEN 1 WHEN ${position} > LENGTH(${s}) THEN LENGTH(${s}) + 1 ELSE ${position} END`;
    if (length === undefined) return `SUBSTR(${s}, ${start})`;
    const count = isSmallLiteral(length) ? notNegative(length, 'The length') : lengthIn(s, length);
    return `SUBSTR(${s}, ${start}, ${count})`;
  };
  return {
    name: name.toLowerCase(),
    doc: doc(
      `${name}(value STRING, position INT64[, length INT64]) -> STRING`,
      'The characters from a position, counted from 1; a negative position counts from the end, and one before the start is the start. A negative length is an error.',
      [
        example(`${name}('apple', 2)`, 'pple'),
        example(`${name}('apple', 2, 2)`, 'pp'),
        example(`${name}('apple', -2)`, 'le'),
        example(`${name}('apple', 0)`, 'apple'),
        example(`${name}('apple', -9, 2)`, 'ap'),
        example(`${name}('apple', 9)`, ''),
        example(`${name}('apple', 9223372036854775807)`, ''),
        example(`${name}('apple', 2, 9223372036854775807)`, 'pple'),
        aggregateExample('[2, NULL]', `COUNT(${name}('apple', x, x))`, 1),
        example(`${name}('äöü', 2, 1)`, 'ö'),
        example(`SAFE.${name}('apple', 2, -1)`, null),
        aggregateExample("['apple', NULL]", `STRING_AGG(${name}(x, 4))`, 'le'),
      ],
    ),
    parameters: ['string', 'int64', 'int64'],
    required: 2,
    result: STRING,
    ...both(form),
  };
}

/** What has Unicode's property White_Space. */
const WHITE_SPACE = quoteText(
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
);

/** Without a set of characters, white space is cut off; the second argument names others. */
function trim(
  name: string,
  side: 'BOTH' | 'LEADING' | 'TRAILING',
  examples: readonly [FunctionExample, ...FunctionExample[]],
): SignatureFunction {
  const where = { BOTH: 'at both ends', LEADING: 'at the start', TRAILING: 'at the end' }[side];
  return {
    name: name.toLowerCase(),
    doc: doc(
      `${name}(value STRING[, characters STRING]) -> STRING`,
      `The text without white space, all that Unicode knows, ${where}, or without any of the characters there.`,
      [
        ...examples,
        example(`${name}('')`, ''),
        example(`${name}('a', NULL)`, null),
        example(`${name}('\\u00a0\\u3000\\u0085\\u2028')`, ''),
        example(`LENGTH(${name}('\\u200b'))`, 1),
      ],
    ),
    parameters: ['string', 'string'],
    required: 1,
    result: STRING,
    athena: ([s, set = WHITE_SPACE]) => `TRIM(${side} ${set} FROM ${s})`,
    duckdb: ([s, set = WHITE_SPACE]) => `${name}(${s}, ${set})`,
  };
}
