import { AGGREGATES, type Clause, PERIODS, type Period } from './clause.ts';
import { PATH, pathOf } from './path.ts';
import { type Scanner, shown } from './scanner.ts';

const KEYWORD = /(?:chart|c):(?=[A-Za-z_0-9]+\()/y;
const GROUP = /group_by\((?:timestamp|t)::([a-z]+)\)/y;
const AGGREGATE = new RegExp(`(${AGGREGATES.join('|')})\\((\\*|${PATH.source})\\)`, 'y');
const SHORT: Readonly<Record<string, Period>> = { s: 'second', m: 'minute', h: 'hour', d: 'day' };

/**
 * Parses `c:count(*)` or `c:group_by(t::minute)`. `c:x` without parentheses is a filter on a column
 * named `c`; anything else that looks like a call is refused, where upstream reads it as that filter.
 *
 * @returns undefined, and no step, where no chart stands.
 * @throws SqlError `lql_syntax`.
 */
export function parseChart(reader: Scanner): Clause | undefined {
  const { at } = reader;
  if (reader.take(KEYWORD) === undefined) return undefined;
  const written = reader.take(GROUP)?.[1];
  const period = PERIODS.find((name) => name === written) ?? SHORT[written ?? ''];
  if (period !== undefined) return { kind: 'period', at, period };
  const pathAt = reader.at + (reader.look(/[a-z0-9]+\(/y)?.[0].length ?? 0);
  const [, name, argument = '*'] = reader.take(AGGREGATE) ?? [];
  const aggregate = AGGREGATES.find((known) => known === name);
  if (written !== undefined || aggregate === undefined) {
    throw reader.fail(
      `${shown(reader.rest(at))} is not a chart: write c:group_by(t::second), minute, hour or day, or one of ${AGGREGATES.join(', ')} of a field, as in c:avg(metadata.latency), with no blanks inside`,
      at,
    );
  }
  if (argument === '*' && aggregate !== 'count') {
    throw reader.fail(`${aggregate} needs a field: write c:${aggregate}(field)`, at);
  }
  const path = argument === '*' ? undefined : pathOf(reader, argument, pathAt);
  return { kind: 'aggregate', at, aggregate, path };
}
