import type { SqlTemplate } from '../../ir/function.ts';
import { INT64, STRING } from '../../ir/types.ts';
import { aggregateExample, docsFrom, example } from '../common/doc.ts';
import { both, calls, type SignatureFunction } from '../common/function.ts';
import { joinTexts } from '../common/join-texts.ts';
import { failure, notNegative } from '../common/runtime-errors.ts';
import { textGrownFrom, textLength, textOfLength } from '../common/value-limits.ts';

const doc = docsFrom('String functions');
const text = (value: unknown): string => String(value);
const codePoints = (value: unknown): number => [...text(value)].length;

/** Functions that make a text of a text; positions and lengths count characters. */
export const STRING_FUNCTIONS: readonly SignatureFunction[] = [
  {
    name: 'lower',
    doc: doc('LOWER(value STRING) -> STRING', 'All letters in lower case, of every alphabet.', [
      example("LOWER('Grüße, ÄÖ')", 'grüße, äö'),
      aggregateExample("['ÄB1', NULL]", 'STRING_AGG(LOWER(x))', 'äb1'),
    ]),
    parameters: ['string'],
    required: 1,
    result: STRING,
    ...both(calls('LOWER')),
    fold: ([s]) => text(s).toLowerCase(),
  },
  {
    name: 'upper',
    doc: doc(
      'UPPER(value STRING) -> STRING',
      'All letters in upper case, of every alphabet; ß becomes SS. Other letters whose capital has several letters, such as ŉ, stay.',
      [
        example("UPPER('get')", 'GET'),
        example("UPPER('Straße')", 'STRASSE'),
        aggregateExample("['é', NULL]", 'STRING_AGG(UPPER(x))', 'É'),
      ],
    ),
    parameters: ['string'],
    required: 1,
    result: STRING,
    // Capitals of one letter only in Trino; DuckDB has a capital for ß that BigQuery does not write.
    ...both(([value]) => `UPPER(REPLACE(${value}, 'ß', 'SS'))`),
    fold: ([s]) => text(s).toUpperCase(),
  },
  {
    name: 'initcap',
    doc: doc(
      'INITCAP(value STRING) -> STRING',
      'The first letter of every word in upper case and the rest in lower case. White space and punctuation end a word.',
      [
        example("INITCAP('hello WORLD-wide')", 'Hello World-Wide'),
        aggregateExample("['élan vital', '']", 'STRING_AGG(INITCAP(x) ORDER BY x)', ',Élan Vital'),
      ],
    ),
    parameters: ['string'],
    required: 1,
    result: STRING,
    athena: ([s]) =>
      `REGEXP_REPLACE(LOWER(${s}), '([^${WORD_ENDS}])([^${WORD_ENDS}]*)', w -> UPPER(w[1]) || w[2])`,
    duckdb: ([s]) => {
      const words = `REGEXP_EXTRACT_ALL(LOWER(${s}), '[^${WORD_ENDS}]+|[${WORD_ENDS}]+')`;
      const capital = `LIST_TRANSFORM(${words}, LAMBDA w: UPPER(SUBSTR(w, 1, 1)) || SUBSTR(w, 2))`;
      return `CASE WHEN ${s} IS NOT NULL THEN COALESCE(${joinTexts(capital, "''")}, '') END`;
    },
  },
  length('LENGTH'),
  length('CHAR_LENGTH'),
  {
    name: 'reverse',
    doc: doc('REVERSE(value STRING) -> STRING', 'The characters in the opposite order.', [
      example("REVERSE('abc')", 'cba'),
      example("REVERSE('')", ''),
    ]),
    parameters: ['string'],
    required: 1,
    result: STRING,
    ...both(calls('REVERSE')),
  },
  {
    name: 'replace',
    doc: doc(
      'REPLACE(value STRING, from STRING, to STRING) -> STRING',
      'Every occurrence of `from` replaced by `to`. An empty `from` replaces nothing. A result of more than 65,536 characters is an error if it is more than twice as long as the value.',
      [
        example("REPLACE('a.b.c', '.', '/')", 'a/b/c'),
        example("REPLACE('abc', '', 'x')", 'abc'),
        aggregateExample("['']", "REPLACE('abc', x, '-')", 'abc'),
      ],
    ),
    parameters: ['string', 'string', 'string'],
    required: 3,
    result: STRING,
    // Trino puts the new text between all characters.
    athena: ([s = '', from = '', to = '']) =>
      /^'.+'$/s.test(from)
        ? replaced(s, from, to)
        : `CASE WHEN ${from} = '' AND ${to} IS NOT NULL THEN ${s} ELSE ${replaced(s, from, to)} END`,
    duckdb: ([s = '', from = '', to = '']) => replaced(s, from, to),
  },
  {
    name: 'repeat',
    doc: doc(
      'REPEAT(value STRING, times INT64) -> STRING',
      'The text that many times in a row; none times is the empty text. A negative number is an error, as is a text of more than 65,536 characters.',
      [
        example("REPEAT('ab', 3)", 'ababab'),
        aggregateExample("['ab', NULL]", 'STRING_AGG(REPEAT(x, 2))', 'abab'),
        example("REPEAT('ab', 0)", ''),
        example("REPEAT('', 3)", ''),
        example('REPEAT(CAST(NULL AS STRING), 0)', null),
        example("RIGHT(REPEAT(CONCAT(JSON_VALUE('x', '$.a'), 'a'), 2), 3)", null),
        example("SAFE.REPEAT('ab', -1)", null),
        example("SAFE.REPEAT('ab', 32769)", null),
      ],
    ),
    parameters: ['string', 'int64'],
    required: 2,
    result: STRING,
    // Trino's REPEAT makes an array of at most 10,000 elements.
    athena: ([s, n]) => {
      const size = `LENGTH(${s}) * ${notNegative(n, 'The count')}`;
      return `CASE WHEN ${size} = 0 THEN '' ELSE RPAD(${s}, ${textOfLength(size, size)}, ${s}) END`;
    },
    // What DuckDB sees to be NULL has no type there, and REPEAT of that makes bytes.
    duckdb: ([s, n]) =>
      `REPEAT(CAST(${s} AS VARCHAR), ${textOfLength(`LENGTH(${s}) * ${n}`, notNegative(n, 'The count'))})`,
  },
  pad('LPAD', 'left', [example("LPAD('7', 3, '0')", '007'), example("LPAD('hello', 2)", 'he')]),
  pad('RPAD', 'right', [
    example("RPAD('ab', 5, 'xy')", 'abxyx'),
    example("RPAD('hello', 2)", 'he'),
  ]),
  {
    name: 'chr',
    doc: doc(
      'CHR(code_point INT64) -> STRING',
      'The character with a Unicode code point. What is none is an error.',
      [
        example('CHR(233)', 'é'),
        example('LENGTH(CHR(0))', 1),
        example('CHR(128512)', '😀'),
        example('SAFE.CHR(55296)', null),
        example('SAFE.CHR(-1)', null),
      ],
    ),
    parameters: ['int64'],
    required: 1,
    result: STRING,
    athena: ([n = '']) => `CHR(${codePointOf(n)})`,
    duckdb: ([n = '']) => `CHR(CAST(${codePointOf(n)} AS INTEGER))`,
  },
  {
    name: 'unicode',
    doc: doc(
      'UNICODE(value STRING) -> INT64',
      'The Unicode code point of the first character; 0 for the empty text.',
      [example("UNICODE('éa')", 233), example("UNICODE('')", 0)],
    ),
    parameters: ['string'],
    required: 1,
    result: INT64,
    athena: ([s = '']) => codePoint.athena(s),
    duckdb: ([s = '']) => codePoint.duckdb(s),
  },
  {
    name: 'ascii',
    doc: doc(
      'ASCII(value STRING) -> INT64',
      'The ASCII code of the first character; 0 for the empty text. Another character is an error.',
      [example("ASCII('abc')", 97), example("ASCII('')", 0), example("SAFE.ASCII('é')", null)],
    ),
    parameters: ['string'],
    required: 1,
    result: INT64,
    athena: ([s = '']) => ascii(codePoint.athena(s)),
    duckdb: ([s = '']) => ascii(codePoint.duckdb(s)),
  },
];

