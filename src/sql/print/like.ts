import type { SqlTarget } from '../common/result-schema.ts';
import { failure } from '../functions/common/runtime-errors.ts';
import type { Expr } from '../ir/ir.ts';

/** Whether a pattern is known to have no backslash. Where an ESCAPE is said, DuckDB searches by its slow way. */
export function hasNoEscape(pattern: Expr): boolean {
  return pattern.op === 'const' && !String(pattern.value).includes('\\');
}

/**
 * A pattern of LIKE that only rows know, printed as the engine is to get it. In BigQuery a backslash takes
 * any character as it is, and cannot be the last one: Trino refuses it before others than `%`, `_` and
 * itself, and DuckDB takes it at the end.
 */
export function likePattern(target: SqlTarget, pattern: string): string {
  if (target === 'athena') {
    return `REGEXP_REPLACE(${pattern}, '(?s)\\\\([^%_\\\\])|\\\\(.)', m -> COALESCE(m[1], '\\' || m[2]))`;
  }
  const last = `LENGTH(${pattern}) - LENGTH(RTRIM(${pattern}, '\\'))`;
  const message = failure('The pattern of LIKE ends in a backslash', 'BIGINT');
  return `CASE WHEN (${last}) % 2 = 1 THEN CAST(${message} AS VARCHAR) ELSE ${pattern} END`;
}
