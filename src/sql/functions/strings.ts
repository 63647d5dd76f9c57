import { BOOL, INT64, STRING } from '../types.ts';
import type { Form, SimpleFunction } from './function.ts';

const call =
  (name: string): Form =>
  (args) =>
    `${name}(${args.join(', ')})`;

/** A function with the same name and meaning in both engines. */
function both(
  name: string,
  fn: Omit<SimpleFunction, 'name' | 'athena' | 'duckdb'> & { readonly engine?: string },
): SimpleFunction {
  const { engine, ...rest } = fn;
  const form = call((engine ?? name).toUpperCase());
  return { ...rest, name, athena: form, duckdb: form };
}

const text = (value: unknown): string => String(value);
const codePoints = (value: unknown): number => [...text(value)].length;

/** BigQuery's string functions on STRING; positions and lengths count characters. */
export const STRING_FUNCTIONS: readonly SimpleFunction[] = [
  both('lower', {
    parameters: ['string'],
    required: 1,
    result: STRING,
    fold: ([s]) => text(s).toLowerCase(),
  }),
  both('upper', {
    parameters: ['string'],
    required: 1,
    result: STRING,
    fold: ([s]) => text(s).toUpperCase(),
  }),
  both('length', {
    parameters: ['string'],
    required: 1,
    result: INT64,
    fold: ([s]) => BigInt(codePoints(s)),
  }),
  both('char_length', {
    engine: 'length',
    parameters: ['string'],
    required: 1,
    result: INT64,
    fold: ([s]) => BigInt(codePoints(s)),
  }),
  both('reverse', { parameters: ['string'], required: 1, result: STRING }),
  both('replace', { parameters: ['string', 'string', 'string'], required: 3, result: STRING }),
  both('starts_with', {
    parameters: ['string', 'string'],
    required: 2,
    result: BOOL,
    fold: ([s, prefix]) => text(s).startsWith(text(prefix)),
  }),
  {
    name: 'ends_with',
    parameters: ['string', 'string'],
    required: 2,
    result: BOOL,
    athena: ([s, suffix]) =>
      `(SUBSTR(${s}, GREATEST(LENGTH(${s}) - LENGTH(${suffix}) + 1, 1)) = ${suffix} OR ${suffix} = '')`,
    duckdb: call('ENDS_WITH'),
  },
  both('strpos', { parameters: ['string', 'string'], required: 2, result: INT64 }),
  both('instr', { engine: 'strpos', parameters: ['string', 'string'], required: 2, result: INT64 }),
  {
    name: 'contains_substr',
    parameters: ['string', 'string'],
    required: 2,
    result: BOOL,
    athena: ([s, part]) => `(STRPOS(LOWER(${s}), LOWER(${part})) > 0)`,
    duckdb: ([s, part]) => `(STRPOS(LOWER(${s}), LOWER(${part})) > 0)`,
  },
  substring('substr'),
  substring('substring'),
  {
    name: 'left',
    parameters: ['string', 'int64'],
    required: 2,
    result: STRING,
    athena: ([s, n]) => `SUBSTR(${s}, 1, ${n})`,
    duckdb: ([s, n]) => `SUBSTR(${s}, 1, ${n})`,
  },
  trim('trim', 'BOTH'),
  trim('ltrim', 'LEADING'),
  trim('rtrim', 'TRAILING'),
  {
    name: 'regexp_contains',
    parameters: ['string', 'regex'],
    required: 2,
    result: BOOL,
    athena: call('REGEXP_LIKE'),
    duckdb: call('REGEXP_MATCHES'),
  },
];

/** Position 0 means 1 in BigQuery, and NULL or '' elsewhere. */
function substring(name: string): SimpleFunction {
  const form: Form = ([s, position, length]) => {
    const start = `CASE WHEN ${position} = 0 THEN 1 ELSE ${position} END`;
    return length === undefined ? `SUBSTR(${s}, ${start})` : `SUBSTR(${s}, ${start}, ${length})`;
  };
  return {
    name,
    parameters: ['string', 'int64', 'int64'],
    required: 2,
    result: STRING,
    athena: form,
    duckdb: form,
  };
}

/** Without a set of characters, white space is cut off; the second argument names others. */
function trim(name: string, side: 'BOTH' | 'LEADING' | 'TRAILING'): SimpleFunction {
  const engineName = name.toUpperCase();
  return {
    name,
    parameters: ['string', 'string'],
    required: 1,
    result: STRING,
    athena: ([s, set]) =>
      set === undefined ? `${engineName}(${s})` : `TRIM(${side} ${set} FROM ${s})`,
    duckdb: ([s, set]) =>
      set === undefined
        ? `${engineName}(${s}, e' \\t\\n\\r\\x0b\\f')`
        : `${engineName}(${s}, ${set})`,
  };
}
