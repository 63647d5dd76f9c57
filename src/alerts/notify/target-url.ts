import { isIP } from 'node:net';
import { isLoopback, isPublicAddress } from './address.ts';

/** Which addresses notifications may be sent to. */
export interface Reach {
  /** Plain HTTP and loopback too, for receivers on the machine of a developer. Never on AWS. */
  readonly allowLocal: boolean;
}

export const MAX_URL_LENGTH = 2_000;

/** Whether a connection to an address may be made. */
export function mayReach(address: string, { allowLocal }: Reach): boolean {
  return isPublicAddress(address) || (allowLocal && isLoopback(address));
}

/**
 * What is wrong with the URL of a target; undefined if nothing is. A name is looked at again when it is
 * resolved for a connection.
 */
export function urlFault(text: string, reach: Reach): string | undefined {
  if (text.length > MAX_URL_LENGTH) return 'is too long';
  if (!URL.canParse(text)) return 'must be a URL that begins with https://';
  const url = new URL(text);
  const isPlain = url.protocol === 'http:' && reach.allowLocal;
  if (url.protocol !== 'https:' && !isPlain) return 'must be a URL that begins with https://';
  if (url.username !== '' || url.password !== '') return 'must not hold credentials';
  const host = hostOf(url);
  if (isIP(host) !== 0 && !mayReach(host, reach)) return 'must be an address on the internet';
  return undefined;
}

/** The host without the brackets of an IPv6 address. WHATWG has made one of every way to write an IPv4 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
