import type { Expr } from '../tree.ts';
import { arrayOf, INT64, STRING, typeName } from '../types.ts';
import type { ScalarFunction, SpecialFunction } from './function.ts';

const LENGTH: ScalarFunction = {
  name: 'array_length',
  athena: ([array]) => `CAST(CARDINALITY(${array}) AS BIGINT)`,
  duckdb: ([array]) => `CAST(LEN(${array}) AS BIGINT)`,
};

const JOIN: ScalarFunction = {
  name: 'array_to_string',
  athena: ([array, separator]) => `ARRAY_JOIN(${array}, ${separator})`,
  duckdb: ([array, separator]) => `ARRAY_TO_STRING(${array}, ${separator})`,
};

export const ARRAY_FUNCTIONS: readonly SpecialFunction[] = [
  {
    name: 'array_length',
    bind: (call) => {
      const value = call.arg(0);
      const array: Expr =
        value.op === 'json'
          ? {
              op: 'json_elements',
              type: arrayOf(STRING),
              text: value.document.text(),
              path: value.path,
            }
          : value;
      if (array.type.kind !== 'array') {
        throw call.fail(`ARRAY_LENGTH needs an array, not ${typeName(array.type)}`);
      }
      return { op: 'call', type: INT64, fn: LENGTH, args: [array] };
    },
  },
  {
    name: 'array_to_string',
    bind: (call) => {
      const array = call.arg(0);
      if (array.type.kind !== 'array' || array.type.of.kind !== 'string') {
        throw call.fail(`ARRAY_TO_STRING needs an ARRAY<STRING>, not ${typeName(array.type)}`);
      }
      return { op: 'call', type: STRING, fn: JOIN, args: [array, call.argAs(1, STRING)] };
    },
  },
];