/** REPLACE, printed. A constant that is no longer than what it stands for cannot make the text too long. */
function replaced(s: string, from: string, to: string): string {
  const constants = /^'.*'$/s.test(from) && /^'.*'$/s.test(to);
  if (constants && to.length <= from.length) return `REPLACE(${s}, ${from}, ${to})`;
  const found = `(LENGTH(${s}) - LENGTH(REPLACE(${s}, ${from}, ''))) / NULLIF(LENGTH(${from}), 0)`;
  const length = `LENGTH(${s}) + ${found} * (LENGTH(${to}) - LENGTH(${from}))`;
  // The position that SUBSTR takes the text from is what fails.
  return `REPLACE(SUBSTR(${s}, ${textGrownFrom(`LENGTH(${s})`, length, "BIGINT '1'")}), ${from}, ${to})`;
}

/** The code point of the first character, printed. */
const codePoint = {
  athena: (s: string): string =>
    `CASE WHEN ${s} = '' THEN BIGINT '0' ELSE CAST(CODEPOINT(CAST(SUBSTR(${s}, 1, 1) AS VARCHAR(1))) AS BIGINT) END`,
  duckdb: (s: string): string =>
    `CASE WHEN ${s} = '' THEN BIGINT '0' ELSE CAST(UNICODE(${s}) AS BIGINT) END`,
};

