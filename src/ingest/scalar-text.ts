import { isRawNumber } from '../json.ts';

/** A string, number or boolean as text; undefined for what is none of these. */
export function scalarText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return isRawNumber(value) ? value.rawJSON : undefined;
  }
}
