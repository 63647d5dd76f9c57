import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cacheKey,
  clientRequestToken,
  decodeParameters,
  encodeParameters,
  type QueryPlan,
} from '../../../src/query/plan/query-plan.ts';
import type { ParameterValue } from '../../../src/sql/compile.ts';
import { endpoint } from '../support.ts';

const text = (value: string | null): ParameterValue => ({ type: 'string', value });

function plan(changes: Partial<QueryPlan> = {}): QueryPlan {
  return { endpoint: endpoint(), composed: [], consumer: undefined, parameters: {}, ...changes };
}

describe('cacheKey', () => {
  test('does not depend on the order of parameters', () => {
    const [a, b] = [text('1'), text('2')];
    expect(cacheKey(plan({ parameters: { a, b } }))).toBe(cacheKey(plan({ parameters: { b, a } })));
  });

  test.each<[string, QueryPlan]>([
    ['another endpoint', plan({ endpoint: endpoint({ token: 'other' }) })],
    ['another version', plan({ endpoint: endpoint({ version: 2 }) })],
    ['another value', plan({ parameters: { a: text('x') } })],
    ['null instead of a value', plan({ parameters: { a: text(null) } })],
    ['the text null', plan({ parameters: { a: text('null') } })],
    ['another type', plan({ parameters: { a: { type: 'bool', value: null } } })],
    ['a consumer query', plan({ consumer: { language: 'sql', text: 'select 1' } })],
    ['an equal text elsewhere', plan({ parameters: { sql: text('select 1') } })],
  ])('differs for %s', (_what, other) => {
    expect(cacheKey(other)).not.toBe(cacheKey(plan()));
  });

  test('does not depend on settings that leave the rows alone', () => {
    const renamed = endpoint({ name: 'renamed', redact_pii: true, nested_records: 'array' });
    expect(cacheKey(plan({ endpoint: renamed }))).toBe(cacheKey(plan()));
  });
});

describe('clientRequestToken', () => {
  test('differs for another start and for another statement', () => {
    const token = clientRequestToken('key', 1, 'select 1');
    expect(clientRequestToken('key', 1, 'select 1')).toBe(token);
    expect(clientRequestToken('key', 2, 'select 1')).not.toBe(token);
    expect(clientRequestToken('key', 1, 'select 2')).not.toBe(token);
  });
});

describe('encodeParameters', () => {
  const value: fc.Arbitrary<ParameterValue> = fc.oneof(
    fc.record({ type: fc.constant('string'), value: fc.option(fc.string()) }),
    fc.record({
      type: fc.constant('int64'),
      value: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    }),
    fc.record({
      type: fc.constant('float64'),
      // Zero loses its sign, which no comparison sees.
      value: fc.option(fc.double({ noNaN: true }).map((number) => number + 0)),
    }),
    fc.record({ type: fc.constant('bool'), value: fc.option(fc.boolean()) }),
    fc.record({ type: fc.constant('timestamp'), value: fc.option(fc.maxSafeInteger()) }),
  );

  test('is undone by decodeParameters', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), (parameters) => {
        const text = encodeParameters(parameters);
        expect({ ...decodeParameters(text) }).toEqual({ ...parameters });
        expect(encodeParameters(decodeParameters(text))).toBe(text);
      }),
    );
  });
});
