import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type NamedSource, viewNames } from '../../../src/lake/views/names.ts';

const token = (start: string): string => `${start}-0000-4000-8000-000000000000`;

function aSource(name: string, fields: Partial<NamedSource> = {}): NamedSource {
  return { token: token('aaaaaaaa'), insertedAt: '2026-01-01T00:00:00.000Z', ...fields, name };
}

const nameOf = (name: string): string | undefined =>
  viewNames([aSource(name)]).get(token('aaaaaaaa'));

describe('the view of a source', () => {
  test.each([
    ['cloudflare.logs.prod', 'cloudflare_logs_prod'],
    ['postgREST.logs.prod', 'postgrest_logs_prod'],
    ['deno-relay-logs', 'deno_relay_logs'],
    ['My App (EU)', 'my_app__eu_'],
    ['Größe', 'gr__e'],
    ['2024-logs', 'source_2024_logs'],
    ['_internal', 'source__internal'],
    ['日本', 'source___'],
  ])('%s is called %s', (name, expected) => {
    expect(nameOf(name)).toBe(expected);
  });

  test.each(['log_events', 'log_events_compacted', 'failed_events', 'events', 'Sources'])(
    '%s is a name that is taken',
    (name) => {
      expect(nameOf(name)).toBe(`${name.toLowerCase()}_aaaaaaaa`);
    },
  );

  test('of the older of two that read alike keeps the plain name, whatever their order', () => {
    const older = aSource('app.logs', { token: token('cccccccc') });
    const newer = aSource('app-logs', { insertedAt: '2026-01-02T00:00:00.000Z' });

    for (const sources of [
      [older, newer],
      [newer, older],
    ]) {
      expect(viewNames(sources)).toEqual(
        new Map([
          [older.token, 'app_logs'],
          [newer.token, 'app_logs_aaaaaaaa'],
        ]),
      );
    }
  });

  test('gets its whole token when the start of it is not enough', () => {
    const first = aSource('app_aaaaaaaa', { token: token('bbbbbbbb') });
    const second = aSource('app', { token: token('cccccccc') });
    const third = aSource('APP', { insertedAt: '2026-01-02T00:00:00.000Z' });

    expect(viewNames([first, second, third]).get(third.token)).toBe(
      'app_aaaaaaaa000040008000000000000000',
    );
  });
});

test('names are valid, short enough and different, and a new source takes none away', () => {
  const name = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 255 }),
    fc.constantFrom('events', 'a.b', 'a-b', 'A_B', 'a_b_aaaaaaaa', ' '),
  );
  const source = fc.record({
    token: fc.uuid({ version: 4 }),
    name,
    insertedAt: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'),
  });
  const sources = fc.uniqueArray(source, { selector: (one) => one.token, maxLength: 12 });

  fc.assert(
    fc.property(sources, fc.uuid({ version: 4 }), name, (known, freshToken, freshName) => {
      fc.pre(known.every((one) => one.token !== freshToken));
      const before = viewNames(known);
      const fresh = { token: freshToken, name: freshName, insertedAt: '2026-02-01T00:00:00.000Z' };
      const after = viewNames([fresh, ...known]);

      expect(new Set(after.values()).size).toBe(known.length + 1);
      for (const one of after.values()) expect(one).toMatch(/^[a-z][a-z0-9_]{0,254}$/);
      for (const [id, plain] of before) expect(after.get(id)).toBe(plain);
    }),
  );
});
