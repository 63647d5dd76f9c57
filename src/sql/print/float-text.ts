import { letBinding } from '../functions/common/let-binding.ts';

/**
 * FLOAT64 as text, in BigQuery's layout: `2.5`, `3`, `1e+15`, `1e-05`, `inf`, `nan`; zero and NaN have
 * no sign. Both engines give the shortest digits that read back as the same number. BigQuery tries 15
 * digits and else writes 17, of which the last may say nothing (0.66666666666666663).
 */
export const floatText = {
  athena: (value: string): string => letBinding('athena', value, 'x', athenaLayout),
  duckdb: (value: string): string => letBinding('duckdb', value, 'x', duckdbLayout),
};

/** The same as JSON text; what JSON has no number for is a string, as TO_JSON_STRING writes it. */
export const floatJson = {
  athena: (value: string): string =>
    letBinding('athena', value, 'x', (x) => inJson(athenaLayout(x))),
  duckdb: (value: string): string =>
    letBinding('duckdb', value, 'x', (x) => inJson(duckdbLayout(x))),
};

function inJson(layout: string): string {
  return `REPLACE(REPLACE(REPLACE(${layout}, '-inf', '"-Infinity"'), 'nan', '"NaN"'), 'inf', '"Infinity"')`;
}

/** Numbers from 1e15 are written with an exponent, unless they have 16 or 17 digits and no more. */
function layout(
  x: string,
  form: {
    readonly finite: string;
    readonly odd: string;
    readonly manyDigits: string;
    readonly plain: string;
    readonly exponent: string;
  },
): string {
  const short = `ABS(${x}) >= 1E-4 AND (ABS(${x}) < 1E15 OR (ABS(${x}) < 1E17 AND ${form.manyDigits}))`;
  return `CASE WHEN NOT ${form.finite} THEN ${form.odd} WHEN ${x} = 0 THEN '0' WHEN ${short} THEN ${form.plain} WHEN ${x} IS NOT NULL THEN ${form.exponent} END`;
}

/** Trino writes `2.5E0` and `1.0E15` always: one digit before the point, at least one after it. */
function athenaLayout(x: string): string {
  return layout(x, {
    finite: `IS_FINITE(${x})`,
    odd: `IF(IS_NAN(${x}), 'nan', IF(${x} > 0, 'inf', '-inf'))`,
    // A digit, the point, and 15 more.
    manyDigits: `LENGTH(SPLIT_PART(CAST(ABS(${x}) AS VARCHAR), 'E', 1)) > 16`,
    // 17 digits before the point and 21 behind it hold all digits of what is at least 1e-4.
    plain: `REGEXP_REPLACE(CAST(CAST(${x} AS DECIMAL(38, 21)) AS VARCHAR), '\\.?0+$')`,
    exponent: `REGEXP_REPLACE(CAST(${x} AS VARCHAR), '^(-?\\d)(\\.0|\\.\\d+)E(-?)(\\d+)$', g -> g[1] || IF(g[2] = '.0', '', g[2]) || 'e' || IF(g[3] = '', '+', '-') || LPAD(g[4], GREATEST(LENGTH(g[4]), 2), '0'))`,
  });
}

/** DuckDB writes whole numbers with `.0`, and all below 1e16 without an exponent. */
function duckdbLayout(x: string): string {
  return layout(x, {
    finite: `ISFINITE(${x})`,
    // DuckDB writes the sign of a NaN too.
    odd: `CASE WHEN ISNAN(${x}) THEN 'nan' ELSE CAST(${x} AS VARCHAR) END`,
    manyDigits: `CAST(PRINTF('%.15g', ${x}) AS DOUBLE) <> ${x}`,
    plain: `CASE WHEN ${x} = TRUNC(${x}) THEN CAST(CAST(${x} AS BIGINT) AS VARCHAR) ELSE CAST(${x} AS VARCHAR) END`,
    exponent: `CASE WHEN ABS(${x}) >= 1E17 OR ABS(${x}) < 1 THEN CAST(${x} AS VARCHAR) ELSE PRINTF('%.15g', ${x}) END`,
  });
}
