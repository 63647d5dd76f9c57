import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SLOT_COUNT, slotColumn } from '../../../src/lake/layout/columns.ts';
import {
  MAX_OBJECT_KEYS,
  MAX_SLOT_DEPTH,
  SlotMap,
  type TypedPath,
} from '../../../src/lake/schema/slots.ts';

const string = (path: string): TypedPath => ({ path, type: 'string' });
const object = (path: string): TypedPath => ({ path, type: 'object' });

/** Words that meet often, a list, and a key that is an id. */
const PART = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('a', 'b', 'c', 'd', 'metadata', 'items[]', '_20240131') },
  { weight: 1, arbitrary: fc.stringMatching(/^[a-z]{1,3}$/) },
);
const TYPED_PATH = fc.record({
  path: fc
    .array(PART, { minLength: 1, maxLength: MAX_SLOT_DEPTH + 2 })
    .map((parts) => parts.join('.')),
  type: fc.constantFrom('string', 'number', 'boolean', 'object'),
});
const PATHS = fc.array(TYPED_PATH, { maxLength: 200 });

test('slots are the columns s000 to s127', () => {
  expect([slotColumn(0), slotColumn(SLOT_COUNT - 1)]).toEqual(['s000', 's127']);
});

describe('a map', () => {
  test('gives slots in the order in which paths are shown, objects before what they hold', () => {
    const map = new SlotMap().extendedBy([string('metadata.request.path'), string('level')]);

    expect(map.entries).toEqual([
      'metadata=object',
      'metadata.request=object',
      'metadata.request.path=string',
      'level=string',
    ]);
    expect(map.slotOf(string('level'))).toBe(3);
  });

  test('gives each type of a path its own slot, once', () => {
    const shown: TypedPath[] = [string('status'), { path: 'status', type: 'number' }];

    const map = new SlotMap().extendedBy(shown).extendedBy(shown);

    expect(map.entries).toEqual(['status=string', 'status=number']);
  });

  test('gives none to lists, to what is too deep or too long, and to keys that are ids', () => {
    const deep = Array.from({ length: MAX_SLOT_DEPTH + 1 }, () => 'a').join('.');
    const shown = [
      'tags[]',
      'items[].name',
      deep,
      'x'.repeat(501),
      '_20240131',
      'by.user_88412.age',
    ];

    const map = new SlotMap().extendedBy(shown.map(string));

    expect(shown.map((path) => map.slotOf(string(path)))).toEqual(shown.map(() => undefined));
    expect(shown.map((path) => map.isOpen(string(path)))).toEqual(shown.map(() => false));
  });

  test('gives slots to so many keys of one object, and leaves the others for other objects', () => {
    const keys = Array.from({ length: 10_000 }, (_, index) => string(`users.${name(index)}`));

    const map = new SlotMap().extendedBy(keys).extendedBy([string('level')]);

    expect(map.entries).toHaveLength(1 + MAX_OBJECT_KEYS + 1);
    expect(map.slotOf(string('level'))).toBe(1 + MAX_OBJECT_KEYS);
  });

  test('gives slots to a quarter as many keys that hold objects, and to nothing below the others', () => {
    const keys = Array.from({ length: 10_000 }, (_, index) => string(`users.${name(index)}.age`));

    const map = new SlotMap().extendedBy(keys).extendedBy([string('level')]);

    expect(map.entries.filter((entry) => entry.endsWith('.age=string'))).toHaveLength(
      MAX_OBJECT_KEYS / 4,
    );
    expect(map.slotOf(string('level'))).toBeDefined();
  });

  test('is refused where an entry is none', () => {
    expect(() => new SlotMap(['metadata.level'])).toThrow('a path and a type');
    expect(() => new SlotMap(['=string'])).toThrow('a path and a type');
    expect(() => new SlotMap(['a=list'])).toThrow('a path and a type');
  });
});

describe('of any paths', () => {
  test('a longer map says of each path what the shorter one said, unless that was open', () => {
    fc.assert(
      fc.property(PATHS, PATHS, PATHS, (before, later, asked) => {
        const shorter = new SlotMap().extendedBy(before);
        const longer = shorter.extendedBy(later);

        expect(longer.entries.slice(0, shorter.entries.length)).toEqual(shorter.entries);
        for (const path of [...asked, ...later].filter((item) => !shorter.isOpen(item))) {
          expect(longer.slotOf(path)).toBe(shorter.slotOf(path));
          expect(longer.isOpen(path)).toBe(false);
        }
      }),
    );
  });

  test('nothing that was given stays open, and no more is given than there are slots', () => {
    fc.assert(
      fc.property(PATHS, (paths) => {
        const map = new SlotMap().extendedBy(paths);

        expect(paths.filter((path) => map.isOpen(path))).toEqual([]);
        expect(map.entries.length).toBeLessThanOrEqual(SLOT_COUNT);
        expect(new Set(map.entries).size).toBe(map.entries.length);
      }),
    );
  });

  test('a map read again from its entries is the same', () => {
    fc.assert(
      fc.property(PATHS, PATHS, (paths, asked) => {
        const map = new SlotMap().extendedBy(paths);
        const again = new SlotMap(map.entries);

        for (const path of [...paths, ...asked]) {
          expect(again.slotOf(path)).toBe(map.slotOf(path));
          expect(again.isOpen(path)).toBe(map.isOpen(path));
        }
      }),
    );
  });

  test('what has a slot lies in objects that have theirs', () => {
    fc.assert(
      fc.property(PATHS, (paths) => {
        const map = new SlotMap().extendedBy(paths);
        const given = paths.filter((path) => map.slotOf(path) !== undefined);

        for (const { path } of given.filter((item) => item.path.includes('.'))) {
          expect(map.slotOf(object(path.slice(0, path.lastIndexOf('.'))))).toBeDefined();
        }
      }),
    );
  });
});

/** Letters alone: keys with many digits are known as ids at once. */
function name(index: number): string {
  return index.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');
}
