import type { ScalarFunction } from '../../ir/function.ts';

const STRING = '"(?:[^"\\\\]|\\\\.)*"';
const HIGH = '\\\\u([dD][89abAB][0-9a-fA-F]{2})';
const LOW = '\\\\u([dD][c-fC-F][0-9a-fA-F]{2})';
/** A pair of surrogates, or an escape that is to stay. */
const ESCAPE = `${HIGH}${LOW}|(\\\\.)`;

const codePoint =
  'CHR(CAST(65536 + (FROM_BASE(c[1], 16) - 55296) * 1024 + FROM_BASE(c[2], 16) - 56320 AS BIGINT))';
const strings = `REGEXP_REPLACE(t[1], '${ESCAPE}', c -> COALESCE(${codePoint}, c[3]))`;

const exponent = "CAST(REGEXP_EXTRACT(t[2], 'E(.+)$', 1) AS INTEGER)";
const plain = (digits: number): string =>
  `REGEXP_REPLACE(CAST(CAST(t[2] AS DECIMAL(38, ${digits})) AS VARCHAR), '\\.?0+$')`;
const withExponent = "REGEXP_REPLACE(t[2], '(\\.0)?E(-?)', e -> 'e' || IF(e[2] = '', '+', '-'))";
/** 21 digits before the point and 17 in all, or 6 zeros behind it and 17 digits. */
const numbers = `CASE WHEN ${exponent} BETWEEN 0 AND 20 THEN ${plain(17)} WHEN ${exponent} BETWEEN -6 AND -1 THEN ${plain(24)} ELSE ${withExponent} END`;

/**
 * JSON text as it was sent. Trino writes characters beyond 16 bits as two escapes, and numbers below
 * 1e-3 and from 1e7 on as `1.0E7`; DuckDB keeps white space.
 */
export const JSON_AS_SENT: ScalarFunction = {
  name: 'to_json_string',
  athena: ([json]) =>
    `REGEXP_REPLACE(${json}, '(${STRING})|(-?[0-9.]+E-?[0-9]+)', t -> COALESCE(${strings}, ${numbers}))`,
  duckdb: ([json]) => `CAST(JSON(${json}) AS VARCHAR)`,
};
