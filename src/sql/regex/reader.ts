import type { SqlError } from '../common/sql-error.ts';

/** Makes the error of a pattern that cannot be. */
export type Refuse = (message: string) => SqlError;

/** How much of a pattern an error shows. */
const SHOWN = 20;

/** A position in the characters of a pattern. */
export class PatternReader {
  readonly #characters: readonly string[];
  readonly #refuse: Refuse;
  #at = 0;

  constructor(pattern: string, refuse: Refuse) {
    this.#characters = Array.from(pattern);
    this.#refuse = refuse;
  }

  get at(): number {
    return this.#at;
  }

  get length(): number {
    return this.#characters.length;
  }

  get atEnd(): boolean {
    return this.#at >= this.#characters.length;
  }

  /** The character so many after the next; empty past the end. */
  peek(ahead = 0): string {
    return this.#characters[this.#at + ahead] ?? '';
  }

  next(): string {
    const character = this.peek();
    this.#at += 1;
    return character;
  }

  rewind(at: number): void {
    this.#at = at;
  }

  /** Takes a text of ASCII characters if it comes next. */
  take(text: string): boolean {
    const found = [...text].every((character, i) => this.peek(i) === character);
    if (found) this.#at += text.length;
    return found;
  }

  /** Takes characters while they are of a kind. */
  takeWhile(kind: RegExp): string {
    let taken = '';
    while (!this.atEnd && kind.test(this.peek())) taken += this.next();
    return taken;
  }

  /** Takes what stands before a text, and the text; undefined, and nothing taken, if it never comes. */
  takeUntil(text: string): string | undefined {
    const start = this.#at;
    let taken = '';
    while (!this.atEnd) {
      if (this.take(text)) return taken;
      taken += this.next();
    }
    this.#at = start;
    return undefined;
  }

  /** The error of what starts at a position. */
  fail(at: number, why: string): SqlError {
    const rest = this.#characters.slice(at, at + SHOWN).join('');
    const shown = at + SHOWN < this.length ? `${rest}…` : rest;
    const where = rest === '' ? 'at its end' : `at character ${at + 1}, ${shown}`;
    return this.#refuse(`the pattern is wrong ${where}: ${why}`);
  }

  /** The error of a pattern as a whole. */
  failWhole(why: string): SqlError {
    return this.#refuse(`the pattern ${why}`);
  }
}
