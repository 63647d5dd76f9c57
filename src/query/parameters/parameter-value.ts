import type { ParameterType } from '../../catalog/types.ts';
import type { ParameterValue } from '../../sql/compile.ts';
import { parseTimestamp } from './timestamp-parse.ts';

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** What a value of a type has to look like, for sentences of the form "must be ...". */
export const EXPECTED: Readonly<Record<ParameterType, string>> = {
  string: 'text',
  int64: 'a whole number between -9223372036854775808 and 9223372036854775807',
  float64: 'a number',
  bool: 'true or false',
  timestamp:
    'a time such as 2026-01-31T08:30:00Z or 2026-01-31T08:30:00.5+02:00, ' +
    'or microseconds since 1970 as a whole number',
};

/** Parses a value by its declared type; undefined when the text does not fit it. */
export function parseValue(type: ParameterType, text: string): ParameterValue | undefined {
  switch (type) {
    case 'string':
      return { type, value: text };
    case 'int64': {
      const value = parseInt64(text);
      return value === undefined ? undefined : { type, value };
    }
    case 'float64': {
      const value = NUMBER.test(text) ? Number(text) : Number.NaN;
      return Number.isFinite(value) ? { type, value } : undefined;
    }
    case 'bool':
      return /^(?:true|false)$/i.test(text)
        ? { type, value: text.toLowerCase() === 'true' }
        : undefined;
    case 'timestamp': {
      const value = parseTimestamp(text);
      return value === undefined ? undefined : { type, value };
    }
  }
}

function parseInt64(text: string): bigint | undefined {
  // The length bound keeps a megabyte of digits from costing a quadratic conversion.
  if (!/^[+-]?\d{1,40}$/.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
}