/** Fails for a number that is no code point, printed. */
const codePointOf = (n: string): string =>
  `CASE WHEN ${n} NOT BETWEEN 0 AND 1114111 OR ${n} BETWEEN 55296 AND 57343 THEN ${failure('This is no code point', 'BIGINT')} ELSE ${n} END`;

/** Fails for a code point beyond ASCII, printed. */
const ascii = (code: string): string =>
  `CASE WHEN ${code} > 127 THEN ${failure('The first character is not ASCII', 'BIGINT')} ELSE ${code} END`;

/** BigQuery's delimiters, as the inside of a class of characters. */
const WORD_ENDS = '\\s\\[\\](){}/|<>!?@"^#$&~_,.:;*%+\\-';

function length(engineName: string): SignatureFunction {
  return {
    name: engineName.toLowerCase(),
    doc: doc(`${engineName}(value STRING) -> INT64`, 'Number of characters, not bytes.', [
      example(`${engineName}('naïve')`, 5),
      aggregateExample("['', '😀a']", `SUM(${engineName}(x))`, 2),
    ]),
    parameters: ['string'],
    required: 1,
    result: INT64,
    ...both(calls('LENGTH')),
    fold: ([s]) => BigInt(codePoints(s)),
  };
}

function pad(
  engineName: string,
  side: 'left' | 'right',
  examples: Parameters<typeof doc>[2],
): SignatureFunction {
  const form: SqlTemplate = ([s, size = '', pattern]) =>
    `${engineName}(${s}, CAST(${textLength(size)} AS INTEGER), ${pattern ?? "' '"})`;
  return {
    name: engineName.toLowerCase(),
    doc: doc(
      `${engineName}(value STRING, length INT64[, pattern STRING]) -> STRING`,
      `The text filled up on the ${side} with the pattern, a blank if none is given, until it has the length; a longer text is cut at its end. A negative length is an error, as is one of more than 65,536.`,
      [
        ...examples,
        example(`${engineName}('é', 2)`, side === 'left' ? ' é' : 'é '),
        example(`SAFE.${engineName}('a', -1)`, null),
        example(`SAFE.${engineName}('a', 65537)`, null),
      ],
    ),
    parameters: ['string', 'int64', 'string'],
    required: 2,
    result: STRING,
    ...both(form),
  };
}
