import type { DecodedEvents } from '../ingest/decode.ts';
import type { Registry, Source } from '../registry/types.ts';
import { isUuid } from '../uuid.ts';

/** What of a request may name a source. */
export interface NamingRequest {
  header(name: string): string | undefined;
  query(name: string): string | undefined;
}

/**
 * The source that a request is for. The first of these that is present decides, even when no such
 * source exists: query `source_name`, `collection_name`, `source`, `collection`; header `X-Source`,
 * `X-Collection`; then the single event of the body. Logflare lets the body win, so that an event
 * with a field called `source` is refused; here it comes last.
 */
export async function findSource(
  request: NamingRequest,
  inBody: DecodedEvents['source'],
  registry: Pick<Registry, 'sourceByToken' | 'sourceByName'>,
): Promise<Source | undefined> {
  const name = request.query('source_name') ?? request.query('collection_name');
  if (name !== undefined) return registry.sourceByName(name);

  const token =
    request.query('source') ??
    request.query('collection') ??
    request.header('X-Source') ??
    request.header('X-Collection');
  if (token !== undefined) return sourceByToken(token, registry);

  if (inBody?.name !== undefined) return registry.sourceByName(inBody.name);
  return inBody?.token === undefined ? undefined : sourceByToken(inBody.token, registry);
}

/** Whether query string or headers name a source, be there one or not. */
export function isAddressed(request: NamingRequest): boolean {
  const queries = ['source_name', 'collection_name', 'source', 'collection'];
  const headers = ['X-Source', 'X-Collection'];
  return (
    queries.some((name) => request.query(name) !== undefined) ||
    headers.some((name) => request.header(name) !== undefined)
  );
}

async function sourceByToken(
  token: string,
  registry: Pick<Registry, 'sourceByToken'>,
): Promise<Source | undefined> {
  return isUuid(token) ? registry.sourceByToken(token.toLowerCase()) : undefined;
}
