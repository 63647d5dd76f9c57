import { ANY, codeOf, NOT_NEWLINE, union } from './code-points.ts';
import { membersOf, parseClass } from './parse-class.ts';
import { parseClassEscape, parseEscape } from './parse-escape.ts';
import { type Flags, NO_FLAGS, parseOpening } from './parse-group.ts';
import { parseRepetition, type Repetition } from './parse-repetition.ts';
import { PatternReader, type Refuse } from './reader.ts';
import { checkSize, MAX_DEPTH, MAX_LENGTH } from './size.ts';
import type { Assertion, Regex, RegexNode } from './tree.ts';

/**
 * Reads a pattern as RE2 does, with the options that BigQuery sets: UTF-8, Perl's classes, and `^`
 * and `$` at the ends of the text unless `(?m)` is on.
 *
 * @throws SqlError, made by `refuse`, for what RE2 refuses, for `\C`, and beyond the bounds of size.ts.
 */
export function parseRegex(pattern: string, refuse: Refuse): Regex {
  // Engines get text as UTF-8, which has no half of a surrogate pair.
  const reader = new PatternReader(pattern.toWellFormed(), refuse);
  if (reader.length > MAX_LENGTH) {
    throw reader.failWhole(`has ${reader.length} characters, and ${MAX_LENGTH} is the most`);
  }
  const regex = new Parser(reader).parse();
  checkSize(regex.root, reader);
  return regex;
}

class Parser {
  readonly #reader: PatternReader;
  #flags: Flags = NO_FLAGS;
  #groups = 0;
  #depth = 0;

  constructor(reader: PatternReader) {
    this.#reader = reader;
  }

  parse(): Regex {
    const root = this.#choice();
    if (!this.#reader.atEnd) {
      throw this.#reader.fail(
        this.#reader.at,
        'no group is open here: write \\) for a parenthesis',
      );
    }
    return { root, groups: this.#groups };
  }

  #choice(): RegexNode {
    const items = [this.#sequence()];
    while (this.#reader.take('|')) items.push(this.#sequence());
    const [only] = items;
    return only !== undefined && items.length === 1 ? only : { kind: 'choice', items };
  }

  #sequence(): RegexNode {
    const reader = this.#reader;
    const items: RegexNode[] = [];
    let repeated = false;
    while (!reader.atEnd && reader.peek() !== '|' && reader.peek() !== ')') {
      const at = reader.at;
      const repetition = parseRepetition(reader);
      if (repetition === undefined) {
        items.push(...this.#item());
        repeated = false;
      } else {
        items.push(this.#repeat(items.pop(), repetition, at, repeated));
        repeated = true;
      }
    }
    const [only] = items;
    return only !== undefined && items.length === 1 ? only : { kind: 'sequence', items };
  }

  #repeat(
    body: RegexNode | undefined,
    { min, max, lazy }: Repetition,
    at: number,
    repeated: boolean,
  ): RegexNode {
    if (body === undefined) {
      throw this.#reader.fail(at, 'there is nothing to repeat: write \\ before it to mean itself');
    }
    // `a*(?i)*` is one too: RE2 takes it, and it is not worth supporting.
    if (repeated || body.kind === 'repeat') {
      throw this.#reader.fail(
        at,
        'a repetition cannot be repeated: leave it out, or put (?:..) around the first',
      );
    }
    return { kind: 'repeat', body, min, max, greedy: lazy === this.#flags.swapGreed };
  }

  /** What one character, class, escape or group stands for; options and `\Q..\E` may be no item or many. */
  #item(): readonly RegexNode[] {
    const reader = this.#reader;
    const { ignoreCase, multiLine, dotAll } = this.#flags;
    switch (reader.peek()) {
      case '(':
        return this.#group();
      case '[':
        return [{ kind: 'set', set: parseClass(reader, ignoreCase) }];
      case '\\':
        return this.#escape();
      case '.':
        reader.next();
        return [{ kind: 'set', set: dotAll ? ANY : NOT_NEWLINE }];
      case '^':
        reader.next();
        return [{ kind: 'assertion', what: multiLine ? 'line_start' : 'text_start' }];
      case '$':
        reader.next();
        return [{ kind: 'assertion', what: multiLine ? 'line_end' : 'text_end' }];
      default:
        return [this.#literal(codeOf(reader.next()))];
    }
  }

  #escape(): readonly RegexNode[] {
    const reader = this.#reader;
    const assertion = ASSERTIONS[reader.peek(1)];
    if (assertion !== undefined) {
      reader.take('\\');
      reader.next();
      return [{ kind: 'assertion', what: assertion }];
    }
    if (reader.peek(1) === 'C') {
      throw reader.fail(
        reader.at,
        'a single byte cannot be matched here: write (?s:.) for any character',
      );
    }
    if (reader.take('\\Q')) return this.#quoted();
    const member = parseClassEscape(reader);
    return member === undefined
      ? [this.#literal(parseEscape(reader))]
      : [{ kind: 'set', set: membersOf(member, this.#flags.ignoreCase) }];
  }

  /** Up to `\E`, or to the end of the pattern. */
  #quoted(): readonly RegexNode[] {
    const reader = this.#reader;
    const items: RegexNode[] = [];
    while (!reader.atEnd && !reader.take('\\E')) items.push(this.#literal(codeOf(reader.next())));
    return items;
  }

  #literal(code: number): RegexNode {
    const set = union([[code, code]]);
    return { kind: 'set', set: membersOf({ set, negated: false }, this.#flags.ignoreCase) };
  }

  #group(): readonly RegexNode[] {
    const reader = this.#reader;
    const start = reader.at;
    const opening = parseOpening(reader, this.#flags);
    if (opening.kind === 'flags') {
      this.#flags = opening.flags;
      return [];
    }
    if (opening.kind === 'capture') this.#groups += 1;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      throw reader.fail(start, `groups are nested more than ${MAX_DEPTH} deep`);
    }
    const outer = this.#flags;
    this.#flags = opening.kind === 'plain' ? opening.flags : outer;
    const body = this.#choice();
    this.#flags = outer;
    this.#depth -= 1;
    if (!reader.take(')')) {
      throw reader.fail(start, 'its ) is missing: close the group, or write \\( for a parenthesis');
    }
    return [opening.kind === 'capture' ? { kind: 'group', body } : enclosed(body)];
  }
}

/** A repetition in parentheses may be repeated. */
function enclosed(body: RegexNode): RegexNode {
  return body.kind === 'repeat' ? { kind: 'sequence', items: [body] } : body;
}

const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  A: 'text_start',
  z: 'text_end',
  b: 'word_boundary',
  B: 'no_word_boundary',
};
