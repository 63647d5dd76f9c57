import { constant, isConst } from '../build.ts';
import type { Expr } from '../tree.ts';
import { INT64, STRING } from '../types.ts';
import type { ScalarFunction, SpecialFunction } from './function.ts';

/** Whether a pattern has a capturing group; REGEXP_EXTRACT then gives the first one. */
export function hasGroup(pattern: string): boolean {
  let inClass = false;
  for (let i = 0; i < pattern.length; i += 1) {
    const character = pattern[i];
    if (character === '\\') {
      i += 1;
    } else if (inClass) {
      inClass = character !== ']';
    } else if (character === '[') {
      inClass = true;
    } else if (
      character === '(' &&
      (pattern[i + 1] !== '?' || /^\?P?</.test(pattern.slice(i + 1)))
    ) {
      return true;
    }
  }
  return false;
}

const EXTRACT: ScalarFunction = {
  name: 'regexp_extract',
  athena: ([s, pattern, group]) => `REGEXP_EXTRACT(${s}, ${pattern}, ${group})`,
  // No match is '' in DuckDB and NULL in BigQuery.
  duckdb: ([s, pattern, group]) =>
    `CASE WHEN REGEXP_MATCHES(${s}, ${pattern}) THEN REGEXP_EXTRACT(${s}, ${pattern}, CAST(${group} AS INTEGER)) END`,
};

const REPLACE: ScalarFunction = {
  name: 'regexp_replace',
  athena: ([s, pattern, replacement]) =>
    `REGEXP_REPLACE(${s}, ${pattern}, REGEXP_REPLACE(REGEXP_REPLACE(${replacement}, '\\$', '\\\\\\$'), '\\\\(\\d)', '\\$$1'))`,
  duckdb: ([s, pattern, replacement]) => `REGEXP_REPLACE(${s}, ${pattern}, ${replacement}, 'g')`,
};

function bindExtract(call: Parameters<SpecialFunction['bind']>[0]): Expr {
  const pattern = call.argAs(1, STRING);
  if (!isConst(pattern)) {
    throw call.fail('The pattern of REGEXP_EXTRACT must be a literal');
  }
  if (call.count > 2) {
    throw call.fail(
      'REGEXP_EXTRACT takes 2 arguments here: the position and occurrence are not supported',
    );
  }
  if (typeof pattern.value !== 'string') {
    return constant(STRING, null);
  }
  const group = constant(INT64, hasGroup(pattern.value) ? 1n : 0n);
  return { op: 'call', type: STRING, fn: EXTRACT, args: [call.argAs(0, STRING), pattern, group] };
}

export const REGEX_FUNCTIONS: readonly SpecialFunction[] = [
  { name: 'regexp_extract', bind: bindExtract },
  { name: 'regexp_substr', bind: bindExtract },
  {
    name: 'regexp_replace',
    bind: (call) => ({
      op: 'call',
      type: STRING,
      fn: REPLACE,
      args: [call.argAs(0, STRING), call.argAs(1, STRING), call.argAs(2, STRING)],
    }),
  },
];
