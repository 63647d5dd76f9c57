import type { Registry } from '../../../catalog/types.ts';
import { ValidationError } from '../../../platform/errors.ts';
import { isUuid } from '../../../platform/uuid.ts';
import { TOO_MANY } from './fields.ts';

/** What a key may do for which no scope is given (Logflare 1.50): send events. */
export const DEFAULT_SCOPE = 'public';

const PLAIN = new Set([DEFAULT_SCOPE, 'ingest', 'query', 'private']);
const MAX_SCOPES = 100;

/**
 * Reads space-separated scopes; none at all are `public`.
 *
 * @returns each scope once, UUIDs in lower case.
 * @throws ValidationError for `scopes`, also when one names a source or an endpoint that is not there.
 */
export async function parseScopes(text: string, registry: Registry): Promise<string[]> {
  const scopes = [...new Set(text.split(/\s+/).filter(Boolean).map(lowerUuid))];
  if (scopes.length === 0) return [DEFAULT_SCOPE];
  if (scopes.length > MAX_SCOPES) throw invalid(TOO_MANY);
  if (scopes.includes('partner')) throw invalid('cannot be assigned by users');
  const faults = await Promise.all(scopes.map((scope) => faultOf(scope, registry)));
  const found = [...new Set(faults.filter((fault) => fault !== undefined))];
  if (found.length > 0) throw invalid(...found);
  return scopes;
}

async function faultOf(scope: string, registry: Registry): Promise<string | undefined> {
  if (PLAIN.has(scope)) return undefined;
  const { kind, token } = splitScope(scope);
  if (!isUuid(token)) return 'contains unrecognized scope';
  switch (kind) {
    case 'ingest:source': {
      const source = await registry.sourceByToken(token, { fresh: true });
      return source ? undefined : `names a source that does not exist: ${token}`;
    }
    case 'query:endpoint': {
      const endpoint = await registry.endpointByToken(token, { fresh: true });
      return endpoint ? undefined : `names an endpoint that does not exist: ${token}`;
    }
    default:
      return 'contains unrecognized scope';
  }
}

function splitScope(scope: string): { kind: string; token: string } {
  const split = scope.lastIndexOf(':');
  return { kind: scope.slice(0, Math.max(split, 0)), token: scope.slice(split + 1) };
}

function lowerUuid(scope: string): string {
  const { kind, token } = splitScope(scope);
  return isUuid(token) ? `${kind}:${token.toLowerCase()}` : scope;
}

function invalid(...messages: string[]): ValidationError {
  return new ValidationError({ scopes: messages });
}
