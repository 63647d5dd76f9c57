import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AccessKey } from '../access/access-key.ts';
import { AccessKeyStore } from '../access/access-key-store.ts';
import type { Clock } from '../platform/clock.ts';
import { RegistryTable } from '../platform/dynamo/registry-table.ts';
import { endpointCodec, sourceCodec } from './codecs.ts';
import { CompactionStateStore } from './compaction-state.ts';
import { InferredSchemas } from './inferred-schemas.ts';
import { NamedStore } from './named-store.ts';
import type { FlatSchema, SourceSchema } from './source-schema.ts';
import type {
  CompactionProgress,
  CompactionState,
  Endpoint,
  ReadOptions,
  Registry,
  Source,
} from './types.ts';

/** How far this instance may be behind what another one wrote; milliseconds. */
export const DEFAULT_CACHE_MS = 10_000;

/**
 * The registry in one DynamoDB table (key schema: `REGISTRY_TABLE`). Reads by token and by name, all names and
 * learned schemas are cached for `cacheMs`, the watermark for a minute; a write through this instance shows at once in it. Lists
 * and access keys are not cached here (`Authenticator` caches keys).
 *
 * @throws ServiceError `registry_unavailable` (503) from every method when DynamoDB cannot answer
 *   now, `registry_corrupt` (500) when a stored item does not have the expected shape.
 */
export class DynamoRegistry implements Registry {
  readonly #clock: Clock;
  readonly #sources: NamedStore<Source>;
  readonly #endpoints: NamedStore<Endpoint>;
  readonly #accessKeys: AccessKeyStore;
  readonly #schemas: InferredSchemas;
  readonly #compaction: CompactionStateStore;

  constructor(deps: {
    client: DynamoDBDocumentClient;
    table: string;
    clock: Clock;
    cacheMs?: number;
  }) {
    const { client, clock, cacheMs = DEFAULT_CACHE_MS } = deps;
    const shared = { table: new RegistryTable(client, deps.table), clock, cacheMs };
    this.#clock = clock;
    this.#sources = new NamedStore({ ...shared, kind: 'source', codec: sourceCodec });
    this.#endpoints = new NamedStore({ ...shared, kind: 'endpoint', codec: endpointCodec });
    this.#accessKeys = new AccessKeyStore(shared.table);
    this.#schemas = new InferredSchemas(shared);
    this.#compaction = new CompactionStateStore(shared);
  }

  listSources(): Promise<readonly Source[]> {
    return this.#sources.list();
  }

  sourceNames(): Promise<readonly string[]> {
    return this.#sources.names();
  }

  sourceByToken(token: string, options?: ReadOptions): Promise<Source | undefined> {
    return this.#sources.byToken(token, options);
  }

  sourceByName(name: string): Promise<Source | undefined> {
    return this.#sources.byName(name);
  }

  createSource(source: Source): Promise<void> {
    return this.#sources.create(source);
  }

  updateSource(source: Source, base?: Source): Promise<void> {
    return this.#sources.update(source, base);
  }

  async deleteSource(token: string): Promise<void> {
    await this.#sources.delete(token);
  }

  listEndpoints(): Promise<readonly Endpoint[]> {
    return this.#endpoints.list();
  }

  endpointNames(): Promise<readonly string[]> {
    return this.#endpoints.names();
  }

  endpointByToken(token: string, options?: ReadOptions): Promise<Endpoint | undefined> {
    return this.#endpoints.byToken(token, options);
  }

  endpointByName(name: string): Promise<Endpoint | undefined> {
    return this.#endpoints.byName(name);
  }

  createEndpoint(endpoint: Endpoint): Promise<void> {
    return this.#endpoints.create(endpoint);
  }

  updateEndpoint(endpoint: Endpoint, base?: Endpoint): Promise<void> {
    return this.#endpoints.update(endpoint, base);
  }

  deleteEndpoint(token: string): Promise<void> {
    return this.#endpoints.delete(token);
  }

  listAccessKeys(): Promise<readonly AccessKey[]> {
    return this.#accessKeys.list();
  }

  accessKeyByHash(hash: string): Promise<AccessKey | undefined> {
    return this.#accessKeys.byHash(hash);
  }

  createAccessKey(key: AccessKey): Promise<void> {
    return this.#accessKeys.create(key);
  }

  updateAccessKey(key: AccessKey): Promise<void> {
    return this.#accessKeys.update(key);
  }

  deleteAccessKey(id: string): Promise<void> {
    return this.#accessKeys.revoke(id, new Date(this.#clock.now()).toISOString());
  }

  schema(sourceToken: string): Promise<SourceSchema> {
    return this.#schemas.read(sourceToken);
  }

  learn(sourceToken: string, added: FlatSchema): Promise<void> {
    return this.#schemas.add(sourceToken, added);
  }

  assignSlots(
    sourceToken: string,
    known: readonly string[],
    added: readonly string[],
  ): Promise<readonly string[]> {
    return this.#schemas.assign(sourceToken, known, added);
  }

  watermark(): Promise<number | undefined> {
    return this.#compaction.watermark();
  }

  readCompaction(): Promise<CompactionState | undefined> {
    return this.#compaction.read();
  }

  writeCompaction(
    next: CompactionProgress,
    previous: CompactionState | undefined,
  ): Promise<CompactionState> {
    return this.#compaction.write(next, previous);
  }
}
