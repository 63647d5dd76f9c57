import { isDeepStrictEqual } from 'node:util';
import { type Answer, field } from '../client/answer.ts';
import { printExact } from '../client/exact-json.ts';
import type { Status, Unmet } from './check.ts';

/** Ends a check before its end, with what it has found so far. */
export class CheckEnded extends Error {
  override readonly name = 'CheckEnded';
}

/** Of one value in a report. */
const SHOWN_CHARACTERS = 400;
/** Of one check: if a thousand rows are wrong, so is the next. */
const MAX_UNMET = 5;

/** What one check finds. */
export class Findings {
  readonly notes: string[] = [];
  readonly unmet: Unmet[] = [];
  /** Beyond those that are kept. */
  #more = 0;
  #passed: Status = 'holds';

  get status(): Status {
    return this.unmet.length > 0 ? 'does not hold' : this.#passed;
  }

  get moreUnmet(): number {
    return this.#more;
  }

  note(text: string): void {
    this.notes.push(text);
  }

  /** @throws CheckEnded always. */
  notYet(saw: string): never {
    this.#passed = 'not yet';
    this.note(saw);
    throw new CheckEnded();
  }

  /** @throws CheckEnded always. */
  notChecked(why: string): never {
    this.#passed = 'not checked';
    this.note(why);
    throw new CheckEnded();
  }

  fail(what: string, expected: unknown, came: unknown): void {
    if (this.unmet.length >= MAX_UNMET) this.#more++;
    else this.unmet.push({ what, expected: shown(expected), came: shown(came) });
  }

  /** @throws CheckEnded always. */
  end(what: string, expected: unknown, came: unknown): never {
    this.fail(what, expected, came);
    throw new CheckEnded();
  }

  /** Whether the value fits: objects may have more fields than are expected, everything else is equal. */
  fits(what: string, expected: unknown, came: unknown): boolean {
    const holds = fits(expected, came);
    if (!holds) this.fail(what, expected, came);
    return holds;
  }

  /** An answer with this status and, where one is given, this code. */
  answers(what: string, answer: Answer, status: number, code?: string): boolean {
    const holds = answer.status === status && (code === undefined || answer.code === code);
    if (!holds) this.fail(what, [status, code].filter(Boolean).join(' '), answer);
    return holds;
  }

  /** Rows of an answer, which has to have some. @throws CheckEnded when it is another. */
  rows(what: string, answer: Answer) {
    return answer.rows ?? this.end(what, '200 with rows', answer);
  }
}

export function fits(expected: unknown, came: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return Object.is(expected, came);
  if (Array.isArray(expected)) return isDeepStrictEqual(expected, came);
  if (typeof came !== 'object' || came === null) return false;
  return Object.entries(expected).every(([name, each]) => fits(each, field(came, name)));
}

function shown(value: unknown): string {
  const isText = typeof value === 'string' || typeof value?.toString === 'function';
  const isPlain =
    typeof value === 'object' && Object.getPrototypeOf(value ?? {}) === Object.prototype;
  const text = isText && !isPlain && !Array.isArray(value) ? String(value) : printExact(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text;
}
