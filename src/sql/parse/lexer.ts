import { sqlErrorAt } from '../common/position.ts';
import { SqlError } from '../common/sql-error.ts';
import { readQuoted } from './string-literal.ts';
import type { Token, TokenKind } from './token.ts';

/** Longer than any saved query; Athena itself stops at 262,144 bytes. */
export const MAX_SQL_LENGTH = 262_144;

const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /0[xX][0-9A-Fa-f]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const PARAM = /@(?:\s*)(?:([A-Za-z_][A-Za-z0-9_]*)|`([^`\n]+)`)/y;
const BLANK = /\s+/y;
const STRING_START = /(?:[rR][bB]|[bB][rR]|[rRbB])?(?:"""|'''|"|')/y;
const TWO_CHARACTER_OPERATORS = new Set([
  '<=',
  '>=',
  '<>',
  '!=',
  '||',
  '::',
  '<<',
  '>>',
  '=>',
  '|>',
]);
const ONE_CHARACTER_OPERATORS = new Set('()[]{},.;+-*/%<>=&|^~:?!');

/**
 * Splits BigQuery SQL into tokens; comments (`--`, `#`, block) and white space are dropped.
 *
 * @throws SqlError `sql_syntax` at the first character that starts no token, `sql_too_large`.
 */
export function tokenize(sql: string): Token[] {
  if (sql.length > MAX_SQL_LENGTH) {
    const message = `The query is ${sql.length} characters long; at most ${MAX_SQL_LENGTH} are accepted.`;
    throw new SqlError('sql_too_large', message);
  }
  const tokens: Token[] = [];
  const match = (pattern: RegExp, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(sql);
  };
  const push = (kind: TokenKind, key: string, value: string, start: number, end: number): void => {
    tokens.push({ kind, key, value, start, end });
  };

  let at = 0;
  while (at < sql.length) {
    const blank = match(BLANK, at);
    if (blank !== null) {
      at += blank[0].length;
      continue;
    }
    const commentEnd = skipComment(sql, at);
    if (commentEnd !== undefined) {
      at = commentEnd;
      continue;
    }
    const opening = match(STRING_START, at);
    if (opening !== null) {
      const literal = readQuoted(sql, at, opening[0]);
      if (literal.value.includes('\u0000')) {
        throw sqlErrorAt(sql, at, 'sql_syntax', 'A string cannot hold a NUL character');
      }
      push(literal.bytes ? 'bytes' : 'string', literal.value, literal.value, at, literal.end);
      at = literal.end;
      continue;
    }
    if (sql[at] === '`') {
      const literal = readQuoted(sql, at, '`');
      if (literal.value === '') {
        throw sqlErrorAt(sql, at, 'sql_syntax', 'An identifier between backticks cannot be empty');
      }
      push('quoted', literal.value, literal.value, at, literal.end);
      at = literal.end;
      continue;
    }
    const word = match(WORD, at);
    if (word !== null) {
      push('word', word[0].toUpperCase(), word[0], at, at + word[0].length);
      at += word[0].length;
      continue;
    }
    const number = match(NUMBER, at);
    if (number !== null) {
      const isInteger = /^(?:0[xX][0-9A-Fa-f]+|\d+)$/.test(number[0]);
      push(isInteger ? 'int' : 'float', number[0], number[0], at, at + number[0].length);
      at += number[0].length;
      continue;
    }
    const param = match(PARAM, at);
    if (param !== null) {
      const name = param[1] ?? param[2] ?? '';
      push('param', name, name, at, at + param[0].length);
      at += param[0].length;
      continue;
    }
    const two = sql.slice(at, at + 2);
    const operator = TWO_CHARACTER_OPERATORS.has(two) ? two : sql.charAt(at);
    if (operator.length === 1 && !ONE_CHARACTER_OPERATORS.has(operator)) {
      throw sqlErrorAt(sql, at, 'sql_syntax', unexpectedCharacter(sql, at));
    }
    push('op', operator, operator, at, at + operator.length);
    at += operator.length;
  }
  push('end', '', '', sql.length, sql.length);
  return tokens;
}

function skipComment(sql: string, at: number): number | undefined {
  if (sql[at] === '#' || sql.startsWith('--', at)) {
    const end = sql.indexOf('\n', at);
    return end === -1 ? sql.length : end + 1;
  }
  if (sql.startsWith('/*', at)) {
    const end = sql.indexOf('*/', at + 2);
    if (end === -1) {
      throw sqlErrorAt(sql, at, 'sql_syntax', 'This comment is never closed: write */ at its end');
    }
    return end + 2;
  }
  return undefined;
}

function unexpectedCharacter(sql: string, at: number): string {
  const code = sql.codePointAt(at) ?? 0;
  if (sql.startsWith('@@', at)) return 'System variables (@@name) are not supported';
  if (/^\$\d/.test(sql.slice(at, at + 2))) {
    return 'Parameters have names: write @name instead of $1';
  }
  const printable = code > 0x20 && code !== 0x7f && !(code >= 0x80 && code < 0xa1);
  const shown = printable ? `'${String.fromCodePoint(code)}'` : 'character';
  return `Unexpected ${shown} (U+${code.toString(16).toUpperCase().padStart(4, '0')})`;
}
