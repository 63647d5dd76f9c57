import { RE2JS, RE2JSException } from 're2js';
import { scalarText } from '../../../platform/json/json.ts';
import { type Scanner, shown } from '../scanner.ts';

/** Instructions of a pattern's program. Time grows with it and with the text, and never faster. */
const MAX_PROGRAM = 1000;

/**
 * Whether a scalar, as text, matches a pattern of RE2.
 *
 * @param at where the pattern stands in the LQL text.
 * @throws SqlError `lql_syntax` for what is no such pattern, or too large a one.
 */
export function matchesPattern(
  reader: Scanner,
  pattern: string,
  at: number,
): (value: unknown) => boolean {
  const compiled = compile(reader, pattern, at);
  if (compiled.programSize() > MAX_PROGRAM) {
    throw reader.fail('The pattern is too large once its repetitions are written out', at);
  }
  return (value) => {
    const text = scalarText(value);
    return text !== undefined && compiled.test(text);
  };
}

function compile(reader: Scanner, pattern: string, at: number): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) {
      throw reader.fail(`The pattern is wrong: ${shown(error.message)}`, at);
    }
    throw error;
  }
}
