import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NormalizedEvent } from '../../../../src/ingest/normalize/normalized-event.ts';
import { Normalizer } from '../../../../src/ingest/normalize/normalizer.ts';
import { InferredSchema } from '../../../../src/lake/schema/inferred-schema.ts';
import { rawNumber } from '../../../../src/platform/json/json.ts';
import { parseMatcher } from '../../../../src/sql/lql/match/matcher.ts';
import { NOW_US, sqlBench } from '../../support.ts';

/**
 * What routes an event is what finds it: the filters of one LQL text, tried in memory and compiled to
 * SQL, over the same stored events.
 */

const words = [
  'a',
  'b',
  'ab',
  'B',
  'error',
  'info',
  'warning',
  'é',
  '\u{1F600}x',
  '\uFFEE',
  '100%',
  '-5',
];
const word = fc.constantFrom(...words);
const number = fc.constantFrom(-5, 0, 1, 2, 2.5, 100, 200, 404, 1e21);
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Each path holds values of one type, as those of one program do. */
const event = fc.record({
  message: some(fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '))),
  kind: some(word),
  count: some(number),
  project: some(fc.oneof(word, fc.nat(3))),
  metadata: some(
    fc.record({
      project: some(fc.oneof(word, fc.boolean())),
      project_ref: some(word),
      level: some(fc.constantFrom('debug', 'info', 'warning', 'error', 'other')),
      n: some(number),
      ok: some(fc.boolean()),
      user: some(fc.record({ id: some(fc.nat(3)), name: some(word) })),
      tags: some(fc.array(word, { maxLength: 3 })),
      codes: some(fc.array(number, { maxLength: 3 })),
      spans: some(fc.array(fc.record({ name: some(word), ms: some(number) }), { maxLength: 3 })),
      day: some(fc.constantFrom('2026-01-01', '2026-01-15', '2026-02-01')),
      big: some(fc.constantFrom('9007199254740993', '9007199254740992', '12').map(rawNumber)),
    }),
  ),
});

const events = fc
  .sample(event, { numRuns: 120, seed: 7 })
  .map((fields, index) => ({ ...fields, id: `e${index}` }));

const bench = sqlBench({ events });
const ENDPOINT = `with app as (select t.id, t.timestamp, t.event_message, t.metadata, t.kind, t.count,
  t.project from events as t) select * from app`;

const DIFFERENT = [
  { id: 'a', metadata: { level: 'info', code: 200 } },
  { id: 'b', metadata: { level: 'warning', code: '200' } },
  { id: 'c', metadata: { other: true } },
  { id: 'd' },
];
const others = sqlBench({ events: DIFFERENT });
const OTHERS = 'with app as (select id, timestamp, metadata from events) select * from app';

const normalizer = new Normalizer();
const stored: readonly NormalizedEvent[] = events.map((fields) =>
  normalizer.open(fields, new InferredSchema('events'), NOW_US / 1000),
);

const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

interface Clause {
  readonly path: string;
  readonly filter: string;
}

const comparison = fc.constantFrom(':', ':>', ':>=', ':<', ':<=');
const of = (paths: readonly string[], test: fc.Arbitrary<string>): fc.Arbitrary<Clause> =>
  fc.tuple(fc.constantFrom(...paths), test).map(([path, asked]) => ({
    path,
    filter: path === 'message' ? asked : `${path}${asked}`,
  }));

const TEXTS = ['kind', 'project', 'event_message', 'm.level', 'm.user.name', 'm.spans.name'];
const NUMBERS = ['count', 'm.n', 'm.user.id', 'm.spans.ms'];
const pattern = fc.constantFrom('a', '^a', 'b$', '(?i)b', 'a|é', '^.$', '\\d', '[^a]', '\\bx', '');
const numeral = number.filter((value) => value < 1e21).map((value) => quoted(String(value)));

const clause: fc.Arbitrary<Clause> = fc.oneof(
  of(
    ['message'],
    fc.oneof(
      word.map(quoted),
      pattern.filter(Boolean).map((p) => `~${quoted(p)}`),
    ),
  ),
  of(
    TEXTS,
    fc.tuple(comparison, word).map(([op, value]) => `${op}(${value})`),
  ),
  of(
    TEXTS,
    pattern.map((value) => `:~${quoted(value)}`),
  ),
  of(
    NUMBERS,
    fc.tuple(comparison, numeral).map(([op, value]) => `${op}${value}`),
  ),
  of(NUMBERS, fc.constantFrom(':0..100', ':2.5..404', ':200..200')),
  of(
    NUMBERS,
    pattern.map((value) => `:~${quoted(value)}`),
  ),
  of(['m.ok'], fc.constantFrom(':true', ':false', ':~tr')),
  of(['m.level'], fc.constantFrom(':info..error', ':debug..debug', ':warning..emergency')),
  of(['m.day'], fc.constantFrom(':2026-01-01..2026-01-31', ':>2026-01-10')),
  of(['m.big'], fc.constantFrom(':9007199254740993', ':12')),
  of(
    ['m.tags'],
    word.map((value) => `:@>(${value})`),
  ),
  of(
    ['m.tags'],
    pattern.map((value) => `:@>~${quoted(value)}`),
  ),
  of(
    ['m.codes'],
    numeral.map((value) => `:@>${value}`),
  ),
  of([...TEXTS, ...NUMBERS, 'm.ok', 'm.tags', 'm.user'], fc.constant(':NULL')).filter(
    ({ path }) => path !== 'm',
  ),
);

async function found(lql: string): Promise<Set<unknown>> {
  const rows = await bench.rows(ENDPOINT, { consumerLql: `f:app s:id ${lql}` });
  return new Set(rows.map(({ id }) => id));
}

test('a filter and its negation keep the events that a query finds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(clause, fc.boolean()), { minLength: 1, maxLength: 3 }),
      async (clauses) => {
        const lql = clauses.map(([{ filter }, negated]) => (negated ? '-' : '') + filter).join(' ');
        // The one difference between these events: what a negated filter makes of a missing field.
        const negatedPaths = clauses
          .filter(([{ filter }, negated]) => negated && !filter.endsWith(':NULL'))
          .map(([{ path }]) => parseMatcher(`${path === 'message' ? 'event_message' : path}:NULL`));
        const comparable = stored.filter(
          ({ fields }) => !negatedPaths.some((isMissing) => isMissing(fields)),
        );
        const inQuery = await found(lql);

        const matches = parseMatcher(lql);

        const ids = comparable.map(({ fields }) => fields.id);
        const kept = comparable
          .filter(({ fields }) => matches(fields))
          .map(({ fields }) => fields.id);
        expect(kept, lql).toEqual(ids.filter((id) => inQuery.has(id)));
      },
    ),
    { numRuns: 300 },
  );
}, 120_000);

describe('where filters mean something else in memory than in a query', () => {
  const matched = (lql: string): unknown[] => {
    const matches = parseMatcher(lql);
    return DIFFERENT.filter((fields) => matches(fields)).map(({ id }) => id);
  };
  const queried = async (lql: string): Promise<unknown[]> => {
    const rows = await others.rows(OTHERS, { consumerLql: `f:app s:id ${lql}` });
    return rows.map(({ id }) => id).sort();
  };

  test.each([
    [
      'a field that is missing does not meet a negated filter',
      '-m.level:info',
      ['b'],
      ['b', 'c', 'd'],
    ],
    ['a number is not equal to its text', 'm.code:200', ['a'], ['a', 'b']],
    ['a scalar counts as a list of one', 'm.level:@>info', ['a'], []],
    ['times are ignored', 'm.level:info t:<2020-01-01', ['a'], []],
  ])('%s: %s', async (_, lql, inMemory, inQuery) => {
    expect(matched(lql)).toEqual(inMemory);
    expect(await queried(lql)).toEqual(inQuery);
  });
});
