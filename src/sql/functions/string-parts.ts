import { arrayOf, STRING } from '../types.ts';
import { docsFrom, type FunctionExample, is, of } from './doc.ts';
import { both, type Form, type SimpleFunction } from './function.ts';
import { notNegative } from './guards.ts';

const doc = docsFrom('String functions');

/** Functions that take parts of a text; positions and lengths count characters. */
export const STRING_PART_FUNCTIONS: readonly SimpleFunction[] = [
  substring('SUBSTR'),
  substring('SUBSTRING'),
  {
    name: 'left',
    doc: doc(
      'LEFT(value STRING, length INT64) -> STRING',
      'The first characters; the whole text if it has no more. A negative length is an error.',
      [
        is("LEFT('abcdef', 2)", 'ab'),
        is("LEFT('ab', 5)", 'ab'),
        is("LEFT('äöü', 0)", ''),
        is("SAFE.LEFT('ab', -1)", null),
      ],
    ),
    parameters: ['string', 'int64'],
    required: 2,
    result: STRING,
    ...both(([s, n]) => `SUBSTR(${s}, 1, ${notNegative(n, 'The length')})`),
  },
  {
    name: 'right',
    doc: doc(
      'RIGHT(value STRING, length INT64) -> STRING',
      'The last characters; the whole text if it has no more. A negative length is an error.',
      [
        is("RIGHT('abcdef', 2)", 'ef'),
        is("RIGHT('ab', 5)", 'ab'),
        is("RIGHT('äöü', 0)", ''),
        is("SAFE.RIGHT('ab', -1)", null),
      ],
    ),
    parameters: ['string', 'int64'],
    required: 2,
    result: STRING,
    ...both(
      ([s, n]) => `SUBSTR(${s}, GREATEST(LENGTH(${s}) - ${notNegative(n, 'The length')} + 1, 1))`,
    ),
  },
  trim('TRIM', 'BOTH', [
    is("TRIM('  a b \\t')", 'a b'),
    is("TRIM('xxaxbxx', 'x')", 'axb'),
    is("TRIM('a.b.,', ',.')", 'a.b'),
  ]),
  trim('LTRIM', 'LEADING', [is("LTRIM('  a ')", 'a '), is("LTRIM('//a/', '/')", 'a/')]),
  trim('RTRIM', 'TRAILING', [is("RTRIM(' a  ')", ' a'), is("RTRIM('a/b//', '/')", 'a/b')]),
  {
    name: 'split',
    doc: doc(
      'SPLIT(value STRING[, delimiter STRING]) -> ARRAY<STRING>',
      'The parts between the delimiters, a comma if none is given. An empty delimiter splits into characters; the empty text has one empty part.',
      [
        is("SPLIT('a,b,,c')", ['a', 'b', '', 'c']),
        is("SPLIT('/rest/v1', '/')[SAFE_OFFSET(1)]", 'rest'),
        is("SPLIT('', ',')", ['']),
        is("SPLIT('aé', '')", ['a', 'é']),
        of("['a b', NULL]", "SUM(ARRAY_LENGTH(SPLIT(x, ' ')))", 2),
        is('SPLIT(CAST(NULL AS STRING))', null),
      ],
    ),
    parameters: ['string', 'string'],
    required: 1,
    result: arrayOf(STRING),
    athena: ([s, delimiter = "','"]) =>
      /^'.+'$/s.test(delimiter)
        ? `SPLIT(${s}, ${delimiter})`
        : `CASE WHEN ${delimiter} = '' THEN REGEXP_EXTRACT_ALL(${s}, '(?s).') ELSE SPLIT(${s}, ${delimiter}) END`,
    duckdb: ([s, delimiter = "','"]) => `STRING_SPLIT(${s}, ${delimiter})`,
  },
];

/** Position 0, and one before the start of the text, mean 1 in BigQuery; '' or NULL elsewhere. */
function substring(name: string): SimpleFunction {
  const form: Form = ([s, position = '', length]) => {
    const start = /^BIGINT '[1-9]\d*'$/.test(position)
      ? position
      : `CASE WHEN ${position} = 0 OR ${position} < -LENGTH(${s}) THEN 1 ELSE ${position} END`;
    return length === undefined
      ? `SUBSTR(${s}, ${start})`
      : `SUBSTR(${s}, ${start}, ${notNegative(length, 'The length')})`;
  };
  return {
    name: name.toLowerCase(),
    doc: doc(
      `${name}(value STRING, position INT64[, length INT64]) -> STRING`,
      'The characters from a position, counted from 1; a negative position counts from the end, and one before the start is the start. A negative length is an error.',
      [
        is(`${name}('apple', 2)`, 'pple'),
        is(`${name}('apple', 2, 2)`, 'pp'),
        is(`${name}('apple', -2)`, 'le'),
        is(`${name}('apple', 0)`, 'apple'),
        is(`${name}('apple', -9, 2)`, 'ap'),
        is(`${name}('apple', 9)`, ''),
        is(`${name}('äöü', 2, 1)`, 'ö'),
        is(`SAFE.${name}('apple', 2, -1)`, null),
        of("['apple', NULL]", `STRING_AGG(${name}(x, 4))`, 'le'),
      ],
    ),
    parameters: ['string', 'int64', 'int64'],
    required: 2,
    result: STRING,
    ...both(form),
  };
}

/** Without a set of characters, white space is cut off; the second argument names others. */
function trim(
  name: string,
  side: 'BOTH' | 'LEADING' | 'TRAILING',
  examples: readonly [FunctionExample, ...FunctionExample[]],
): SimpleFunction {
  const where = { BOTH: 'at both ends', LEADING: 'at the start', TRAILING: 'at the end' }[side];
  return {
    name: name.toLowerCase(),
    doc: doc(
      `${name}(value STRING[, characters STRING]) -> STRING`,
      `The text without white space ${where}, or without any of the characters there.`,
      [...examples, is(`${name}('')`, ''), is(`${name}('a', NULL)`, null)],
    ),
    parameters: ['string', 'string'],
    required: 1,
    result: STRING,
    athena: ([s, set]) => (set === undefined ? `${name}(${s})` : `TRIM(${side} ${set} FROM ${s})`),
    duckdb: ([s, set]) =>
      set === undefined ? `${name}(${s}, e' \\t\\n\\r\\x0b\\f')` : `${name}(${s}, ${set})`,
  };
}
