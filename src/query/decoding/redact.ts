import { isIPv6 } from 'node:net';
import { isPlainObject } from '../../platform/json/json.ts';
import { mapValues } from './map-values.ts';

const MARK = 'REDACTED';

/** Up to three digits with leading zeros, a word boundary on both sides (Logflare 1.50). */
const OCTET = '(?:25[0-5]|2[0-4]\\d|[01]?\\d?\\d)';
const IPV4 = new RegExp(`\\b${OCTET}(?:\\.${OCTET}){3}\\b`, 'g');

/** IPv6 is looked for between ASCII white space only; punctuation beside an address hides it. */
const WORD = /[^ \t\n\v\f\r]+/g;

/**
 * Replaces IP addresses by `REDACTED` in every string value at any depth. Keys, numbers, booleans
 * and null stay as they are. IPv4 goes first, so an embedded IPv4 address leaves its IPv6 prefix.
 */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redact);
  return isPlainObject(value) ? mapValues(value, redact) : value;
}

function redactText(text: string): string {
  const withoutV4 = text.includes('.') ? text.replace(IPV4, MARK) : text;
  if (!withoutV4.includes(':')) return withoutV4;
  return withoutV4.replace(WORD, (word) => (isIPv6(word) ? MARK : word));
}
