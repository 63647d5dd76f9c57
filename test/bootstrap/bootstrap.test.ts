import { beforeEach, describe, expect, test } from 'vitest';
import type { AccessKey } from '../../src/access/access-key.ts';
import { hashKey } from '../../src/access/keys.ts';
import { type BootstrapDeps, bootstrap } from '../../src/bootstrap/bootstrap.ts';
import { BUILT_IN_ENDPOINTS, BUILT_IN_SOURCES } from '../../src/bootstrap/built-in-endpoints.ts';
import { SOURCE_DEFAULTS } from '../../src/catalog/source-defaults.ts';
import type { Endpoint, Source } from '../../src/catalog/types.ts';
import { JsonType, slotsOf, typedPaths } from '../../src/lake/schema/schema.ts';
import { SchemaInference } from '../../src/lake/schema/schema-inference.ts';
import { ValidationError } from '../../src/platform/errors.ts';
import { SqlError } from '../../src/sql/common/sql-error.ts';
import { PARSED } from '../http/routes/management/support.ts';
import { fixedClock, type LogLine, recordingLogger } from '../http/support.ts';
import { MemorySchemas } from '../support/memory-schemas.ts';

let sources: Map<string, Source>;
let endpoints: Map<string, Endpoint>;
let keys: Map<string, AccessKey>;
let seeded: Set<string>;
let lines: LogLine[];
let schemas: MemorySchemas;
let deps: BootstrapDeps;

function createUnder<T extends { name: string }>(items: Map<string, T>) {
  return async (item: T) => {
    if (items.has(item.name)) throw new ValidationError({ name: ['has already been taken'] });
    items.set(item.name, item);
  };
}

beforeEach(() => {
  sources = new Map();
  schemas = new MemorySchemas();
  endpoints = new Map();
  keys = new Map();
  seeded = new Set();
  const recording = recordingLogger();
  lines = recording.lines;
  deps = {
    registry: {
      sourceByName: async (name) => sources.get(name),
      createSource: createUnder(sources),
      learn: (token, added) => schemas.learn(token, added),
      assignSlots: (token, known, added) => schemas.assignSlots(token, known, added),
      endpointByName: async (name) => endpoints.get(name),
      createEndpoint: createUnder(endpoints),
      accessKeyByHash: async (hash) => keys.get(hash),
      createAccessKey: async (key) => {
        keys.set(key.hash, key);
      },
    },
    seedLog: {
      has: async (item) => seeded.has(item),
      record: async (item) => {
        seeded.add(item);
      },
    },
    checkQuery: async () => ({ source_mapping: { some: 'mapping' }, warnings: [], parsed: PARSED }),
    clock: fixedClock,
    logger: recording.logger,
  };
});

test("the service's own source is known before its first event", async () => {
  await bootstrap(deps, 'key');

  const { token = '' } = sources.get('sluice.queries') ?? {};
  const { types, slots } = await schemas.schema(token);
  expect(types).toMatchObject({ metadata: JsonType.object });
  expect(slots.slice(0, 2)).toEqual(['metadata=object', 'metadata.endpoint=string']);
});

test('what the shipped queries read has the low slots, and events find it settled', async () => {
  await bootstrap(deps, 'key');
  const { token = '' } = sources.get('cloudflare.logs.prod') ?? {};
  const event = {
    metadata: { request: { method: 'GET', path: '/' }, response: { status_code: 200 } },
  };

  const schema = await new SchemaInference({ registry: schemas, logger: deps.logger }).open(token);
  schema.learn(event);

  expect(schema.unsaved).toBeUndefined();
  const { slots } = await schemas.schema(token);
  expect(slots.slice(0, 4)).toEqual([
    'metadata=object',
    'metadata.request=object',
    'metadata.request.method=string',
    'metadata.request.path=string',
  ]);
});

test('every field that is known of a shipped source has its slot', () => {
  for (const { fields } of BUILT_IN_SOURCES) {
    const slots = slotsOf(fields);
    const paths = Object.entries(fields).flatMap(([path, mask]) => typedPaths(path, mask));
    expect(paths.filter((path) => slots.slotOf(path) === undefined)).toEqual([]);
    expect(slots.entries).toHaveLength(paths.length);
  }
});

describe('a first start', () => {
  test('creates every shipped source under a UUID of its own', async () => {
    await bootstrap(deps, 'key');

    expect([...sources.keys()]).toEqual(BUILT_IN_SOURCES.map(({ name }) => name));
    expect(new Set([...sources.values()].map(({ token }) => token)).size).toBe(
      BUILT_IN_SOURCES.length,
    );
  });

  test('creates every shipped endpoint, bound to its sources and closed to strangers', async () => {
    await bootstrap(deps, 'key');

    expect([...endpoints.keys()]).toEqual(BUILT_IN_ENDPOINTS.map(({ name }) => name));
    expect(endpoints.get('logs.all')).toMatchObject({
      query: BUILT_IN_ENDPOINTS.find(({ name }) => name === 'logs.all')?.query,
      source_mapping: { some: 'mapping' },
      parsed: PARSED,
      enable_auth: true,
      version: 1,
      insertedAt: '2026-01-02T03:04:05.678Z',
    });
  });

  test('generates an admin key and keeps only its hash', async () => {
    const { generatedKey } = await bootstrap(deps, undefined);

    expect(generatedKey).toEqual(expect.any(String));
    expect([...keys.values()]).toEqual([
      expect.objectContaining({ hash: hashKey(String(generatedKey)), scopes: ['private'] }),
    ]);
    expect(JSON.stringify([...keys.values(), lines])).not.toContain(generatedKey);
  });

  test('takes the admin key of the operator, and does not give it back', async () => {
    const { generatedKey } = await bootstrap(deps, 'operators-own');

    expect(generatedKey).toBeUndefined();
    expect([...keys.keys()]).toEqual([hashKey('operators-own')]);
  });
});

