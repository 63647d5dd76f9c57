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
  of('Trino takes the day of a bare date for a zone', 'safe_cast(day as timestamp)'),
  of('Trino takes the day of a bare date for a zone', 'timestamp(moment)'),
  of('a date is read as a number', 'timestamp_diff(timestamp(date(timestamp)), timestamp, hour)'),
];

/** The same, as the generator would find them; queries that match are left out. */
export const OPEN_PATTERNS: readonly { readonly why: string; readonly pattern: RegExp }[] = [
  { why: 'a bare date as TIMESTAMP', pattern: /as timestamp\)/ },
  { why: 'a date is read as a number', pattern: /timestamp_diff\(/ },
];
