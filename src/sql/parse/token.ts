/**
 * - `word`: unquoted identifier or keyword
 * - `quoted`: backticked identifier; `value` is what stands between the ticks
 * - `string`, `bytes`: literal; `value` has its escapes resolved
 * - `int`, `float`: number; `value` is its text (integers may be hexadecimal)
 * - `param`: `@name`; `value` is the name
 * - `op`: operator or punctuation
 */
export type TokenKind =
  | 'word'
  | 'quoted'
  | 'string'
  | 'bytes'
  | 'int'
  | 'float'
  | 'param'
  | 'op'
  | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** For words the upper-case spelling, for the rest the resolved value. */
  readonly key: string;
  /** As written for words, resolved for literals and quoted identifiers. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}
