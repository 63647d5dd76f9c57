import { sqlErrorAt } from '../common/position.ts';

export interface QuotedText {
  readonly value: string;
  readonly bytes: boolean;
  /** Offset just past the closing quote. */
  readonly end: number;
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};

const NUMERIC_ESCAPE = /[0-3][0-7]{2}|[xX]([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})/y;

/**
 * Reads a string, bytes or backticked literal whose opening (prefix and quotes) starts at `at`, by
 * the rules of BigQuery's lexical structure: raw prefixes keep backslashes, triple quotes may hold
 * line breaks, all others may not. A doubled quote is one of the text, as in standard SQL: clients
 * write apostrophes so, and BigQuery takes no literal right behind another.
 */
export function readQuoted(sql: string, at: number, opening: string): QuotedText {
  const prefix = /^[rRbB]*/.exec(opening)?.[0].toLowerCase() ?? '';
  const quote = opening.slice(prefix.length);
  const raw = prefix.includes('r');
  const doubled = quote === "'" || quote === '"' ? quote + quote : undefined;
  let value = '';
  let i = at + opening.length;
  while (i < sql.length) {
    if (doubled !== undefined && sql.startsWith(doubled, i)) {
      value += quote;
      i += 2;
      continue;
    }
    if (sql.startsWith(quote, i)) {
      return { value, bytes: prefix.includes('b'), end: i + quote.length };
    }
    const character = sql.charAt(i);
    if (character === '\n' && quote.length === 1) break;
    if (character !== '\\') {
      value += character;
      i += 1;
    } else if (raw) {
      // A raw string keeps the backslash, yet a quote after it does not close the string.
      value += sql.slice(i, i + 2);
      i += 2;
    } else {
      const escaped = readEscape(sql, i);
      value += escaped.value;
      i = escaped.end;
    }
  }
  const what = quote === '`' ? 'identifier' : 'string';
  throw sqlErrorAt(sql, at, 'sql_syntax', `This ${what} is never closed: its ${quote} is missing`);
}

function readEscape(sql: string, at: number): { value: string; end: number } {
  const next = sql.charAt(at + 1);
  const simple = SIMPLE_ESCAPES[next];
  if (simple !== undefined && next !== '') return { value: simple, end: at + 2 };
  NUMERIC_ESCAPE.lastIndex = at + 1;
  const numeric = NUMERIC_ESCAPE.exec(sql);
  if (numeric !== null) {
    const hex = numeric[1] ?? numeric[2] ?? numeric[3];
    const code = hex === undefined ? Number.parseInt(numeric[0], 8) : Number.parseInt(hex, 16);
    if (code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)) {
      return { value: String.fromCodePoint(code), end: at + 1 + numeric[0].length };
    }
  }
  const message = `Unknown escape sequence \\${next} in a string: write \\\\${next}, or use a raw string r'...'`;
  throw sqlErrorAt(sql, at, 'sql_syntax', message);
}
