import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyFaults } from '../../../src/ingest/transforms/copy-fields.ts';
import { messageKeyFaults } from '../../../src/ingest/transforms/custom-message.ts';
import { dropFaults } from '../../../src/ingest/transforms/drop-fields.ts';
import { InferredSchema } from '../../../src/lake/schema/inferred-schema.ts';
import { schemaToFlat } from '../../../src/lake/schema/schema.ts';
import { ServiceError } from '../../../src/platform/errors.ts';
import { rawNumber } from '../../../src/platform/json/json.ts';
import { parseMatcher } from '../../../src/sql/lql/match/matcher.ts';
import { expectWellFormedRows } from '../encode/well-formed-rows.ts';
import { Harness, SOURCE, storedEvent } from '../support.ts';
import { rowsIn, SINK_A, SINK_B, sourceWith } from './support.ts';

const NAMES = ['a', 'b', 'level', 'project', 'metadata', 'm', 'id', 'event_message', 'timestamp'];
const ODD = [
  'message',
  '__proto__',
  'constructor',
  'toString',
  'user-agent',
  '_user_agent',
  '1',
  '',
];
const name = fc.constantFrom(...NAMES, ...ODD);
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('.'));
const noise = fc.string({ unit: 'binary', maxLength: 10 });
const lines = (line: fc.Arbitrary<string>) =>
  fc.array(fc.oneof({ weight: 9, arbitrary: line }, noise), { maxLength: 6 });

const isMatcher = (lql: string): boolean => {
  try {
    parseMatcher(lql);
    return true;
  } catch {
    return false;
  }
};
const lql = fc
  .array(
    fc
      .tuple(
        fc.constantFrom('', '-'),
        path,
        fc.constantFrom(':1', ':x', ':NULL', ':~"."', ':>0', ':@>1', ':@>~x', ':0..9', ':true'),
      )
      .map((parts) => parts.join('')),
    { minLength: 1, maxLength: 2 },
  )
  .map((filters) => filters.join(' '))
  .filter(isMatcher);

const or = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

/** Settings that may be saved. */
const settings = fc.record({
  transform_copy_fields: or(
    lines(fc.tuple(path, path).map((parts) => parts.join(':')))
      .map((all) => all.join('\n'))
      .filter((text) => copyFaults(text).length === 0),
  ),
  transform_drop_fields: or(
    lines(path)
      .map((all) => all.join('\n'))
      .filter((text) => dropFaults(text).length === 0),
  ),
  custom_event_message_keys: or(
    fc
      .array(fc.oneof(path, fc.constantFrom('metadata.list[0].a', 'm.a[1][0]')), { maxLength: 4 })
      .map((keys) => keys.join(', '))
      .filter((text) => messageKeyFaults(text).length === 0),
  ),
  drop_lql_string: or(lql),
  rules: fc
    .array(fc.tuple(lql, fc.constantFrom(SINK_A, SINK_B, 'deleted')), { maxLength: 3 })
    .map((rules) =>
      rules.map(([lql_string, sink], index) => ({ token: `rule-${index}`, lql_string, sink })),
    ),
});

const scalar = fc.oneof(
  fc.constantFrom(
    null,
    '',
    'x',
    '\ud800',
    '\u0000',
    true,
    false,
    0,
    1,
    1.5,
    rawNumber('1'.repeat(20)),
  ),
  noise,
);
const { object } = fc.letrec<{ object: Record<string, unknown>; value: unknown }>((tie) => ({
  object: fc.array(fc.tuple(name, tie('value')), { maxLength: 6 }).map(Object.fromEntries),
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
}));
const events = fc.array(fc.oneof({ weight: 9, arbitrary: object }, scalar), { maxLength: 4 });

async function stored(own: object, sink: object, batch: readonly unknown[]) {
  const harness = new Harness();
  harness.registry.sources.set(SINK_A, sourceWith(sink, SINK_A));
  harness.registry.sources.set(SINK_B, sourceWith({}, SINK_B));
  const outcome = await harness.pipeline.store(sourceWith(own), batch);
  return { harness, outcome };
}

test('any settings make well-formed rows of any events, or refuse them', async () => {
  await fc.assert(
    fc.asyncProperty(settings, settings, events, async (own, sink, batch) => {
      const before = JSON.stringify(batch);
      try {
        const { harness, outcome } = await stored(own, sink, batch);
        const { stored: count, dropped = 0, rejected } = outcome;
        expect(count + dropped + rejected.length).toBe(batch.length);
        expect(rowsIn(harness, SOURCE.token)).toHaveLength(count);
        expectWellFormedRows(harness.rows);
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError);
        expect((error as ServiceError).status).toBeLessThan(500);
      }
      expect(JSON.stringify(batch)).toBe(before);
    }),
    { numRuns: 1000 },
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
});

/** Paths that rows show, with their types. Of `project` they have the text, wherever it was. */
function shown(rows: readonly string[]): Record<string, number> {
  const schema = new InferredSchema('rows');
  for (const row of rows) {
    const { id: _, timestamp: __, event_message: ___, project: ____, ...fields } = storedEvent(row);
    schema.learn(fields);
  }
  // An empty key is stored, but no path can say it.
  return withoutPaths(schemaToFlat(schema.root), /^project\b|(?:^|\.)$/);
}

function withoutPaths(schema: Record<string, number>, pattern: RegExp): Record<string, number> {
  return Object.fromEntries(Object.entries(schema).filter(([path]) => !pattern.test(path)));
}

test('what a source and its sinks learn is what their rows show', async () => {
  await fc.assert(
    fc.asyncProperty(settings, settings, events, async (own, sink, batch) => {
      const { harness } = await stored(own, sink, batch);

      for (const token of [SOURCE.token, SINK_A, SINK_B]) {
        const learned = (await harness.registry.schema(token)).types;
        expect(withoutPaths(learned, /^project\b/)).toEqual(shown(rowsIn(harness, token)));
      }
    }),
    { numRuns: 500 },
  );
});
