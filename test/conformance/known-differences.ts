/** A query that the engines do not answer alike, and why. */
export interface KnownDifference {
  readonly why: string;
  readonly sql: string;
}

const of = (why: string, expression: string): KnownDifference => ({
  why,
  sql: `select id, ${expression} as x from samples order by id`,
});

/**
 * What is known to differ between DuckDB and Trino, over the events of `cases/samples.ts`. A test
 * fails as soon as one of them does not: then it moves to where it belongs.
 */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  of('BigQuery writes SS; DuckDB has a capital for it, and Trino leaves it', "upper('ß' || text)"),
  of('Trino escapes what is beyond 16 bits; the value is the same', 'to_json_string(text)'),
  of(
    'the engines write small numbers differently; the value is the same',
    'to_json_string(metadata.user)',
  ),
  of(
    'BigQuery and DuckDB give an empty text for a group that took no part',
    "regexp_extract(text, r'a(x)?')",
  ),
  of(
    'without any text BigQuery and Trino give an empty one',
    "array_to_string([text, pattern], '|')",
  ),
  of('DuckDB rounds halves to even, BigQuery and Trino away from zero', 'cast(f as int64)'),
  of('BigQuery writes 2.5 and 1e+15', 'cast(f as string)'),
  of(
    'Trino takes a constant that may equal NULL for one that does not',
    'case when true not in (null, flag) then 0 else 1 end',
  ),
  {
    why: 'beside another aggregate Trino forgets the DISTINCT of a constant',
    sql: 'select count(distinct 5) as x, sum(m) as y from samples group by project',
  },
];

/** The same, as the generator would find them; queries that match are left out. */
export const OPEN_PATTERNS: readonly { readonly why: string; readonly pattern: RegExp }[] = [
  { why: 'FLOAT64 as text', pattern: /concat\(/ },
  {
    why: 'a subquery is bound twice, and so is no argument of string_agg(DISTINCT x, .. ORDER BY x)',
    pattern: /string_agg\(distinct .*\(select .* order by/,
  },
  { why: 'NULL in a list of NOT IN', pattern: /not in \((?:.*, )?null/ },
  { why: 'DISTINCT of a constant', pattern: /\(distinct (?!(?:(?! as c\d)[^,])*\b[tu]\.)/ },
];
