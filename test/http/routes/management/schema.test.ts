import { describe, expect, test } from 'vitest';
import {
  columnsByPath,
  dottedSchema,
  jsonSchema,
} from '../../../../src/http/routes/management/json-schema.ts';
import { JsonType, schemaFromFlat, sourceSchema } from '../../../../src/lake/schema/schema.ts';

const { string, int, float, bool, object, list } = JsonType;

const SOURCE = { token: '11111111-1111-4111-8111-111111111111', name: 'web' };

function propertiesOf(flat: Record<string, number>) {
  const document = jsonSchema(SOURCE, schemaFromFlat(flat));
  expect(document).toHaveProperty('properties');
  const { id, timestamp, event_message, ...learned } = Object(document).properties;
  expect({ id, timestamp, event_message }).toEqual({
    id: { type: 'string' },
    timestamp: { type: 'number' },
    event_message: { type: 'string' },
  });
  return learned;
}

function dotted(flat: Record<string, number>) {
  const { id, timestamp, event_message, ...learned } = Object(dottedSchema(schemaFromFlat(flat)));
  expect({ id, timestamp, event_message }).toEqual({
    id: 'string',
    timestamp: 'datetime',
    event_message: 'string',
  });
  return learned;
}

describe('JSON Schema', () => {
  test.each([
    ['a text', { a: string }, { a: { type: 'string' } }],
    ['an integer', { a: int }, { a: { type: 'number' } }],
    ['a number of both kinds', { a: int | float }, { a: { type: 'number' } }],
    ['a boolean', { a: bool }, { a: { type: 'boolean' } }],
    ['several types', { a: string | int }, { a: { type: ['string', 'number'] } }],
    ['an empty object', { a: object }, { a: { type: 'object', properties: {} } }],
    ['an empty list', { a: list }, { a: { type: 'array' } }],
    ['a list', { a: list, 'a[]': string }, { a: { type: 'array', items: { type: 'string' } } }],
    [
      'a list of objects',
      { a: list, 'a[]': object, 'a[].b': bool },
      {
        a: {
          type: 'array',
          items: { type: 'object', properties: { b: { type: 'boolean' } } },
        },
      },
    ],
    [
      'an object of which only a field was learned',
      { 'a.b': string },
      { a: { type: 'object', properties: { b: { type: 'string' } } } },
    ],
    [
      'an object that is sometimes a text',
      { a: string | object, 'a.b': int },
      { a: { type: ['string', 'object'], properties: { b: { type: 'number' } } } },
    ],
    ['an unknown type', { a: 64 }, { a: {} }],
    ['its own id and timestamp', { id: int, timestamp: string }, {}],
  ])('describes %s', (_, flat, expected) => {
    expect(propertiesOf(flat)).toEqual(expected);
  });
});

describe('the dotted variant', () => {
  test.each([
    [
      'scalars',
      { s: string, i: int, f: float, b: bool },
      { s: 'string', i: 'integer', f: 'float', b: 'boolean' },
    ],
    ['fields of records, without the records', { a: object, 'a.b': string }, { 'a.b': 'string' }],
    ['lists', { a: list, 'a[]': float }, { a: 'float[]' }],
    ['lists of lists', { a: list, 'a[]': list, 'a[][]': int }, { a: 'integer[][]' }],
    ['lists of records', { a: list, 'a[]': object, 'a[].b': string }, { 'a.b': 'string' }],
    ['several types', { a: string | int | list, 'a[]': string }, { a: 'string|integer|string[]' }],
    ['a list that was always empty', { a: list }, {}],
  ])('shows %s', (_, flat, expected) => {
    expect(dotted(flat)).toEqual(expected);
  });
});

describe('columns of the lake', () => {
  const stored = {
    types: { level: string | int, 'metadata.a': object, 'metadata.a.b': bool, tags: list },
    slots: [
      'level=string',
      'metadata=object',
      'metadata.a=object',
      'metadata.a.b=boolean',
      'level=number',
    ],
  };

  test('stand at the properties whose values they hold', () => {
    const { properties } = Object(jsonSchema(SOURCE, sourceSchema(stored)));

    expect(properties).toMatchObject({
      level: { type: ['string', 'number'], 'x-columns': { string: 's000', number: 's004' } },
      metadata: { properties: { a: { 'x-columns': { object: 's002' } } } },
      tags: { type: 'array' },
    });
    expect(properties.tags).not.toHaveProperty('x-columns');
  });

  test('are listed by path', () => {
    expect(columnsByPath(sourceSchema(stored))).toEqual({
      level: { string: 's000', number: 's004' },
      metadata: { object: 's001' },
      'metadata.a': { object: 's002' },
      'metadata.a.b': { boolean: 's003' },
    });
  });
});
