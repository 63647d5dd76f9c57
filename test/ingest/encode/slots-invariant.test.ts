/**
 * The invariant that queries rely on: whatever instances of ingest do at once, however the registry fails
 * them, and whatever maps they hold, each row has its values in the slots that the registry gives in the end.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SourceSchema } from '../../../src/catalog/source-schema.ts';
import type { Registry } from '../../../src/catalog/types.ts';
import { IngestPipeline } from '../../../src/ingest/pipeline.ts';
import { slotColumn } from '../../../src/lake/layout/columns.ts';
import { typeOf } from '../../../src/lake/schema/inferred-schema.ts';
import { typedPaths } from '../../../src/lake/schema/schema.ts';
import { SchemaInference } from '../../../src/lake/schema/schema-inference.ts';
import { OBJECT_MARK, SlotMap } from '../../../src/lake/schema/slots.ts';
import { isPlainObject, parseJson } from '../../../src/platform/json/json.ts';
import { MemorySchemas } from '../../support/memory-schemas.ts';
import { MemoryLogger, NOW_MS, SOURCE } from '../support.ts';

type Schemas = Pick<Registry, 'schema' | 'learn' | 'assignSlots'>;

/** What becomes of a call to the registry. */
type Fate = 'answered' | 'lost before' | 'lost after';

interface Request {
  readonly instance: number;
  /** Whether the instance begins anew, with what the registry has by then. */
  readonly restarts: boolean;
  readonly events: readonly object[];
}

/** Calls of one registry by all instances, each of which begins, and ends, when the scheduler says so. */
function scheduled(schemas: Schemas, scheduler: fc.Scheduler, fates: Iterator<Fate>): Schemas {
  const call = async <T>(run: () => Promise<T>): Promise<T> => {
    const fate = fates.next().value ?? 'answered';
    await scheduler.schedule(Promise.resolve(), 'begins');
    if (fate === 'lost before') throw new Error('the call was lost');
    const answer = await run();
    await scheduler.schedule(Promise.resolve(), 'answers');
    if (fate === 'lost after') throw new Error('the answer was lost');
    return answer;
  };
  return {
    schema: (token) => call(() => schemas.schema(token)),
    learn: (token, added) => call(() => schemas.learn(token, added)),
    assignSlots: (token, known, added) => call(() => schemas.assignSlots(token, known, added)),
  };
}

async function run(
  requests: readonly Request[],
  scheduler: fc.Scheduler,
  fates: readonly Fate[],
): Promise<{ rows: string[]; refused: number; final: SourceSchema }> {
  const schemas = new MemorySchemas();
  const registry = scheduled(schemas, scheduler, fates[Symbol.iterator]());
  const rows: string[] = [];
  const start = () =>
    new IngestPipeline({
      sink: { write: async (written) => void rows.push(...written) },
      inference: new SchemaInference({ registry, logger: new MemoryLogger() }),
      registry: { sourceByToken: async () => undefined },
      clock: { now: () => NOW_MS },
      logger: new MemoryLogger(),
    });
  const instances = [start(), start(), start()];
  let refused = 0;
  const serve = async ({ instance, restarts, events }: Request): Promise<void> => {
    await scheduler.schedule(Promise.resolve(), 'a request');
    if (restarts) instances[instance] = start();
    await instances[instance]?.store(SOURCE, events).catch(() => refused++);
  };
  await scheduler.waitFor(Promise.all(requests.map(serve)));
  return { rows, refused, final: await schemas.schema(SOURCE.token) };
}

/** Scalars and objects of a JSON value outside of lists, by path. */
function valuesOf(value: unknown, path: string): [path: string, value: unknown][] {
  if (!isPlainObject(value)) return Array.isArray(value) ? [] : [[path, value]];
  const members = Object.entries(value).flatMap(([key, member]) =>
    valuesOf(member, path === '' ? key : `${path}.${key}`),
  );
  return path === '' ? members : [[path, value], ...members];
}

function shownBy(row: Record<string, string>): [path: string, value: unknown][] {
  const { metadata, body } = row;
  return [
    ...(metadata === undefined ? [] : valuesOf(parseJson(metadata), 'metadata')),
    ...(body === undefined ? [] : valuesOf(parseJson(body), '')),
  ];
}

/** What a row has to have in slots by the map of a registry. */
function slotsBy(slots: SlotMap, shown: [path: string, value: unknown][]): Record<string, string> {
  const filled = shown.flatMap(([path, value]) =>
    typedPaths(path, typeOf(value)).map((typed): [number | undefined, string] => [
      slots.slotOf(typed),
      isPlainObject(value) ? OBJECT_MARK : String(value),
    ]),
  );
  return Object.fromEntries(
    filled.flatMap(([slot, text]) => (slot === undefined ? [] : [[slotColumn(slot), text]])),
  );
}

function expectAllInSlots(rows: readonly string[], { types, slots }: SourceSchema): void {
  const map = new SlotMap(slots);
  for (const text of rows) {
    const row = JSON.parse(text) as Record<string, string>;
    const shown = shownBy(row);
    const filled = Object.entries(row).filter(([name]) => /^s\d{3}$/.test(name));
    expect(Object.fromEntries(filled)).toEqual(slotsBy(map, shown));
    const unknown = shown.filter(([path, value]) => ((types[path] ?? 0) & typeOf(value)) === 0);
    expect(unknown).toEqual([]);
  }
}

const scalar = fc.constantFrom('x', 'a "quoted" text', 7, 1.5, -0, 1e21, true, false);
const key = fc.constantFrom('a', 'b', 'c', 'level', 'status', 'id_1234567', 'project');

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}));

/** So many fields that objects, and the whole source, run out of slots. */
const wide = fc
  .record({ parent: key, fields: fc.uniqueArray(fc.nat(70), { minLength: 30, maxLength: 60 }) })
  .map(({ parent, fields }) => ({
    metadata: { [parent]: Object.fromEntries(fields.map((n) => [`field_${n}`, n % 3 ? n : 'x'])) },
  }));

const event = fc.oneof(
  { weight: 6, arbitrary: fc.record({ metadata: value, level: value }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: wide },
);

const requests = fc.array(
  fc.record({
    instance: fc.nat(2),
    restarts: fc.boolean(),
    events: fc.array(event, { minLength: 1, maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 12 },
);

const fates = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.constant<Fate>('answered') },
    { weight: 1, arbitrary: fc.constantFrom<Fate>('lost before', 'lost after') },
  ),
  { maxLength: 60 },
);

describe('each row has its values in the slots that the registry gives in the end', () => {
  test('whatever instances do at once, and whichever calls are lost', async () => {
    const seen = { rows: 0, refused: 0, full: 0 };

    await fc.assert(
      fc.asyncProperty(requests, fc.scheduler(), fates, async (all, scheduler, lost) => {
        const { rows, refused, final } = await run(all, scheduler, lost);

        expectAllInSlots(rows, final);
        seen.rows += rows.length;
        seen.refused += refused;
        seen.full += final.slots.length === 128 ? 1 : 0;
      }),
      { numRuns: 300 },
    );

    expect(seen.rows).toBeGreaterThan(1000);
    expect(seen.refused).toBeGreaterThan(50);
    expect(seen.full).toBeGreaterThan(3);
  });
});
