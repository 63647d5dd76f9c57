import type { AstExpr } from '../parse/ast.ts';
import type { FieldPath, LqlComparison, Test } from './clause.ts';
import { scalarLiteral, textLiteral } from './literals.ts';
import { EVENT_MESSAGE, pathText } from './path.ts';
import { type Scanner, shown } from './scanner.ts';
import { DATE_LITERAL } from './timestamp.ts';

/** Longest first: the first that fits is meant. */
const OPERATOR = /:(?:>=|<=|>|<|~|@>~|@>|)/y;

export type Operator = ':' | ':>' | ':>=' | ':<' | ':<=' | ':~' | ':@>' | ':@>~';

export const COMPARISONS: Readonly<Partial<Record<Operator, LqlComparison>>> = {
  ':': '=',
  ':>': '>',
  ':>=': '>=',
  ':<': '<',
  ':<=': '<=',
};

export function takeOperator(reader: Scanner): Operator | undefined {
  return reader.take(OPERATOR)?.[0] as Operator | undefined;
}

const NUMBER = '\\d+(?:\\.\\d+)?';
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const LEVEL = `(${LEVELS.join('|')})`;

const LEVEL_RANGE = new RegExp(`${LEVEL}\\.\\.${LEVEL}`, 'y');
const RANGE = new RegExp(
  `(${DATE_LITERAL.source})\\.\\.(${DATE_LITERAL.source})|(${NUMBER})\\.\\.(${NUMBER})`,
  'y',
);
const BARE = new RegExp(`${DATE_LITERAL.source}|${NUMBER}|NULL|[A-Za-z_0-9]+`, 'y');
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"/y;
const PARENTHESES = /\(([^)]*)\)/y;

/**
 * Reads what stands between double quotes: `\"` and `\\` are escapes, any other backslash is itself.
 *
 * @returns undefined where no quote stands.
 * @throws SqlError `lql_syntax` when the quote is never closed.
 */
export function takeQuoted(reader: Scanner): string | undefined {
  const quoted = reader.take(QUOTED)?.[1];
  if (quoted === undefined && reader.text[reader.at] === '"') {
    throw reader.fail('This quote is never closed: write " at its end');
  }
  return quoted?.replace(/\\(["\\])/g, '$1');
}

/**
 * Parses the value behind a field's operator into what the filter asks.
 *
 * @throws SqlError `lql_syntax` when no value stands here, or the operator cannot have it.
 */
export function parseTest(reader: Scanner, path: FieldPath, operator: Operator): Test {
  const { at } = reader;
  const range = parseRange(reader, path);
  if (range !== undefined) {
    if (operator !== ':') {
      throw reader.fail(`A range stands behind a colon alone: remove ${operator.slice(1)}`, at);
    }
    return range;
  }
  const comparison = COMPARISONS[operator];
  const value = takeValue(reader, path);
  if (value.form === 'null') {
    if (operator !== ':') {
      throw reader.fail('NULL stands behind a colon alone; quote it to mean the text', at);
    }
    return { kind: 'null' };
  }
  const text = textLiteral(value.text, at);
  if (operator === ':~') return { kind: 'regex', pattern: text };
  if (operator === ':@>~') return { kind: 'includes_regex', pattern: text };
  // Parentheses are the way to say that 500 is a text, which quotes are not (Logflare 1.50).
  const isText = value.form === 'parentheses' || pathText(path) === EVENT_MESSAGE;
  const literal = isText ? text : scalarLiteral(value.text, at);
  return comparison === undefined
    ? { kind: 'includes', value: literal }
    : { kind: 'compare', op: comparison, value: literal };
}

function parseRange(reader: Scanner, path: FieldPath): Test | undefined {
  const { at } = reader;
  const levels = path.parts.at(-1)?.text === 'level' ? reader.take(LEVEL_RANGE) : undefined;
  if (levels !== undefined) return { kind: 'in', values: levelsBetween(reader, levels, at) };
  const match = reader.take(RANGE);
  if (match === undefined) return undefined;
  const [, firstDate, lastDate, firstNumber = '', lastNumber = ''] = match;
  const end = (date: string | undefined, number: string, offset: number): AstExpr =>
    date === undefined ? scalarLiteral(number, offset) : textLiteral(date, offset);
  const lowLength = (firstDate ?? firstNumber).length;
  return {
    kind: 'between',
    low: end(firstDate, firstNumber, at),
    high: end(lastDate, lastNumber, at + lowLength + 2),
  };
}

/** Each level of the range: upstream ANDs equalities, which no value can meet (Logflare 1.50). */
function levelsBetween(reader: Scanner, match: RegExpExecArray, at: number): AstExpr[] {
  const [, first = '', last = ''] = match;
  const levels = LEVELS.slice(LEVELS.indexOf(first), LEVELS.indexOf(last) + 1);
  if (levels.length === 0) {
    throw reader.fail(`A range of levels runs upwards: write ${last}..${first}`, at);
  }
  return levels.map((level) => textLiteral(level, at));
}

interface Value {
  readonly form: 'bare' | 'null' | 'quoted' | 'parentheses';
  readonly text: string;
}

function takeValue(reader: Scanner, path: FieldPath): Value {
  const bare = reader.take(BARE)?.[0];
  if (bare !== undefined) return { form: bare === 'NULL' ? 'null' : 'bare', text: bare };
  const quoted = takeQuoted(reader);
  if (quoted !== undefined) return { form: 'quoted', text: quoted };
  const inside = reader.take(PARENTHESES)?.[1];
  if (inside !== undefined) return { form: 'parentheses', text: inside };
  const rest = reader.rest();
  const problem = `Error while parsing \`${shown(pathText(path))}\` field metadata filter value: `;
  throw reader.fail(
    rest === '' ? `${problem}""` : `${problem}${shown(rest)} - write such a value in quotes`,
  );
}
