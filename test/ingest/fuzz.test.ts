import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import { FORMATS } from '../../src/ingest/formats/index.ts';
import { LANDING_COLUMNS, type LakeType } from '../../src/lake/columns.ts';
import { Harness } from './support.ts';

/** Keys and values that the code treats in ways of their own, among arbitrary ones. */
const key = fc.oneof(
  fc.constantFrom(
    'id',
    'timestamp',
    'message',
    'event_message',
    'log_entry',
    'metadata',
    'project',
  ),
  fc.constantFrom(
    'batch',
    'source',
    'source_name',
    'project_ref',
    'request',
    'response',
    'headers',
  ),
  fc.constantFrom('body', 'typecasts', 'EdgeStartTimestamp', 'Datetime'),
  fc.constantFrom('level', 'status_code', 'origin_time', 'path', 'user-agent', 'cf', 'parsed'),
  fc.constantFrom('__proto__', 'constructor', 'toJSON', 'rawJSON', '', 'a-b', 'a.b', '_a_b'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const scalar = fc.oneof(
  fc.constantFrom(null, '', [], {}, true, false, 0, 7, 1.5, 1713268565, 1713268565764),
  fc.constantFrom('2024-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '\ud800', '\u0000', '\u2028\n'),
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 8 }).map(Object.fromEntries),
  ),
}));
/** JSON text, some of its integers too long for a double. */
const body = fc.tuple(value, fc.bigInt()).map(([json, integer]) => {
  return JSON.stringify(json).replaceAll(/(?<=[:,[])7(?=[,}\]])/g, String(integer));
});

const COLUMNS: ReadonlyMap<string, LakeType> = new Map(
  LANDING_COLUMNS.map(({ name, type }) => [name, type]),
);

const FITS: Readonly<Record<LakeType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string' && value.isWellFormed(),
  bigint: (value) => Number.isInteger(value),
  double: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  timestamp: (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/.test(value),
};

function isCleaned(json: unknown): boolean {
  if (Array.isArray(json)) return json.length > 0 && json.every(isCleaned);
  if (typeof json !== 'object') return json !== '';
  if (json === null) return false;
  const entries = Object.entries(json);
  return (
    entries.length > 0 && entries.every(([name, member]) => /^\w*$/.test(name) && isCleaned(member))
  );
}

test.each(['', '/json', '/cloudflare', '/typecasts', '/vector'])(
  'any JSON posted to "%s" gives well-formed rows or a ServiceError',
  async (path) => {
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const harness = new Harness();
        try {
          const { stored } = await harness.post(text, path);
          expect(harness.rows).toHaveLength(stored);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
        }
        for (const row of harness.rows) {
          expect(row).not.toContain('\n');
          const columns = JSON.parse(row);
          for (const [name, column] of Object.entries(columns)) {
            const type = COLUMNS.get(name);
            expect(
              type !== undefined && FITS[type](column),
              `${name}: ${JSON.stringify(column)}`,
            ).toBe(true);
          }
          if (columns.metadata !== undefined)
            expect(isCleaned(JSON.parse(columns.metadata))).toBe(true);
          if (columns.body !== undefined) expect(isCleaned(JSON.parse(columns.body))).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  },
);

const path = fc.constantFrom(...FORMATS.map((format) => format.path));
const contentType = fc.constantFrom(
  undefined,
  'application/json',
  'application/x-ndjson',
  'application/x-www-form-urlencoded',
  'text/plain; charset=utf-8',
);
/** Lines of JSON, of white space, and of what looks like neither. */
const lines = fc
  .array(fc.oneof(body, fc.constantFrom('', '\r', ' ', '{', '\ufeff{}', 'a=b&__proto__=c')), {
    maxLength: 5,
  })
  .map((texts) => Buffer.from(texts.join('\n')));

test('any bytes posted give rows or a ServiceError', async () => {
  const bytes = fc.oneof(fc.uint8Array(), lines);
  await fc.assert(
    fc.asyncProperty(bytes, path, contentType, async (sent, route, type) => {
      const harness = new Harness();
      await harness.post(sent, route, { contentType: type }).catch((error: unknown) => {
        expect(error).toBeInstanceOf(ServiceError);
      });
      for (const row of harness.rows) expect(() => JSON.parse(row)).not.toThrow();
    }),
    { numRuns: 500 },
  );
});

test('any typecasts give a row or a refusal, and leave prototypes alone', async () => {
  const typecast = fc.record({
    path: fc.array(fc.oneof(key, value), { maxLength: 4 }),
    from: fc.constant('string'),
    to: fc.constant('float'),
  });
  const element = fc.record({ body: value, typecasts: fc.oneof(fc.array(typecast), value) });
  await fc.assert(
    fc.asyncProperty(fc.array(element, { maxLength: 4 }), async (batch) => {
      const harness = new Harness();
      const { stored, rejected } = await harness.post({ batch }, '/typecasts');
      expect(stored + rejected.length).toBe(batch.length);
      expect(harness.rows).toHaveLength(stored);
    }),
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test('an event stored once is stored the same again', async () => {
  const name = fc.stringMatching(/^[a-zA-Z_][a-z0-9_]{0,6}$/);
  const json = fc.dictionary(
    name,
    fc.oneof(fc.string({ minLength: 1 }), fc.integer(), fc.boolean()),
  );
  await fc.assert(
    fc.asyncProperty(json, async (event) => {
      const harness = new Harness();
      await harness.store([{ ...event, timestamp: 1 }]);
      await harness.store(harness.events);
      expect(harness.events[1]).toEqual(harness.events[0]);
    }),
  );
});
