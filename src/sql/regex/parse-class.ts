import { type CodePointRange, type CodePoints, codeOf, complement, union } from './code-points.ts';
import { POSIX_CLASSES } from './named-classes.ts';
import { type Member, parseClassEscape, parseEscape } from './parse-escape.ts';
import type { PatternReader } from './reader.ts';
import { foldCase } from './unicode.ts';

/** The characters of a member; those of the other case too when case is ignored. */
export function membersOf({ set, negated }: Member, ignoreCase: boolean): CodePoints {
  const all = ignoreCase ? foldCase(set) : set;
  return negated ? complement(all) : all;
}

/** `[a-z_]`, `[^[:space:]\d]` ...: the opening bracket comes next. */
export function parseClass(reader: PatternReader, ignoreCase: boolean): CodePoints {
  const start = reader.at;
  reader.take('[');
  const negated = reader.take('^');
  const single: CodePointRange[] = [];
  const named: CodePoints[] = [];
  for (let first = true; first || reader.peek() !== ']'; first = false) {
    if (reader.atEnd) {
      throw reader.fail(start, 'its ] is missing: close the class, or write \\[ for a bracket');
    }
    const member = parsePosix(reader) ?? parseClassEscape(reader);
    if (member === undefined) {
      single.push(parseRange(reader, start));
    } else {
      named.push(membersOf(member, ignoreCase));
    }
  }
  reader.take(']');
  const written = membersOf({ set: union(single), negated: false }, ignoreCase);
  const set = union([...written, ...named.flat()]);
  return negated ? complement(set) : set;
}

/** `[:alpha:]`; RE2 takes the bracket for itself where no `:]` follows. */
function parsePosix(reader: PatternReader): Member | undefined {
  const start = reader.at;
  const name = reader.take('[:') ? reader.takeUntil(':]') : undefined;
  if (name === undefined) {
    reader.rewind(start);
    return undefined;
  }
  const negated = name.startsWith('^');
  const key = negated ? name.slice(1) : name;
  const set = Object.hasOwn(POSIX_CLASSES, key) ? POSIX_CLASSES[key] : undefined;
  if (set === undefined) {
    throw reader.fail(start, `such classes are ${Object.keys(POSIX_CLASSES).join(', ')}`);
  }
  return { set, negated };
}

function parseRange(reader: PatternReader, classStart: number): CodePointRange {
  const start = reader.at;
  const first = parseCharacter(reader, classStart);
  if (reader.peek() !== '-' || reader.peek(1) === ']' || reader.peek(1) === '') {
    return [first, first];
  }
  reader.take('-');
  const last = parseCharacter(reader, classStart);
  if (last < first) {
    throw reader.fail(start, 'the range ends before it starts: write \\- for a hyphen');
  }
  return [first, last];
}

function parseCharacter(reader: PatternReader, classStart: number): number {
  if (reader.atEnd) {
    throw reader.fail(classStart, 'its ] is missing: close the class, or write \\[ for a bracket');
  }
  return reader.peek() === '\\' ? parseEscape(reader) : codeOf(reader.next());
}
