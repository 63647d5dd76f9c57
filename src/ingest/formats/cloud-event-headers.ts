/** CloudEvents attributes as HTTP headers (CloudEvents 1.0, HTTP binding 3.1.3). */
import { Fields } from '../../platform/json/fields.ts';

const PREFIX = 'ce-';

export interface HeaderAttributes {
  /** By name, `-` as `_`; undefined without any. */
  readonly attributes: Readonly<Record<string, unknown>> | undefined;
  /** Characters of all names and values. */
  readonly length: number;
}

/**
 * The attributes that a request's headers hold.
 *
 * @param headers by name in lower case.
 */
export function headerAttributes(headers: Readonly<Record<string, string>>): HeaderAttributes {
  let attributes: Fields | undefined;
  let length = 0;
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(PREFIX)) {
      attributes ??= new Fields();
      attributes[name.slice(PREFIX.length).replaceAll('-', '_')] = decodeValue(value);
      length += name.length + value.length;
    }
  }
  return { attributes, length };
}

/** Quotes and backslashes are taken off, then one round of percent-decoding (3.1.3.2). */
function decodeValue(value: string): string {
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  const text = isQuoted ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value;
  try {
    return decodeURIComponent(text);
  } catch {
    // A sender that does not encode: `100%` stands for itself.
    return text;
  }
}
