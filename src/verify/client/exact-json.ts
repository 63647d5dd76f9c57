/** JSON whose integers keep their digits: those beyond 2^53 are read as `bigint`. */
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

const INTEGER = /^-?\d+$/;

const exact: Reviver = (_key, value, { source = '' }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && INTEGER.test(source)
    ? BigInt(source)
    : value;

/** @throws SyntaxError when the text is not JSON. */
export function parseExact(text: string): unknown {
  return JSON.parse(text, exact as (key: string, value: unknown) => unknown);
}

/** A value as JSON, `bigint`s as the integers that they are. Other than `JSON.stringify`, it knows plain values only. */
export function printExact(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(printExact).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${printExact(each)}`).join(',')}}`;
}
