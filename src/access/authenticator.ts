import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { ReadCache } from '../platform/read-cache.ts';
import type { AccessKey, AccessKeys } from './access-key.ts';
import { hashKey } from './keys.ts';
import type { Principal } from './scopes.ts';

/** What of a request may carry a credential. */
export interface CredentialRequest {
  header(name: string): string | undefined;
  query(name: string): string | undefined;
}

/**
 * How long a key revoked by another instance goes on working here; milliseconds. Not longer while the registry does
 * not answer: then a request whose key is not known any more gets 503 and is sent again, while one with a
 * revoked key would be let in.
 */
const DEFAULT_CACHE_MS = 10_000;

/** About 4 MB; strangers who try keys push out each other before the keys that are in use. */
const MAX_CACHED = 10_000;

/** Finds out who calls. Keys, and strings that are none, are remembered for `cacheMs`. */
export class Authenticator {
  readonly #registry: Pick<AccessKeys, 'accessKeyByHash'>;
  readonly #cache: ReadCache<AccessKey | undefined>;

  constructor(deps: {
    registry: Pick<AccessKeys, 'accessKeyByHash'>;
    clock: Clock;
    cacheMs?: number;
  }) {
    const { registry, clock, cacheMs = DEFAULT_CACHE_MS } = deps;
    this.#registry = registry;
    this.#cache = new ReadCache({ clock, ttlMs: cacheMs, maxEntries: MAX_CACHED });
  }

  /**
   * Undefined without a credential, and with one that is unknown or revoked.
   *
   * @param keyHeader a header that may carry the key too, where nothing else does.
   */
  async principal(request: CredentialRequest, keyHeader?: string): Promise<Principal | undefined> {
    const secret = credential(request, keyHeader);
    if (secret === undefined) return undefined;
    const hash = hashKey(secret);
    const key = await this.#cache.get(hash, () => this.#registry.accessKeyByHash(hash));
    if (key === undefined || !sameHash(key.hash, hash)) return undefined;
    return { keyId: key.id, scopes: key.scopes, rateLimit: key.rate_limit };
  }

  /** To be called when a key was changed or revoked, so that it shows in this process at once. */
  forget(hash: string): void {
    this.#cache.forget(hash);
  }
}

/**
 * The first of these that is present decides, even when it is not a valid key. `Bearer` is matched to the
 * letter (Logflare 1.50). The other schemes come last: those of Splunk and of Elasticsearch, and HTTP Basic,
 * which may be meant for a proxy on the way; no answer asks for it, so that no browser ever prompts for it and
 * remembers it.
 */
export function credential(
  request: CredentialRequest,
  keyHeader: string | undefined,
): string | undefined {
  const authorization = request.header('Authorization');
  if (authorization?.startsWith('Bearer ')) return authorization.slice('Bearer '.length);
  return (
    request.header('X-API-KEY') ??
    request.query('api_key') ??
    (keyHeader === undefined ? undefined : request.header(keyHeader)) ??
    schemeKey(authorization)
  );
}

/** The key in `Splunk KEY`, in `ApiKey KEY` or `ApiKey base64(id:KEY)`, and in `Basic base64(user:KEY)`. */
function schemeKey(authorization: string | undefined): string | undefined {
  const [, scheme, value] = /^(Splunk|ApiKey) +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (value === undefined) return basicPassword(authorization);
  return (scheme?.toLowerCase() === 'apikey' ? encodedKey(value) : undefined) ?? value;
}

/** The key of a text that is base64 of an id and a key; a key by itself is hardly ever base64 of any text. */
function encodedKey(text: string): string | undefined {
  if (!/^[A-Za-z\d+/]+={0,2}$/.test(text)) return undefined;
  return /^[!-9;-~]*:([!-~]+)$/.exec(Buffer.from(text, 'base64').toString('latin1'))?.[1];
}

/** The password of HTTP Basic (RFC 7617), whatever the user name; undefined for everything else. */
function basicPassword(authorization: string | undefined): string | undefined {
  const encoded = /^Basic +([\w+/]+=*)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString();
  const colon = pair.indexOf(':');
  return colon === -1 ? undefined : pair.slice(colon + 1);
}

/** The lookup went by the hash, so timing tells nothing about the secret; this is a second lock. */
function sameHash(stored: string, presented: string): boolean {
  const a = Buffer.from(stored);
  const b = Buffer.from(presented);
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
