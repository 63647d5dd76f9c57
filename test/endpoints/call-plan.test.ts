import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CallPlan,
  decodeParameters,
  encodeParameters,
  planKey,
  runToken,
} from '../../src/endpoints/call-plan.ts';
import type { ParameterValue } from '../../src/sql/compile.ts';
import { endpoint } from './support.ts';

const text = (value: string | null): ParameterValue => ({ type: 'string', value });

function plan(changes: Partial<CallPlan> = {}): CallPlan {
  return { endpoint: endpoint(), composed: [], consumer: undefined, parameters: {}, ...changes };
}

describe('planKey', () => {
  it('does not depend on the order of parameters', () => {
    const [a, b] = [text('1'), text('2')];
    expect(planKey(plan({ parameters: { a, b } }))).toBe(planKey(plan({ parameters: { b, a } })));
  });

  it.each<[string, CallPlan]>([
    ['another endpoint', plan({ endpoint: endpoint({ token: 'other' }) })],
    ['another version', plan({ endpoint: endpoint({ version: 2 }) })],
    ['another value', plan({ parameters: { a: text('x') } })],
    ['null instead of a value', plan({ parameters: { a: text(null) } })],
    ['the text null', plan({ parameters: { a: text('null') } })],
    ['another type', plan({ parameters: { a: { type: 'bool', value: null } } })],
    ['a consumer query', plan({ consumer: { language: 'sql', text: 'select 1' } })],
    ['an equal text elsewhere', plan({ parameters: { sql: text('select 1') } })],
  ])('differs for %s', (_what, other) => {
    expect(planKey(other)).not.toBe(planKey(plan()));
  });

  it('does not depend on settings that leave the rows alone', () => {
    const renamed = endpoint({ name: 'renamed', redact_pii: true, nested_records: 'array' });
    expect(planKey(plan({ endpoint: renamed }))).toBe(planKey(plan()));
  });
});

describe('runToken', () => {
  it('differs for another start and for another statement', () => {
    const token = runToken('key', 1, 'select 1');
    expect(runToken('key', 1, 'select 1')).toBe(token);
    expect(runToken('key', 2, 'select 1')).not.toBe(token);
    expect(runToken('key', 1, 'select 2')).not.toBe(token);
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

  it('is undone by decodeParameters', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), (parameters) => {
        const text = encodeParameters(parameters);
        expect({ ...decodeParameters(text) }).toEqual({ ...parameters });
        expect(encodeParameters(decodeParameters(text))).toBe(text);
      }),
    );
  });
});
