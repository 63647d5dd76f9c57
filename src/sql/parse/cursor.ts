import { sqlErrorAt } from '../common/position.ts';
import type { SqlError } from '../common/sql-error.ts';
import type { Name } from './ast.ts';
import { tokenize } from './lexer.ts';
import { hintForOtherDialects } from './other-dialects.ts';
import { isReserved } from './reserved.ts';
import { MAX_DEPTH } from './size.ts';
import type { Token } from './token.ts';

/** A position in the tokens of one text, and the questions a recursive descent parser asks of it. */
export class Cursor {
  readonly sql: string;
  #tokens: readonly Token[];
  #index = 0;
  #depth = 0;
  readonly #memo = new Map<number, { readonly value: unknown; readonly end: number }>();

  constructor(sql: string) {
    this.sql = sql;
    this.#tokens = tokenize(sql);
  }

  get token(): Token {
    return this.#at(this.#index);
  }

  peek(ahead = 1): Token {
    return this.#at(this.#index + ahead);
  }

  get atEnd(): boolean {
    return this.token.kind === 'end';
  }

  /** The token just taken. */
  get previous(): Token {
    return this.#at(this.#index - 1);
  }

  next(): Token {
    const token = this.token;
    this.#index += 1;
    return token;
  }

  /** Position to come back to with {@link rewind}. */
  mark(): number {
    return this.#index;
  }

  rewind(mark: number): void {
    this.#index = mark;
  }

  isWord(...words: readonly string[]): boolean {
    return this.#wordAt(0, words);
  }

  /** Whether the next tokens are these keywords, in this order. */
  isWords(...words: readonly string[]): boolean {
    return words.every((word, i) => this.#wordAt(i, [word]));
  }

  isOp(op: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'op' && token.key === op;
  }

  takeWord(...words: readonly string[]): boolean {
    const found = this.isWord(...words);
    if (found) this.#index += 1;
    return found;
  }

  takeWords(...words: readonly string[]): boolean {
    const found = this.isWords(...words);
    if (found) this.#index += words.length;
    return found;
  }

  takeOp(op: string): boolean {
    const found = this.isOp(op);
    if (found) this.#index += 1;
    return found;
  }

  expectWord(word: string): Token {
    if (!this.isWord(word)) throw this.unexpected(word);
    return this.next();
  }

  expectOp(op: string): Token {
    if (!this.isOp(op)) throw this.unexpected(`'${op}'`);
    return this.next();
  }

  /** The end of a type's parameters, of which two may stand together as `>>`. */
  expectAngle(): void {
    if (this.isOp('>>')) {
      const { start, end } = this.token;
      const half = { kind: 'op', key: '>', value: '>' } as const;
      const halves = [
        { ...half, start, end: end - 1 },
        { ...half, start: start + 1, end },
      ];
      this.#tokens = this.#tokens.toSpliced(this.#index, 1, ...halves);
      // It knows positions behind this one by their old numbers.
      this.#memo.clear();
    }
    this.expectOp('>');
  }

  /** An identifier; reserved words count only after a dot, or in backticks. */
  name(what: string, afterDot = false): Name {
    const name = this.tryName(afterDot);
    if (name === undefined) throw this.unexpected(what);
    return name;
  }

  tryName(afterDot = false): Name | undefined {
    const token = this.token;
    if (token.kind === 'quoted') {
      this.next();
      return { text: token.value, quoted: true, at: token.start };
    }
    if (token.kind === 'word' && (afterDot || !isReserved(token.key))) {
      this.next();
      return { text: token.value, quoted: false, at: token.start };
    }
    return undefined;
  }

  /** Runs a nested rule, refusing texts that nest deeper than the parser may recurse. */
  nested<T>(rule: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      throw this.tooLarge(`The query nests more than ${MAX_DEPTH} levels deep: simplify it`);
    }
    try {
      return rule();
    } finally {
      this.#depth -= 1;
    }
  }

  /**
   * Runs a rule that backtracks, once per position: a rule tried again where it succeeded before gives
   * the same tree, so nested backtracking stays linear instead of doubling at each level.
   */
  memoised<T>(rule: () => T): T {
    const start = this.#index;
    const known = this.#memo.get(start);
    if (known !== undefined) {
      this.#index = known.end;
      return known.value as T;
    }
    const value = rule();
    this.#memo.set(start, { value, end: this.#index });
    return value;
  }

  error(message: string, at: number = this.token.start): SqlError {
    return sqlErrorAt(this.sql, at, 'sql_syntax', message);
  }

  tooLarge(message: string): SqlError {
    return sqlErrorAt(this.sql, this.token.start, 'sql_too_large', message);
  }

  unsupported(message: string, at: number = this.token.start): SqlError {
    return sqlErrorAt(this.sql, at, 'sql_unsupported', message);
  }

  unexpected(expected: string): SqlError {
    const hint = hintForOtherDialects(this);
    return hint === undefined
      ? this.error(`Expected ${expected} but found ${describe(this.token)}`)
      : this.unsupported(hint);
  }

  #wordAt(ahead: number, words: readonly string[]): boolean {
    const token = this.peek(ahead);
    return token.kind === 'word' && words.includes(token.key);
  }

  #at(index: number): Token {
    const token = this.#tokens[Math.min(Math.max(index, 0), this.#tokens.length - 1)];
    if (token === undefined) throw new Error('a token list always ends with an end token');
    return token;
  }
}

function describe(token: Token): string {
  switch (token.kind) {
    case 'end':
      return 'the end of the query';
    case 'string':
    case 'bytes':
      return `the string '${token.value.slice(0, 40)}'`;
    case 'param':
      return `@${token.value}`;
    default:
      return `'${token.value}'`;
  }
}
