import type { Cursor } from './cursor.ts';

const REGEX = 'write REGEXP_CONTAINS(value, pattern)';
const LATERAL_JSON = "write metadata.field, or JSON_VALUE(metadata, '$.field')";

/** Operators of PostgreSQL, by the token at which they stop the parser. */
const OPERATORS: Readonly<Record<string, string>> = {
  '~': `The operator ~ is not supported here: ${REGEX}, with (?i) at the start of the pattern for ~*`,
  '!': `The operator !~ is not supported: ${REGEX} behind NOT`,
  '?': 'The operator ? is not supported: write metadata.field IS NOT NULL',
};

/** Clauses of PostgreSQL, by the word at which they stop the parser. */
const WORDS: Readonly<Record<string, string>> = {
  AT: 'AT TIME ZONE only stands in EXTRACT: write DATETIME(time, zone)',
  COLLATE: 'COLLATE is not supported: compare LOWER(value)',
  FETCH: 'FETCH FIRST is not supported: write LIMIT',
  SIMILAR: `SIMILAR TO is not supported: ${REGEX}`,
  WITHIN: 'WITHIN GROUP is not supported: write APPROX_QUANTILES(value, 100)[OFFSET(95)]',
};

/**
 * Where a text stops making sense, what to write instead of the PostgreSQL that people may have meant
 * there.
 */
export function hintForOtherDialects(c: Cursor): string | undefined {
  const token = c.token;
  const before = c.peek(-1);
  const adjacent = before.end === token.start;
  switch (token.kind) {
    case 'op':
      if (before.key === '-' && adjacent && (token.key === '>' || token.key === '>>')) {
        return `The operators -> and ->> are not supported: ${LATERAL_JSON}`;
      }
      return Object.hasOwn(OPERATORS, token.key) ? OPERATORS[token.key] : undefined;
    case 'word':
      return Object.hasOwn(WORDS, token.key) ? WORDS[token.key] : undefined;
    case 'string':
      return before.key === 'E' && adjacent
        ? "Strings have no E before them: escapes such as \\n mean what they say in '..'"
        : undefined;
    default:
      return undefined;
  }
}
