/** The caller that a valid key speaks for. */
export interface Principal {
  readonly keyId: string;
  readonly scopes: readonly string[];
  /** Events per second; null stands for the deployment's default. */
  readonly rateLimit: number | null;
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

/** The source of a key that may send to one source and to no other. */
export function onlySource({ scopes }: Principal): string | undefined {
  const forOne = 'ingest:source:';
  const sources = scopes.filter((scope) => scope.startsWith(forOne));
  const isForAll = scopes.some((scope) => scope === 'private' || TO_ALL_SOURCES.includes(scope));
  return sources.length === 1 && !isForAll ? sources[0]?.slice(forOne.length) : undefined;
}

export function mayQuery(principal: Principal | undefined, endpointToken: string): boolean {
  return hasAny(principal, ['query', `query:endpoint:${endpointToken}`]);
}

export function mayManage(principal: Principal | undefined): boolean {
  return hasAny(principal, []);
}

/** `private` stands for every scope (Logflare 1.50). */
function hasAny(principal: Principal | undefined, accepted: readonly string[]): boolean {
  const scopes = principal?.scopes ?? [];
  return scopes.some((scope) => scope === 'private' || accepted.includes(scope));
}
