/** How the engines spell the regular expression functions. */

import type { ScalarFunction, SqlTemplate } from '../../ir/function.ts';
import { both } from '../common/function.ts';

/**
 * Arguments are the text, the pattern for Athena, the pattern for DuckDB, and what else the function
 * takes: the engines' patterns differ, so each form reads its own.
 */
type OnPattern = (text: string, pattern: string, ...rest: readonly string[]) => string;

const onAthena =
  (form: OnPattern): SqlTemplate =>
  ([text = '', pattern = '', , ...rest]) =>
    form(text, pattern, ...rest);

const onDuckdb =
  (form: OnPattern): SqlTemplate =>
  ([text = '', , pattern = '', ...rest]) =>
    form(text, pattern, ...rest);

const callsOnAthena = (name: string): SqlTemplate =>
  onAthena((...args) => `${name}(${args.join(', ')})`);

const matches = (text: string, pattern: string): string => `REGEXP_MATCHES(${text}, ${pattern})`;
const all: OnPattern = (text, pattern, group) =>
  `REGEXP_EXTRACT_ALL(${text}, ${pattern}, CAST(${group} AS INTEGER))`;

export const CONTAINS: ScalarFunction = {
  name: 'regexp_contains',
  athena: callsOnAthena('REGEXP_LIKE'),
  duckdb: onDuckdb(matches),
};

/** Further argument: the group, 0 for the whole match. */
export const EXTRACT: ScalarFunction = {
  name: 'regexp_extract',
  athena: callsOnAthena('REGEXP_EXTRACT'),
  // No match is '' in DuckDB and NULL in BigQuery.
  duckdb: onDuckdb(
    (text, pattern, group) =>
      `CASE WHEN ${matches(text, pattern)} THEN REGEXP_EXTRACT(${text}, ${pattern}, CAST(${group} AS INTEGER)) END`,
  ),
};

/** The same where the group may take no part in the match: NULL then, where DuckDB gives ''. */
export const EXTRACT_IF_PART: ScalarFunction = {
  name: 'regexp_extract',
  athena: EXTRACT.athena,
  duckdb: onDuckdb((...args) => `LIST_EXTRACT(${all(...args)}, 1)`),
};

/** Further arguments: the group, and which of the matches, from 1. */
export const EXTRACT_NTH: ScalarFunction = {
  name: 'regexp_extract',
  athena: onAthena(
    (text, pattern, group, nth) =>
      `ELEMENT_AT(REGEXP_EXTRACT_ALL(${text}, ${pattern}, ${group}), CAST(${nth} AS INTEGER))`,
  ),
  duckdb: onDuckdb(
    (text, pattern, group = '', nth = '') => `LIST_EXTRACT(${all(text, pattern, group)}, ${nth})`,
  ),
};

export const EXTRACT_ALL: ScalarFunction = {
  name: 'regexp_extract_all',
  athena: callsOnAthena('REGEXP_EXTRACT_ALL'),
  duckdb: onDuckdb(all),
};

/** Of an array: '' for the matches in which the group took no part. */
export const EMPTY_FOR_NULL: ScalarFunction = {
  name: 'regexp_extract_all',
  athena: ([array]) => `TRANSFORM(${array}, e -> COALESCE(e, ''))`,
  duckdb: ([array]) => `LIST_TRANSFORM(${array}, lambda e: COALESCE(e, ''))`,
};

/**
 * Of an array: without the last element, unless it is the only one, which is that of an empty text. Both
 * engines look for one more empty match at the end of the text, where BigQuery has stopped.
 */
export const WITHOUT_LAST: ScalarFunction = {
  name: 'regexp_extract_all',
  athena: ([array]) => `SLICE(${array}, 1, GREATEST(CARDINALITY(${array}) - 1, 1))`,
  duckdb: ([array]) => `LIST_SLICE(${array}, 1, GREATEST(LEN(${array}) - 1, 1))`,
};

/** Further arguments: the replacement for Athena, and for DuckDB. */
export const REPLACE: ScalarFunction = {
  name: 'regexp_replace',
  athena: onAthena(
    (text, pattern, replacement) => `REGEXP_REPLACE(${text}, ${pattern}, ${replacement})`,
  ),
  duckdb: onDuckdb(
    (text, pattern, _, replacement) => `REGEXP_REPLACE(${text}, ${pattern}, ${replacement}, 'g')`,
  ),
};

/** Length of the first group, counted from a further argument; 0 without a match. */
export const POSITION_AFTER: ScalarFunction = {
  name: 'regexp_instr',
  athena: onAthena(lengthFrom('REGEXP_LIKE')),
  duckdb: onDuckdb(lengthFrom('REGEXP_MATCHES')),
};

function lengthFrom(test: string): OnPattern {
  return (text, pattern, start) =>
    `CASE WHEN NOT ${test}(${text}, ${pattern}) THEN 0 ELSE LENGTH(REGEXP_EXTRACT(${text}, ${pattern}, 1)) + ${start} END`;
}

export const FROM_POSITION: ScalarFunction = {
  name: 'substr',
  ...both(([text, position]) => `SUBSTR(${text}, ${position})`),
};
