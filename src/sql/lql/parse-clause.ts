import type { Clause, Filter, Test } from './clause.ts';
import { textLiteral, timestampLiteral } from './literals.ts';
import { parseChart } from './parse-chart.ts';
import { COMPARISONS, type Operator, parseTest, takeOperator, takeQuoted } from './parse-value.ts';
import { columnPath, EVENT_MESSAGE, PATH, pathOf, TIMESTAMP } from './path.ts';
import { type Scanner, shown } from './scanner.ts';
import { name } from './syntax.ts';
import { parseTimeValue } from './timestamp.ts';

const FROM = /(?:from|f):([A-Za-z_0-9]+)/y;
const SELECT = new RegExp(`(?:select|s):(?:(\\*)|(${PATH.source}))`, 'y');
const ALIAS = /@([A-Za-z_0-9]*)/y;
const TIME_FIELD = /(?:timestamp|t)(?=:)/y;
const FIELD = new RegExp(`${PATH.source}(?=:)`, 'y');
const WORD = /(?:\\"|[A-Za-z0-9._!%$^\\+[\]?(){}#&*\-/<=>@;,|])+/y;

/**
 * Parses the clause that starts here, up to the white space behind it. Alternatives are tried in the
 * order of the grammar (Logflare 1.50), each decided by its first characters, so no clause is
 * read more than once for each of them.
 *
 * @throws SqlError `lql_syntax`.
 */
export function parseClause(reader: Scanner, nowUs: bigint): Clause {
  const start = reader.at;
  const negated = reader.take(/-/y) !== undefined;
  if (negated && reader.atBoundary) {
    throw reader.fail('A minus negates the filter right behind it', start);
  }
  const clause = parseRule(reader) ?? parseFilter(reader, nowUs);
  if (negated && clause.kind !== 'filter') {
    throw reader.fail('Only filters can be negated: remove the minus', start);
  }
  if (!reader.atBoundary) throw tail(reader, clause);
  return negated && clause.kind === 'filter' ? { ...clause, at: start, negated } : clause;
}

/** Clauses that are no filters. */
function parseRule(reader: Scanner): Clause | undefined {
  const { at } = reader;
  const table = reader.take(FROM)?.[1];
  if (table !== undefined) return { kind: 'from', at, table };
  return parseChart(reader) ?? parseSelect(reader);
}

function parseSelect(reader: Scanner): Clause | undefined {
  const { at } = reader;
  const [, star, text] = reader.take(SELECT) ?? [];
  if (star !== undefined) return { kind: 'select_star', at };
  if (text === undefined) return undefined;
  const path = pathOf(reader, text, reader.at - text.length);
  const aliasAt = reader.at + 1;
  const alias = reader.take(ALIAS)?.[1];
  if (alias === '') {
    throw reader.fail(
      'Error while parsing select clause: select alias cannot be blank, expected alias name after @. For example, s:my_field@my_alias',
    );
  }
  return alias === undefined
    ? { kind: 'select', at, path }
    : { kind: 'select', at, path, alias: name(alias, aliasAt) };
}

function parseFilter(reader: Scanner, nowUs: bigint): Filter {
  const { at } = reader;
  if (reader.take(TIME_FIELD) !== undefined) {
    const test = parseTimeTest(reader, takeOperator(reader) ?? ':', nowUs);
    return { kind: 'filter', at, negated: false, path: columnPath(TIMESTAMP, at), test };
  }
  const field = reader.take(FIELD)?.[0];
  if (field !== undefined) {
    const path = pathOf(reader, field, at);
    const test = parseTest(reader, path, takeOperator(reader) ?? ':');
    return { kind: 'filter', at, negated: false, path, test };
  }
  const regex = reader.take(/~/y) !== undefined;
  const text = takeQuoted(reader) ?? reader.take(WORD)?.[0];
  if (text === undefined) {
    throw reader.fail(
      regex
        ? 'A pattern is missing behind ~: write it in quotes, as in ~"status \\d+"'
        : `LQL cannot read ${shown(reader.rest())} here: write text with such characters in quotes`,
    );
  }
  if (text === '') throw reader.fail('There is nothing to search for between these quotes', at);
  const literal = textLiteral(text, regex ? at + 1 : at);
  const test: Test = regex
    ? { kind: 'regex', pattern: literal }
    : { kind: 'contains', text: literal };
  return { kind: 'filter', at, negated: false, path: columnPath(EVENT_MESSAGE, at), test };
}

/** A range has both its ends in it, whatever comparison is written before it (Logflare 1.50). */
function parseTimeTest(reader: Scanner, operator: Operator, nowUs: bigint): Test {
  const { at } = reader;
  const op = COMPARISONS[operator];
  if (op === undefined) {
    throw reader.fail('A timestamp is compared with :, :>, :>=, :< or :<=', at - operator.length);
  }
  const text = reader.rest();
  const value = parseTimeValue(text, nowUs);
  reader.at += text.length;
  switch (value?.kind) {
    case 'instant':
      return { kind: 'compare', op, value: timestampLiteral(value.us, at) };
    case 'range': {
      const low = timestampLiteral(value.low, at);
      return { kind: 'between', low, high: timestampLiteral(value.high, at) };
    }
    case 'mixed':
      throw reader.fail(
        'Timestamp range cannot mix timestamps with and without timezone offsets',
        at,
      );
    default:
      throw reader.fail(
        `Error while parsing timestamp filter value: expected ISO8601 string, Unix timestamp, range or shorthand, got '${shown(text)}'`,
        at,
      );
  }
}

/**
 * Clauses are separated by white space. Upstream lets them touch and so reads `cluster:prod-c` as
 * `cluster:prod -c`, or ignores what it cannot read; no author means either (Logflare 1.50).
 */
function tail(reader: Scanner, clause: Clause): Error {
  const quote =
    clause.kind === 'filter' ? ', or write the value in quotes if it goes on, as in "a-b"' : '';
  return reader.fail(
    `LQL cannot go on with ${shown(reader.rest())} here: write a blank before the next clause${quote}`,
  );
}
