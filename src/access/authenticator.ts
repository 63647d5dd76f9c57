import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Registry } from '../catalog/types.ts';
import type { Clock } from '../platform/clock.ts';
import { ReadCache } from '../platform/read-cache.ts';
import type { AccessKey } from './access-key.ts';

/** Whoever a valid key speaks for. */
export interface Principal {
  readonly keyId: string;
  readonly scopes: readonly string[];
  /** Events per second; null stands for the deployment's default. */
  readonly rateLimit: number | null;
}

/** What of a request may carry a credential. */
export interface CredentialRequest {
  header(name: string): string | undefined;
  query(name: string): string | undefined;
}

/** How long a key revoked by another instance goes on working here; milliseconds. */
const DEFAULT_CACHE_MS = 10_000;

/** About 4 MB; strangers who try keys push out each other before the keys that are in use. */
const MAX_CACHED = 10_000;

/** Finds out who calls. Keys, and strings that are none, are remembered for `cacheMs`. */
export class Authenticator {
  readonly #registry: Pick<Registry, 'accessKeyByHash'>;
  readonly #cache: ReadCache<AccessKey | undefined>;

  constructor(deps: {
    registry: Pick<Registry, 'accessKeyByHash'>;
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

/** Logflare's clients ask for `public` where a key is to send events and no more. */
const TO_ALL_SOURCES = ['ingest', 'public'];

export function mayIngest(principal: Principal | undefined, sourceToken: string): boolean {
  return hasAny(principal, [...TO_ALL_SOURCES, `ingest:source:${sourceToken}`]);
}

/** Whether there can be a source that the key may send to. */
export function mayIngestAnywhere(principal: Principal | undefined): boolean {
  const isForOne = (scope: string): boolean => scope.startsWith('ingest:source:');
  return hasAny(principal, TO_ALL_SOURCES) || principal?.scopes.some(isForOne) === true;
}

export function mayQuery(principal: Principal | undefined, endpointToken: string): boolean {
  return hasAny(principal, ['query', `query:endpoint:${endpointToken}`]);
}

export function mayManage(principal: Principal | undefined): boolean {
  return hasAny(principal, []);
}

/** Hex SHA-256. A slow hash would only slow requests down: generated keys cannot be guessed. */
export function hashKey(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** 256 random bits. The prefix lets secret scanners find keys that leaked into a repository. */
export function generateKey(): string {
  return `sluice_${randomBytes(32).toString('hex')}`;
}

/**
 * The first of these that is present decides, even when it is not a valid key. `Bearer` is matched to the
 * letter (Logflare 1.50). HTTP Basic comes last, because it may be meant for a proxy on the way; no answer
 * asks for it, so that no browser ever prompts for it and remembers it.
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
    basicPassword(authorization)
  );
}

/** The password of HTTP Basic (RFC 7617), whatever the user name; undefined for everything else. */
function basicPassword(authorization: string | undefined): string | undefined {
  const encoded = /^Basic +([\w+/]+=*)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString();
  const colon = pair.indexOf(':');
  return colon === -1 ? undefined : pair.slice(colon + 1);
}

/** `private` stands for every scope (Logflare 1.50). */
function hasAny(principal: Principal | undefined, accepted: readonly string[]): boolean {
  const scopes = principal?.scopes ?? [];
  return scopes.some((scope) => scope === 'private' || accepted.includes(scope));
}

/** The lookup went by the hash, so timing tells nothing about the secret; this is a second lock. */
function sameHash(stored: string, presented: string): boolean {
  const a = Buffer.from(stored);
  const b = Buffer.from(presented);
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
