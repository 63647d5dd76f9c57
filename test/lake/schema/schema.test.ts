import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  JsonType,
  schemaAt,
  schemaFromFlat,
  schemaToFlat,
} from '../../../src/lake/schema/schema.ts';

describe('an inferred schema', () => {
  const flat = {
    level: JsonType.string,
    metadata: JsonType.object,
    'metadata.tags': JsonType.list,
    'metadata.tags[]': JsonType.string | JsonType.int,
    'metadata.items[][]': JsonType.list,
    'metadata.items[].name': JsonType.string,
  };

  test('finds what was seen at a path, list elements under []', () => {
    const schema = schemaFromFlat(flat);
    expect(schemaAt(schema, ['metadata', 'tags', '[]'])?.mask).toBe(JsonType.string | JsonType.int);
    expect(schemaAt(schema, ['metadata', 'items', '[]', 'name'])?.mask).toBe(JsonType.string);
    expect(schemaAt(schema, ['metadata', 'nothing', 'here'])).toBeUndefined();
  });

  test('a path that was only passed through has shown no type of its own', () => {
    expect(schemaAt(schemaFromFlat(flat), ['metadata', 'items'])?.mask).toBe(0);
  });

  test('survives the way through its flat form, whatever its keys are called', () => {
    const key = fc.stringMatching(/^[A-Za-z0-9_]{1,8}$/);
    const names = fc.oneof(key, fc.constantFrom('__proto__', 'constructor', 'hasOwnProperty'));
    const paths = fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
    fc.assert(
      fc.property(fc.array(fc.tuple(paths, fc.integer({ min: 1, max: 63 }))), (entries) => {
        const once = schemaToFlat(schemaFromFlat(Object.fromEntries(entries)));
        const twice = schemaToFlat(schemaFromFlat(once));
        expect(new Map(Object.entries(twice))).toEqual(new Map(Object.entries(once)));
        for (const [path, mask] of Object.entries(Object.fromEntries(entries))) {
          expect(Object.getOwnPropertyDescriptor(once, path)?.value).toBe(mask);
        }
      }),
    );
  });
});
