import type { Registry, Source } from '../../../catalog/types.ts';
import type { DecodedEvents } from '../../../ingest/decode/format.ts';
import { isUuid } from '../../../platform/uuid.ts';
import type { Named } from '../unknown-name.ts';

/** What of a request may name a source. */
export interface NamingRequest {
  header(name: string): string | undefined;
  query(name: string): string | undefined;
}

/**
 * What a request calls its source. The first of these that is present decides, even when no such
 * source exists: query `source_name`, `collection_name`, `source`, `collection`; header `X-Source`,
 * `X-Collection`; then the single event of the body. Logflare lets the body win, so that an event
 * with a field called `source` is refused; here it comes last.
 */
export function namedSource(
  request: NamingRequest,
  inBody: DecodedEvents['source'],
): Named | undefined {
  const name = request.query('source_name') ?? request.query('collection_name');
  if (name !== undefined) return { by: 'name', value: name };

  const token =
    request.query('source') ??
    request.query('collection') ??
    request.header('X-Source') ??
    request.header('X-Collection');
  if (token !== undefined) return { by: 'token', value: token };

  if (inBody?.name !== undefined) return { by: 'name', value: inBody.name };
  return inBody?.token === undefined ? undefined : { by: 'token', value: inBody.token };
}

/** The source that a request is for. */
export async function findSource(
  request: NamingRequest,
  inBody: DecodedEvents['source'],
  registry: Pick<Registry, 'sourceByToken' | 'sourceByName'>,
): Promise<Source | undefined> {
  const named = namedSource(request, inBody);
  if (named === undefined) return undefined;
  const { by, value } = named;
  return by === 'name' ? registry.sourceByName(value) : sourceByToken(value, registry);
}

async function sourceByToken(
  token: string,
  registry: Pick<Registry, 'sourceByToken'>,
): Promise<Source | undefined> {
  return isUuid(token) ? registry.sourceByToken(token.toLowerCase()) : undefined;
}
