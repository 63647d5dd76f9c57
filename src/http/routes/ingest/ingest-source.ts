import type { Registry, Source } from '../../../catalog/types.ts';
import type { DecodedEvents } from '../../../ingest/decode/format.ts';
import { ServiceError } from '../../../platform/errors.ts';
import { isUuid } from '../../../platform/uuid.ts';
import type { Named } from '../unknown-name.ts';

/** What of a request may name a source. */
export interface NamingRequest {
  header(name: string): string | undefined;
  query(name: string): string | undefined;
}

/** What names a source where the sender's protocol knows nothing of sources. */
export interface ForeignNaming {
  /** Token of the only source that the key may send to. */
  readonly onlyToken: string | undefined;
  /** What the protocol itself has for a name. */
  readonly name: string | undefined;
}

/**
 * What a request calls its source. The first of these that is present decides, even when no such
 * source exists: query `source_name`, `collection_name`, `source`, `collection`; header `X-Source`,
 * `X-Collection`; then the single event of the body. Logflare lets the body win, so that an event
 * with a field called `source` is refused; here it comes last.
 *
 * @param foreign for formats with an `ownSource`: what it says goes before the body, and `source` in the
 *   query is the source's only where it is a UUID, because Splunk's has another meaning.
 * @throws ServiceError `several_sources` (400) where only the body can tell, and names more than one.
 */
export function namedSource(
  request: NamingRequest,
  inBody: DecodedEvents['source'],
  foreign?: ForeignNaming,
): Named | undefined {
  const name = request.query('source_name') ?? request.query('collection_name');
  if (name !== undefined) return { by: 'name', value: name };

  const inQuery = request.query('source');
  const token =
    (foreign === undefined || isUuid(inQuery ?? '') ? inQuery : undefined) ??
    request.query('collection') ??
    request.header('X-Source') ??
    request.header('X-Collection');
  if (token !== undefined) return { by: 'token', value: token };

  if (foreign?.onlyToken !== undefined) return { by: 'token', value: foreign.onlyToken };
  if (foreign?.name !== undefined) return { by: 'name', value: foreign.name };
  if (inBody?.isOneOfSeveral) throw severalSources();
  if (inBody?.name !== undefined) return { by: 'name', value: inBody.name };
  return inBody?.token === undefined ? undefined : { by: 'token', value: inBody.token };
}

/** The source that a request is for. */
export async function findSource(
  request: NamingRequest,
  inBody: DecodedEvents['source'],
  registry: Pick<Registry, 'sourceByToken' | 'sourceByName'>,
  foreign?: ForeignNaming,
): Promise<Source | undefined> {
  const named = namedSource(request, inBody, foreign);
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

function severalSources(): ServiceError {
  return new ServiceError(
    'several_sources',
    400,
    'The events of the request name several sources. Send them with a key that may send to one source only, ' +
      'with ?source=SOURCE-UUID in the address, or in one request for each source.',
  );
}

/** The answer to a request of which nothing names a source, though the key may send to some. */
export function sourceMissing(): ServiceError {
  return new ServiceError(
    'source_missing',
    400,
    'Nothing names the source of these events. Use a key that may send to one source only, or put ' +
      '?source=SOURCE-UUID into the address.',
  );
}
