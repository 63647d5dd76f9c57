/**
 * What functions of PostgreSQL, Trino, DuckDB and ClickHouse are called in BigQuery, for people who try
 * those first. By name, lower case.
 */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  age: 'TIMESTAMP_DIFF(later, earlier, part)',
  approx_distinct: 'APPROX_COUNT_DISTINCT(value)',
  approx_percentile: 'APPROX_QUANTILES(value, 100)[OFFSET(95)]',
  array_position: 'UNNEST(array) AS x WITH OFFSET AS i',
  bool_and: 'LOGICAL_AND(condition)',
  bool_or: 'LOGICAL_OR(condition)',
  btrim: 'TRIM(value)',
  clock_timestamp: 'CURRENT_TIMESTAMP()',
  concat_ws: 'ARRAY_TO_STRING([value, ..], separator)',
  count_if: 'COUNTIF(condition)',
  date_part: 'EXTRACT(part FROM time)',
  every: 'LOGICAL_AND(condition)',
  from_unixtime: 'TIMESTAMP_SECONDS(number)',
  generate_series: 'UNNEST(GENERATE_ARRAY(first, last)) in FROM',
  json_agg: 'ARRAY_AGG(value)',
  json_array_elements: 'UNNEST(list) in FROM',
  json_array_length: 'ARRAY_LENGTH(list)',
  json_build_object: 'STRUCT(value AS name, ..)',
  json_extract_path_text: "JSON_VALUE(value, '$.path')",
  json_extract_string: "JSON_VALUE(value, '$.path')",
  jsonb_agg: 'ARRAY_AGG(value)',
  jsonb_array_elements: 'UNNEST(list) in FROM',
  jsonb_array_length: 'ARRAY_LENGTH(list)',
  jsonb_build_object: 'STRUCT(value AS name, ..)',
  jsonb_extract_path_text: "JSON_VALUE(value, '$.path')",
  listagg: 'STRING_AGG(value, separator)',
  median: 'APPROX_QUANTILES(value, 2)[OFFSET(1)]',
  percentile_cont: 'APPROX_QUANTILES(value, 100)[OFFSET(95)]',
  percentile_disc: 'APPROX_QUANTILES(value, 100)[OFFSET(95)]',
  quantile: 'APPROX_QUANTILES(value, 100)[OFFSET(95)]',
  regexp_like: 'REGEXP_CONTAINS(value, pattern)',
  regexp_match: 'REGEXP_EXTRACT(value, pattern)',
  regexp_matches: 'REGEXP_EXTRACT_ALL(value, pattern), or REGEXP_CONTAINS for a condition',
  row_to_json: 'TO_JSON_STRING(table)',
  split_part: 'SPLIT(value, delimiter)[SAFE_OFFSET(n - 1)]',
  strftime: "FORMAT_TIMESTAMP('%F %T', time)",
  string_to_array: 'SPLIT(value, delimiter)',
  to_char: "FORMAT_TIMESTAMP('%F %T', time)",
  to_date: "PARSE_DATE('%F', text)",
  to_json: 'TO_JSON_STRING(value)',
  to_jsonb: 'TO_JSON_STRING(value)',
  to_number: 'CAST(value AS FLOAT64)',
  to_timestamp: 'TIMESTAMP_SECONDS(number), or TIMESTAMP(text)',
  tostartofday: 'TIMESTAMP_TRUNC(time, DAY)',
  tostartofhour: 'TIMESTAMP_TRUNC(time, HOUR)',
  tostartofminute: 'TIMESTAMP_TRUNC(time, MINUTE)',
  uniq: 'APPROX_COUNT_DISTINCT(value)',
};

/** What to write instead of a function that BigQuery has under another name. */
export function elsewhere(name: string): string | undefined {
  return Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined;
}