describe('a key that the deployment made', () => {
  test('becomes an admin key, and no other is generated', async () => {
    const { generatedKey } = await bootstrap(deps, undefined, 'issued');

    expect(generatedKey).toBeUndefined();
    expect([...keys.values()]).toEqual([
      expect.objectContaining({ hash: hashKey('issued'), scopes: ['private'] }),
    ]);
  });

  test('does not come back once it is revoked', async () => {
    await bootstrap(deps, undefined, 'issued');
    keys.clear();

    await bootstrap(deps, undefined, 'issued');

    expect(keys.size).toBe(0);
  });

  test('is added to the old one when it was rotated', async () => {
    await bootstrap(deps, undefined, 'issued');

    await bootstrap(deps, undefined, 'rotated');

    expect([...keys.keys()]).toEqual([hashKey('issued'), hashKey('rotated')]);
  });
});

describe('a later start', () => {
  test('changes nothing', async () => {
    await bootstrap(deps, undefined);
    const before = structuredClone({ sources, endpoints, keys });

    const { generatedKey } = await bootstrap(deps, undefined);

    expect(generatedKey).toBeUndefined();
    expect({ sources, endpoints, keys }).toEqual(before);
  });

  test('does not bring back what users deleted', async () => {
    await bootstrap(deps, 'key');
    sources.delete('postgres.logs');
    endpoints.delete('logs.all');

    await bootstrap(deps, 'key');

    expect(sources.has('postgres.logs')).toBe(false);
    expect(endpoints.has('logs.all')).toBe(false);
  });

  test('adds the admin key when the operator changed it', async () => {
    await bootstrap(deps, 'old');

    const { generatedKey } = await bootstrap(deps, 'new');

    expect(generatedKey).toBeUndefined();
    expect([...keys.keys()]).toEqual([hashKey('old'), hashKey('new')]);
  });

  test('generates no key where the operator once gave one', async () => {
    await bootstrap(deps, 'old');

    const { generatedKey } = await bootstrap(deps, undefined);

    expect(generatedKey).toBeUndefined();
    expect(keys.size).toBe(1);
  });

  test('makes up for a start that died half way', async () => {
    await bootstrap(deps, 'key');
    seeded.clear();
    endpoints.clear();

    await bootstrap(deps, 'key');

    expect(sources.size).toBe(BUILT_IN_SOURCES.length);
    expect(endpoints.size).toBe(BUILT_IN_ENDPOINTS.length);
  });
});

test('a source of the same name that users made first is left alone', async () => {
  const own = {
    token: 'their-own',
    name: 'postgres.logs',
    ...SOURCE_DEFAULTS,
    insertedAt: '2025-01-01T00:00:00.000Z',
    updatedAt: '2025-01-01T00:00:00.000Z',
  };
  sources.set(own.name, own);

  await bootstrap(deps, 'key');

  expect(sources.get('postgres.logs')).toBe(own);
});

test('a name that another process takes at the same moment is fine', async () => {
  const create = deps.registry.createSource;
  const racing: BootstrapDeps = {
    ...deps,
    registry: {
      ...deps.registry,
      createSource: async (source) => {
        await create(source);
        await create(source);
      },
    },
  };

  await bootstrap(racing, 'key');

  expect(sources.size).toBe(BUILT_IN_SOURCES.length);
});

test('an endpoint that cannot be saved is reported and tried again at the next start', async () => {
  const failing: BootstrapDeps = {
    ...deps,
    checkQuery: async () => {
      throw new SqlError('sql_unknown_table', 'There is no source postgres.logs.');
    },
  };

  await bootstrap(failing, 'key');
  expect(endpoints.size).toBe(0);
  expect(lines).toContainEqual({
    level: 'error',
    message: 'a shipped endpoint could not be created',
    fields: { endpoint: 'logs.all', error: expect.any(SqlError) },
  });
  await bootstrap(deps, 'key');

  expect(endpoints.size).toBe(BUILT_IN_ENDPOINTS.length);
});

test('a registry that is down ends the start', async () => {
  const down: BootstrapDeps = {
    ...deps,
    seedLog: { ...deps.seedLog, has: () => Promise.reject(new Error('no registry')) },
  };

  await expect(bootstrap(down, 'key')).rejects.toThrow('no registry');
});
