import { randomUUID } from 'node:crypto';
import { generateKey, hashKey } from '../access/keys.ts';
import { ENDPOINT_DEFAULTS } from '../catalog/endpoint-versions.ts';
import { SOURCE_DEFAULTS } from '../catalog/source-defaults.ts';
import type { Registry } from '../catalog/types.ts';
import { slotsOf } from '../lake/schema/schema.ts';
import type { Clock } from '../platform/clock.ts';
import { ValidationError } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import type { QueryCheck } from '../query/saved-endpoints.ts';
import { SqlError } from '../sql/common/sql-error.ts';
import {
  BUILT_IN_ENDPOINTS,
  BUILT_IN_SOURCES,
  type BuiltInEndpoint,
} from './built-in-endpoints.ts';
import type { SeedLog } from './seed-log.ts';

export interface BootstrapDeps {
  readonly registry: Pick<
    Registry,
    | 'sourceByName'
    | 'createSource'
    | 'learn'
    | 'assignSlots'
    | 'endpointByName'
    | 'createEndpoint'
    | 'accessKeyByHash'
    | 'createAccessKey'
  >;
  readonly seedLog: SeedLog;
  /** Binds an endpoint to the sources that exist, as saving it over the API does. */
  readonly checkQuery: QueryCheck;
  readonly clock: Clock;
  readonly logger: Logger;
}

const ADMIN_KEY = 'admin-key';

/**
 * Creates the shipped sources and endpoints and the admin key. Safe at every start: each item is
 * created once in the life of a registry, so what users renamed, changed or deleted stays as they
 * left it, while an item that a later release ships is still added.
 *
 * @param adminKey the operator's own; added whenever it is not known yet.
 * @param issuedKey one that the deployment made. It is added once, so that it can be revoked for good.
 * @returns the key that was generated because the operator has never given one; it is shown this
 *   once.
 */
export async function bootstrap(
  deps: BootstrapDeps,
  adminKey: string | undefined,
  issuedKey?: string,
): Promise<{ generatedKey: string | undefined }> {
  await seedSources(deps);
  await seedEndpoints(deps);
  if (issuedKey !== undefined) await seedIssuedKey(deps, issuedKey);
  return { generatedKey: await seedAdminKey(deps, adminKey) };
}

async function seedSources({ registry, seedLog, clock }: BootstrapDeps): Promise<void> {
  for (const { name, description, fields } of BUILT_IN_SOURCES) {
    await seedOnce(seedLog, `source/${name}`, {
      exists: async () => (await registry.sourceByName(name)) !== undefined,
      create: async () => {
        const token = randomUUID();
        // First, because a source that exists is not created again to make up for it.
        await registry.learn(token, fields);
        await registry.assignSlots(token, [], slotsOf(fields).entries);
        await registry.createSource({
          ...SOURCE_DEFAULTS,
          token,
          name,
          description,
          ...timestamps(clock),
        });
      },
    });
  }
}

async function seedEndpoints(deps: BootstrapDeps): Promise<void> {
  const { registry, seedLog, logger } = deps;
  for (const shipped of BUILT_IN_ENDPOINTS) {
    try {
      await seedOnce(seedLog, `endpoint/${shipped.name}`, {
        exists: async () => (await registry.endpointByName(shipped.name)) !== undefined,
        create: () => createEndpoint(shipped, deps),
      });
    } catch (error) {
      // One that reads a source which users deleted cannot be saved; the next start tries again.
      if (!(error instanceof SqlError)) throw error;
      logger.error('a shipped endpoint could not be created', { endpoint: shipped.name, error });
    }
  }
}

async function createEndpoint(shipped: BuiltInEndpoint, deps: BootstrapDeps): Promise<void> {
  const { source_mapping, parsed } = await deps.checkQuery(shipped);
  await deps.registry.createEndpoint({
    ...ENDPOINT_DEFAULTS,
    ...shipped,
    token: randomUUID(),
    source_mapping,
    parsed,
    version: 1,
    ...timestamps(deps.clock),
  });
}

async function seedIssuedKey(deps: BootstrapDeps, secret: string): Promise<void> {
  const { registry, seedLog } = deps;
  const hash = hashKey(secret);
  await seedOnce(seedLog, `${ADMIN_KEY}/${hash}`, {
    exists: async () => (await registry.accessKeyByHash(hash)) !== undefined,
    create: () => createAdminKey(deps, hash, 'Admin key that the deployment made'),
  });
  await seedLog.record(ADMIN_KEY);
}

async function seedAdminKey(
  deps: BootstrapDeps,
  adminKey: string | undefined,
): Promise<string | undefined> {
  const { registry, seedLog } = deps;
  if (adminKey === undefined && (await seedLog.has(ADMIN_KEY))) return undefined;
  const secret = adminKey ?? generateKey();
  const hash = hashKey(secret);
  if ((await registry.accessKeyByHash(hash)) === undefined) {
    await createAdminKey(deps, hash, 'Admin key of the first start or of SLUICE_ADMIN_KEY');
  }
  await seedLog.record(ADMIN_KEY);
  return adminKey === undefined ? secret : undefined;
}

function createAdminKey(
  { registry, clock }: BootstrapDeps,
  hash: string,
  description: string,
): Promise<void> {
  return registry.createAccessKey({
    id: randomUUID(),
    hash,
    scopes: ['private'],
    description,
    rate_limit: null,
    insertedAt: now(clock),
  });
}

/** The entry is made last, so that a start which dies between the two steps is made up for. */
async function seedOnce(
  seedLog: SeedLog,
  item: string,
  seed: { exists(): Promise<boolean>; create(): Promise<void> },
): Promise<void> {
  if (await seedLog.has(item)) return;
  if (!(await seed.exists())) {
    try {
      await seed.create();
    } catch (error) {
      // Another process may be at its first start too and have taken the name in between.
      if (!(error instanceof ValidationError) || !(await seed.exists())) throw error;
    }
  }
  await seedLog.record(item);
}

function timestamps(clock: Clock): { insertedAt: string; updatedAt: string } {
  return { insertedAt: now(clock), updatedAt: now(clock) };
}

function now(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
