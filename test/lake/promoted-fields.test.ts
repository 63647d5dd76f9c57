import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  FIELD_TYPES,
  fieldFaults,
  formatFields,
  isAddedColumn,
  MAX_FIELDS,
  type PromotedField,
  parseFields,
  promotedColumns,
} from '../../src/lake/promoted-fields.ts';

const field = (path: string, type: PromotedField['type'] = 'STRING'): PromotedField => ({
  path,
  type,
});

describe('the column of a promoted field', () => {
  test.each<[string, PromotedField['type'], string, string]>([
    ['metadata.tenant', 'STRING', 'metadata_tenant', 'string'],
    ['metadata.user.Age', 'INT64', 'metadata_user_age_int64', 'bigint'],
    ['metadata.ratio', 'FLOAT64', 'metadata_ratio_float64', 'double'],
    ['sampled', 'BOOL', 'body_sampled_bool', 'boolean'],
    ['resource.service_name', 'STRING', 'body_resource_service_name', 'string'],
  ])('%s as %s is %s of type %s', (path, type, name, lakeType) => {
    expect(promotedColumns([field(path, type)])[0]).toEqual({
      name,
      type: lakeType,
      path: path.split('.'),
      holds: 'value',
      comment: `copy of ${path}`,
    });
    expect(isAddedColumn(name)).toBe(true);
  });

  test('comes with those of the objects around it that are not promoted yet', () => {
    const fields = [
      field('metadata.request.a.b.c'),
      field('metadata.request.a.d'),
      field('resource.e'),
    ];

    expect(promotedColumns(fields).slice(3)).toEqual([
      {
        name: 'metadata_request_a_object',
        type: 'boolean',
        path: ['metadata', 'request', 'a'],
        holds: 'object',
        comment: 'true where metadata.request.a is an object',
      },
      expect.objectContaining({ name: 'metadata_request_a_b_object' }),
      expect.objectContaining({ name: 'body_resource_object', path: ['resource'] }),
    ]);
  });

  test('is told from those that hold what nothing else holds', () => {
    for (const name of ['metadata', 'body', 'id', 'project', 'event_message', 'landed_hour']) {
      expect(isAddedColumn(name)).toBe(false);
    }
  });
});

describe('a field that cannot be promoted', () => {
  test.each<[string, RegExp]>([
    ['metadata', /is an object/],
    ['timestamp', /begins with timestamp/],
    ['message', /begins with message/],
    ['id.x', /begins with id/],
    ['project', /begins with project/],
    ['metadata.level', /promoted already, as the column level/],
    ['metadata.request', /is an object/],
    ['metadata.user-agent', /names as they are stored/],
    ['metadata.1st', /names as they are stored/],
    ['metadata..x', /names as they are stored/],
    ['', /names as they are stored/],
    [`metadata.${'x'.repeat(200)}`, /names as they are stored/],
    [Array(21).fill('a').join('.'), /more than 20 parts/],
  ])('%s: %s', (path, fault) => {
    expect(fieldFaults([field('metadata.fine'), field(path)])).toEqual([
      { index: 1, fault: expect.stringMatching(fault) },
    ]);
  });

  test.each([
    ['metadata.a.b', 'metadata.a_b'],
    ['metadata.tenant', 'metadata.Tenant'],
    ['tenant', 'tenant'],
    ['metadata.a.b', 'metadata.a_object'],
    ['metadata.a_b.c', 'metadata.a.b.c'],
  ])('%s and %s would share a column', (first, second) => {
    expect(fieldFaults([field(first), field(second)])).toEqual([
      { index: 1, fault: expect.stringMatching(/^and \S+ would share the column \w+$/) },
    ]);
  });

  test('is one too many', () => {
    const fields = Array.from({ length: MAX_FIELDS + 1 }, (_, n) => field(`metadata.f${n}`));

    expect(fieldFaults(fields.slice(1))).toEqual([]);
    expect(fieldFaults(fields)).toEqual([
      { index: MAX_FIELDS, fault: 'is one of 51 fields; 50 may be promoted' },
    ]);
  });

  test('makes the list too long for the variables of a function', () => {
    const fields = Array.from({ length: 20 }, (_, n) => field(`metadata.${'f'.repeat(100)}${n}`));

    expect(fieldFaults(fields)).toEqual([{ index: 19, fault: expect.stringContaining('2000') }]);
  });
});

describe('fields as text', () => {
  test.each<[string, PromotedField[]]>([
    ['', []],
    ['metadata.tenant', [field('metadata.tenant')]],
    [' metadata.tenant ,\n size:INT64,', [field('metadata.tenant'), field('size', 'INT64')]],
  ])('%j', (text, fields) => {
    expect(parseFields(text)).toEqual(fields);
  });

  test.each<[string, RegExp]>([
    ['metadata.at:TIMESTAMP', /one of STRING, INT64, FLOAT64, BOOL/],
    ['metadata.a:STRING:x', /must be a path/],
    ['a b', /a b must be names/],
    ['metadata.level', /metadata.level is promoted already/],
  ])('%j is refused', (text, message) => {
    expect(() => parseFields(text)).toThrow(message);
  });

  test('come back as they were written', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/);
    const fields = fc.array(
      fc.record({
        path: fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.')),
        type: fc.constantFrom(...FIELD_TYPES),
      }),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(fields, (some) => {
        fc.pre(fieldFaults(some).length === 0);
        expect(parseFields(formatFields(some))).toEqual(some);
      }),
    );
  });

  test('of any kind are read or refused with a sentence', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab._:,- INT64STRING\u00e9') });
    fc.assert(
      fc.property(text, (some) => {
        try {
          expect(fieldFaults(parseFields(some))).toEqual([]);
        } catch (error) {
          expect((error as Error).message).toMatch(/\w+ .+/);
        }
      }),
    );
  });
});
