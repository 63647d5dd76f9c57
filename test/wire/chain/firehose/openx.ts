import {
  LANDING_COLUMNS,
  type LakeColumn,
  type LakeType,
} from '../../../../src/lake/layout/columns.ts';
import { isRawNumber, parseJson, stringifyJson } from '../../../../src/platform/json/json.ts';

/**
 * A row as Firehose's conversion reads it out of a JSON document with the OpenX SerDe and the landing
 * table: keys in any case, unknown ones dropped, and each value read as its column's type.
 *
 * Narrower than OpenX on purpose, where a row of ours has no business: an object or a list in a column
 * of text is refused, since OpenX would lower the case of its keys without a word.
 *
 * @returns JSON text with the columns' names as keys.
 * @throws Error as `DataFormatConversion.MalformedData` would say.
 */
export function convertDocument(
  document: string,
  columns: readonly LakeColumn[] = LANDING_COLUMNS,
): string {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const row: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(parseJson(document) as Record<string, unknown>)) {
    const name = key.toLowerCase();
    const type = types.get(name);
    if (type === undefined || value === null) continue;
    const converted = CONVERSIONS[type](value);
    if (converted === undefined) throw new Error(`${name} is no ${type}`);
    row[name] = converted;
  }
  return stringifyJson(row);
}

/** Each gives undefined for what is not of the type. */
const CONVERSIONS: Readonly<Record<LakeType, (value: unknown) => unknown>> = {
  string: (value) =>
    typeof value === 'string'
      ? // Half a surrogate pair has no UTF-8, and Java writes a question mark.
        value.replace(/\p{Surrogate}/gu, '?')
      : scalarText(value),
  bigint: (value) => {
    const text = typeof value === 'string' ? value : scalarText(value);
    return text !== undefined && isInt64(text) ? value : undefined;
  },
  timestamp: (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?$/.test(value)
      ? value
      : undefined,
};

function isInt64(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

function scalarText(value: unknown): string | undefined {
  const isScalar = typeof value === 'number' || typeof value === 'boolean' || isRawNumber(value);
  return isScalar ? stringifyJson(value) : undefined;
}
