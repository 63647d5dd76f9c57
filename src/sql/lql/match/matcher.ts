import { projectOf } from '../../../lake/rows/project.ts';
import { scalarText } from '../../../platform/json/json.ts';
import type { FieldPath, Filter, Test } from '../clause.ts';
import { parseClauses } from '../parse.ts';
import { PROJECT, TIMESTAMP } from '../path.ts';
import { Scanner } from '../scanner.ts';
import { comparedWith } from './comparison.ts';
import { type EventFields, type Reached, reach } from './path-values.ts';
import { matchesPattern } from './pattern.ts';

/** Whether an event meets all filters of a text. */
export type Matcher = (event: EventFields) => boolean;

type ValueTest = (value: unknown) => boolean;

/** Times are read, so that a wrong one is an error, and then mean nothing: any clock will do. */
const SOME_TIME_US = BigInt(Date.UTC(2026, 0)) * 1000n;

/**
 * The filters of an LQL text, to be tried on events in memory. They mean what the same filters mean in
 * a query, but (Logflare 1.50): a field that is missing meets no filter but `a:NULL`, negated
 * or not; a number is not equal to its text; `:@>` takes a scalar for a list of one. Times are ignored,
 * and so are clauses that are no filters.
 *
 * @throws SqlError `lql_syntax`, also where no filter is left; `lql_too_large`.
 */
export function parseMatcher(lql: string): Matcher {
  const reader = new Scanner(lql);
  const filters = parseClauses(reader, SOME_TIME_US)
    .filter((clause) => clause.kind === 'filter')
    .filter(({ path }) => !isTime(path));
  if (filters.length === 0) {
    throw reader.fail(
      'A filter is missing: clauses on the time, and f:, s: and c:, are none here',
      0,
    );
  }
  const conditions = filters.map((filter) => conditionOf(reader, filter));
  return (event) => conditions.every((condition) => condition(event));
}

function isTime({ parts }: FieldPath): boolean {
  return parts.length === 1 && parts[0]?.text === TIMESTAMP;
}

function conditionOf(reader: Scanner, { negated, path, test }: Filter): Matcher {
  const names = path.parts.map(({ text }) => text);
  const fieldsOf = isProject(path) ? withProject : sameFields;
  if (test.kind === 'null') {
    return (event) => (reach(fieldsOf(event), names, () => true) === 'nothing') !== negated;
  }
  const meets = valueTest(reader, test);
  const wanted: Reached = negated ? 'others' : 'match';
  return (event) => reach(fieldsOf(event), names, meets) === wanted;
}

/** What queries read of it is a column that may come from the metadata. */
function isProject({ parts }: FieldPath): boolean {
  return parts.length === 1 && parts[0]?.text === PROJECT;
}

function withProject({ project, metadata }: EventFields): EventFields {
  return { project: projectOf(project, metadata) };
}

function sameFields(event: EventFields): EventFields {
  return event;
}

function valueTest(reader: Scanner, test: Exclude<Test, { kind: 'null' }>): ValueTest {
  switch (test.kind) {
    case 'compare':
      return comparedWith(test.op, test.value);
    case 'between': {
      const [low, high] = [comparedWith('>=', test.low), comparedWith('<=', test.high)];
      return (value) => low(value) && high(value);
    }
    case 'in': {
      const each = test.values.map((value) => comparedWith('=', value));
      return (value) => each.some((equals) => equals(value));
    }
    case 'contains': {
      const part = textOf(test.text);
      return (value) => scalarText(value)?.includes(part) ?? false;
    }
    case 'regex':
      return matchesPattern(reader, textOf(test.pattern), test.pattern.at);
    case 'includes':
      return ofElements(comparedWith('=', test.value));
    case 'includes_regex':
      return ofElements(matchesPattern(reader, textOf(test.pattern), test.pattern.at));
  }
}

function ofElements(meets: ValueTest): ValueTest {
  return (value) => (Array.isArray(value) ? value.some(meets) : meets(value));
}

function textOf(literal: { readonly kind: string; readonly value?: unknown }): string {
  return String(literal.value);
}
