import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { AccessKeyStore } from '../access/access-key-store.ts';
import type { Clock } from '../platform/clock.ts';
import { RegistryTable } from '../platform/dynamo/registry-table.ts';
import type { Logger } from '../platform/log.ts';
import { endpointCodec, sourceCodec } from './codecs.ts';
import { CompactionStateStore } from './compaction-state.ts';
import { InferredSchemas } from './inferred-schemas.ts';
import { NamedStore } from './named-store.ts';
import type { Endpoint, Registry, Source } from './types.ts';

/** How far this instance may be behind what another one wrote; milliseconds. */
export const DEFAULT_CACHE_MS = 10_000;

/**
 * How far it may be behind at a source while DynamoDB does not answer; milliseconds. In that time an instance asks
 * six times, three calls each. Where a partition gets twice the reads that it gives, half of the calls are refused, and
 * one refresh in 260,000 fails six times; at four times the reads, one in 180. More would keep a source alive
 * for longer after it was deleted, and its rules and drops after they were changed.
 *
 * Only sources: who may call what stands in access keys and endpoints, and a key that was revoked or an endpoint that was
 * closed must not work for longer because DynamoDB is busy.
 */
export const MAX_STALE_SOURCE_MS = 60_000;

/**
 * The registry in one DynamoDB table (key schema: `REGISTRY_TABLE`). Reads by token and by name, all names and
 * inferred schemas are cached for `cacheMs`, the watermark for a minute; a write through this instance shows
 * at once in it. Lists and access keys are not cached here (`Authenticator` caches keys). A source that was
 * read before is served for {@link MAX_STALE_SOURCE_MS} while DynamoDB cannot answer, and the log says so.
 *
 * @throws ServiceError `registry_unavailable` (503) from every method when DynamoDB cannot answer
 *   now, `registry_corrupt` (500) when a stored item does not have the expected shape.
 */
export function dynamoRegistry(deps: {
  client: DynamoDBDocumentClient;
  table: string;
  clock: Clock;
  cacheMs?: number;
  logger?: Logger;
}): Registry {
  const { client, clock, cacheMs = DEFAULT_CACHE_MS, logger } = deps;
  const shared = { table: new RegistryTable(client, deps.table), clock, cacheMs };
  const sources = new NamedStore<Source>({
    ...shared,
    kind: 'source',
    codec: sourceCodec,
    maxStaleMs: MAX_STALE_SOURCE_MS,
    logger,
  });
  const endpoints = new NamedStore<Endpoint>({
    ...shared,
    kind: 'endpoint',
    codec: endpointCodec,
  });
  const accessKeys = new AccessKeyStore(shared.table);
  const schemas = new InferredSchemas(shared);
  const compaction = new CompactionStateStore(shared);
  return {
    listSources: () => sources.list(),
    sourceNames: () => sources.names(),
    sourceByToken: (token, options) => sources.byToken(token, options),
    sourceByName: (name) => sources.byName(name),
    createSource: (source) => sources.create(source),
    updateSource: (source, base) => sources.update(source, base),
    deleteSource: (token) => sources.delete(token),

    listEndpoints: () => endpoints.list(),
    endpointNames: () => endpoints.names(),
    endpointByToken: (token, options) => endpoints.byToken(token, options),
    endpointByName: (name) => endpoints.byName(name),
    createEndpoint: (endpoint) => endpoints.create(endpoint),
    updateEndpoint: (endpoint, base) => endpoints.update(endpoint, base),
    deleteEndpoint: (token) => endpoints.delete(token),

    listAccessKeys: () => accessKeys.list(),
    accessKeyByHash: (hash) => accessKeys.byHash(hash),
    createAccessKey: (key) => accessKeys.create(key),
    updateAccessKey: (key) => accessKeys.update(key),
    deleteAccessKey: (id) => accessKeys.revoke(id, new Date(clock.now()).toISOString()),

    schema: (sourceToken) => schemas.read(sourceToken),
    learn: (sourceToken, added) => schemas.add(sourceToken, added),
    assignSlots: (sourceToken, known, added) => schemas.assign(sourceToken, known, added),

    watermark: () => compaction.watermark(),
    readCompaction: () => compaction.read(),
    writeCompaction: (next, previous) => compaction.write(next, previous),
  };
}
