import { aggregateExample, type Documented, docsFrom, example, timeExample } from './common/doc.ts';

const conversion = docsFrom('Conversion functions');
const operator = docsFrom('Operators');

const cast = (type: string, from: string, rule: string, examples: Examples): Documented => ({
  name: `cast as ${type.toLowerCase()}`,
  doc: conversion(`CAST(value ${from} AS ${type}) -> ${type}`, rule, examples),
});
type Examples = Parameters<typeof conversion>[2];

/** CAST, which is grammar and no function: what it makes of each type. */
export const CONVERSIONS: readonly Documented[] = [
  cast(
    'INT64',
    'FLOAT64, BOOL or STRING',
    'A FLOAT64 is rounded, halves away from zero. A text may be decimal or `0x` and hexadecimal. What fits no INT64 is an error; `SAFE_CAST(..)` makes that NULL, for every type.',
    [
      example("CAST('0x1F' AS INT64)", 31),
      example('CAST(-2.5 AS INT64)', -3),
      example("SAFE_CAST('5 ms' AS INT64)", null),
      aggregateExample('[2.5, 3.5]', 'SUM(CAST(x AS INT64))', 7),
      aggregateExample("['12', ' -3 ', '1.5', '1e3']", 'SUM(SAFE_CAST(x AS INT64))', 9),
    ],
  ),
  cast(
    'FLOAT64',
    'INT64 or STRING',
    'A text may have an exponent, or be `inf`, `infinity` or `nan` with or without a sign.',
    [
      example("CAST('-1.5e3' AS FLOAT64)", -1500),
      example("SAFE_CAST('1,5' AS FLOAT64)", null),
      aggregateExample("['.5', '5.', '5f', '0x1F', '1_000']", 'SUM(SAFE_CAST(x AS FLOAT64))', 5.5),
    ],
  ),
  cast(
    'BOOL',
    'INT64 or STRING',
    'Zero is FALSE, any other number TRUE. A text is `true` or `false`.',
    [
      example("CAST('True' AS BOOL)", true),
      example("SAFE_CAST('yes' AS BOOL)", null),
      aggregateExample('[0, 1, -5]', 'COUNTIF(CAST(x AS BOOL))', 2),
    ],
  ),
  cast(
    'STRING',
    'T',
    'Numbers without needless digits, from 1e15 on and below 1e-4 with an exponent; the shortest text that reads back as the same FLOAT64. Times as in the examples, with 0, 3 or 6 digits behind the second.',
    [
      example('CAST(2.50 AS STRING)', '2.5'),
      example("CAST(TIMESTAMP '2026-02-03 10:20:30.5' AS STRING)", '2026-02-03 10:20:30.500+00'),
      example("CAST(DATETIME '2026-02-03 10:20:30' AS STRING)", '2026-02-03 10:20:30'),
      example('CAST(TRUE AS STRING)', 'true'),
      aggregateExample(
        '[1e15, 0.00001, 3]',
        'STRING_AGG(CAST(x AS STRING) ORDER BY x)',
        '1e-05,3,1e+15',
      ),
    ],
  ),
  cast(
    'TIMESTAMP',
    'STRING, DATETIME or DATE',
    'A text as in ISO 8601, with a `T` or a blank before the time; without an offset it is UTC.',
    [
      timeExample("CAST('2026-02-03T10:20:30+02:00' AS TIMESTAMP)", '2026-02-03 08:20:30'),
      timeExample("CAST(DATE '2026-02-03' AS TIMESTAMP)", '2026-02-03 00:00:00'),
      example("SAFE_CAST('yesterday' AS TIMESTAMP)", null),
    ],
  ),
  cast('DATETIME', 'STRING, TIMESTAMP or DATE', 'The time of UTC, or what the text says.', [
    example("CAST(TIMESTAMP '2026-02-03 10:20:30' AS DATETIME)", '2026-02-03T10:20:30'),
    example("CAST('2026-02-03 10:20:30' AS DATETIME)", '2026-02-03T10:20:30'),
  ]),
  cast(
    'DATE',
    'STRING, TIMESTAMP or DATETIME',
    'The day, of UTC, or what the text says, which must have no time.',
    [
      example("CAST(TIMESTAMP '2026-02-03 23:59:59' AS DATE)", '2026-02-03'),
      example("CAST('2026-02-03' AS DATE)", '2026-02-03'),
    ],
  ),
];

