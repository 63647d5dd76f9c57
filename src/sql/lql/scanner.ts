import { sqlErrorAt } from '../common/position.ts';
import type { SqlError } from '../common/sql-error.ts';

const TOKEN = /\S*/y;
const BLANKS = /\s*/y;

/** A position in the LQL text. Patterns are matched where it stands, so nothing is read twice. */
export class Scanner {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Whether a clause may end here. */
  get atBoundary(): boolean {
    return this.atEnd || /\s/.test(this.text.charAt(this.at));
  }

  /** Steps over what a sticky pattern matches here; undefined, and no step, where it does not. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const match = this.look(pattern);
    this.at += match?.[0].length ?? 0;
    return match;
  }

  look(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text) ?? undefined;
  }

  skipBlanks(): void {
    this.take(BLANKS);
  }

  /** The text from here, or from an earlier offset, up to the next white space. */
  rest(from = this.at): string {
    TOKEN.lastIndex = from;
    return TOKEN.exec(this.text)?.[0] ?? '';
  }

  fail(message: string, at = this.at): SqlError {
    return sqlErrorAt(this.text, at, 'lql_syntax', message);
  }
}

/** A piece of the caller's text as messages show it. */
export function shown(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