const operators = (signature: string | string[], rule: string, examples: Examples): Documented => ({
  name: [signature].flat()[0]?.toLowerCase() ?? '',
  doc: operator(signature, rule, examples),
});

/** Operators, which are grammar too. */
export const OPERATORS: readonly Documented[] = [
  operators('x + y, x - y, x * y', 'INT64 with INT64 is INT64, any other numbers FLOAT64.', [
    example('1 + 2 * 3', 7),
    example('1 - 0.5', 0.5),
  ]),
  operators('x / y', 'Always FLOAT64. Division by zero is an error: see SAFE_DIVIDE.', [
    example('1 / 4', 0.25),
    aggregateExample('[1, 2]', 'SUM(x / 2)', 1.5),
  ]),
  operators(
    'x & y, x | y, x ^ y, x << n, x >> n',
    'Bits of INT64. Shifts fill with zeros, on both sides, and keep no sign; a negative number of places is an error.',
    [example('6 & 12', 4), example('6 ^ 12', 10), aggregateExample('[1, 2]', 'SUM(x << 2)', 12)],
  ),
  operators('x || y', 'Texts, or arrays, one behind the other; NULL if either is.', [
    example("'a' || 'b'", 'ab'),
    aggregateExample("['a', NULL]", "COUNT(x || '!')", 1),
  ]),
  operators(
    ['time + INTERVAL n part', 'time - INTERVAL n part'],
    'As TIMESTAMP_ADD, DATETIME_ADD and DATE_ADD. An INTERVAL of one text, as PostgreSQL has it, is understood too.',
    [
      timeExample("TIMESTAMP '2026-02-03 00:00:00' - INTERVAL 1 HOUR", '2026-02-02 23:00:00'),
      timeExample("TIMESTAMP '2026-02-03 00:00:00' + INTERVAL '90 minutes'", '2026-02-03 01:30:00'),
    ],
  ),
  operators(
    ['value [NOT] LIKE pattern', 'value [NOT] ILIKE pattern'],
    '`%` stands for any text and `_` for one character; a backslash before them, or before itself, takes that away. ILIKE does not tell capitals from small letters.',
    [
      example("'GET /v1' LIKE 'GET%'", true),
      example(String.raw`'50%' LIKE r'50\%'`, true),
      example("'Error' ILIKE 'err%'", true),
      aggregateExample("['a_b', 'axb']", String.raw`COUNTIF(x LIKE r'a\_b')`, 1),
    ],
  ),
  operators(
    ['value [NOT] IN (a, b, ..)', 'value [NOT] IN UNNEST(array)', 'value [NOT] BETWEEN a AND b'],
    'As comparisons joined by OR and AND: NULL where it cannot be told.',
    [
      example('2 IN (1, 2)', true),
      example("'c' IN UNNEST(['a', 'b'])", false),
      aggregateExample('[1, 5, NULL]', 'COUNTIF(x NOT BETWEEN 2 AND 9)', 1),
      example('1 IN (2, NULL)', null),
    ],
  ),
  operators(
    ['value IS [NOT] NULL', 'value IS [NOT] TRUE', 'a IS [NOT] DISTINCT FROM b'],
    'Never NULL. IS NOT DISTINCT FROM is equality in which NULL equals NULL.',
    [
      example('NULL IS NOT DISTINCT FROM NULL', true),
      aggregateExample('[1, NULL]', 'COUNTIF((x > 5) IS NOT TRUE)', 2),
    ],
  ),
  operators(
    ['array[OFFSET(n)]', 'array[ORDINAL(n)]', 'array[SAFE_OFFSET(n)]', 'array[SAFE_ORDINAL(n)]'],
    'OFFSET, or a number alone, counts from zero and ORDINAL from one. Out of range is an error, or NULL with SAFE.',
    [
      example("['a', 'b'][OFFSET(0)]", 'a'),
      example("['a', 'b'][ORDINAL(2)]", 'b'),
      example("['a', 'b'][SAFE_OFFSET(7)]", null),
    ],
  ),
  operators(
    ['CASE WHEN condition THEN value .. [ELSE value] END', 'CASE x WHEN y THEN value .. END'],
    'The value of the first condition that is TRUE; without ELSE, NULL if there is none. The others are not computed.',
    [
      example("CASE WHEN FALSE THEN 'a' WHEN TRUE THEN 'b' END", 'b'),
      aggregateExample('[0, 2]', 'SUM(CASE x WHEN 0 THEN 100 ELSE 1 / x END)', 100.5),
    ],
  ),
];
