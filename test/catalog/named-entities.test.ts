import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  anEndpoint,
  aSource,
  openDatabase,
  outcomes,
  stuttering,
  type TestDatabase,
  watched,
} from '../support/registry.ts';

const NAME_TAKEN = { errors: { name: ['has already been taken'] } };

let database: TestDatabase;

beforeAll(async () => {
  database = await openDatabase();
});

afterAll(() => database.close());

describe('a source', () => {
  test('is found by token and by name, and listed', async () => {
    const registry = database.registry();
    const source = aSource({ name: 'Cloudflare.logs-prod', description: 'edge' });

    await registry.createSource(source);

    expect(await registry.sourceByToken(source.token)).toEqual(source);
    expect(await registry.sourceByToken(source.token.toUpperCase())).toEqual(source);
    expect(await registry.sourceByName('Cloudflare.logs-prod')).toEqual(source);
    expect(await registry.listSources()).toContainEqual(source);
  });

  test('has its name among all names, until it is renamed or deleted', async () => {
    const registry = database.registry();
    const source = aSource();
    await registry.createSource(source);
    const first = await registry.sourceNames();
    await registry.updateSource({ ...source, name: `${source.name}.renamed` });
    const second = await registry.sourceNames();
    await registry.deleteSource(source.token);
    const third = await registry.sourceNames();

    const ours = [first, second, third].map((names) =>
      names.filter((name) => name.startsWith(source.name)),
    );
    expect(ours).toEqual([[source.name], [`${source.name}.renamed`], []]);
  });

  test('is told apart by the case of its name', async () => {
    const registry = database.registry();
    await registry.createSource(aSource({ name: 'case' }));

    await registry.createSource(aSource({ name: 'Case' }));

    expect((await registry.sourceByName('Case'))?.name).toBe('Case');
  });

  test('keeps what an update does not change', async () => {
    const registry = database.registry();
    const source = aSource({ description: 'before' });
    await registry.createSource(source);

    await registry.updateSource({ ...source, description: 'after' });

    expect(await registry.sourceByName(source.name)).toEqual({ ...source, description: 'after' });
  });

  test('is gone after deletion, and its name and token are free again', async () => {
    const registry = database.registry();
    const source = aSource();
    await registry.createSource(source);

    await registry.deleteSource(source.token);

    expect(await registry.sourceByToken(source.token)).toBeUndefined();
    expect(await registry.sourceByName(source.name)).toBeUndefined();
    expect(await registry.listSources()).not.toContainEqual(source);
    await registry.createSource(source);
    expect(await registry.sourceByName(source.name)).toEqual(source);
  });

  test('that does not exist cannot be updated', async () => {
    const update = database.registry().updateSource(aSource());

    await expect(update).rejects.toMatchObject({ code: 'not_found', status: 404 });
  });

  test.each(['', 'x'.repeat(5_000), 'ü'.repeat(600)])(
    'is not found under a name that none can have',
    async (name) => {
      expect(await database.registry().sourceByName(name)).toBeUndefined();
    },
  );
});

test('an endpoint comes back as it was saved', async () => {
  const registry = database.registry();
  const endpoint = anEndpoint({
    name: 'logs.all',
    description: 'all logs',
    parameters: [
      { name: 'project', type: 'string', required: true, description: 'the project' },
      { name: 'interval', type: 'string', required: false, enum: ['hourly', 'daily'] },
      { name: 'huge', type: 'float64', required: false, default: 1e300 },
    ],
    source_mapping: { 'cloudflare.logs.prod': randomUUID(), __proto__x: randomUUID() },
    labels: 'team=a',
    nested_records: 'array',
    version: 7,
  });

  await registry.createEndpoint(endpoint);

  expect(await registry.endpointByToken(endpoint.token)).toEqual(endpoint);
  expect(await registry.endpointByName('logs.all')).toEqual(endpoint);
  expect(await registry.listEndpoints()).toContainEqual(endpoint);
});

test('a source and an endpoint may have the same name', async () => {
  const registry = database.registry();
  await registry.createSource(aSource({ name: 'shared' }));

  await registry.createEndpoint(anEndpoint({ name: 'shared' }));

  expect((await registry.endpointByName('shared'))?.name).toBe('shared');
});

describe('a name', () => {
  test('cannot be given twice', async () => {
    const registry = database.registry();
    const first = aSource();
    await registry.createSource(first);

    const second = registry.createSource(aSource({ name: first.name }));

    await expect(second).rejects.toMatchObject(NAME_TAKEN);
    expect(await registry.sourceByName(first.name)).toEqual(first);
  });

  test('goes to exactly one of many that want it at the same time', async () => {
    const name = `wanted-${randomUUID()}`;
    const contenders = Array.from({ length: 20 }, () => aSource({ name }));

    const { succeeded, errors } = await outcomes(
      contenders.map((source) => database.registry().createSource(source)),
    );

    expect(succeeded).toBe(1);
    expect(errors).toEqual(Array(19).fill(expect.objectContaining(NAME_TAKEN)));
    const listed = (await database.registry().listSources()).filter((s) => s.name === name);
    expect(listed).toEqual([await database.registry().sourceByName(name)]);
  });

  test('goes to exactly one of many that are renamed to it at the same time', async () => {
    const registry = database.registry();
    const name = `wanted-${randomUUID()}`;
    const sources = Array.from({ length: 10 }, () => aSource());
    await Promise.all(sources.map((source) => registry.createSource(source)));

    const { succeeded } = await outcomes(
      sources.map((source) => database.registry().updateSource({ ...source, name })),
    );

    expect(succeeded).toBe(1);
    const listed = (await registry.listSources()).filter((source) => source.name === name);
    expect(listed).toEqual([await database.registry().sourceByName(name)]);
  });

  test('that an update asks for may be taken, and then nothing changes', async () => {
    const registry = database.registry();
    const [one, other] = [aSource(), aSource()];
    await registry.createSource(one);
    await registry.createSource(other);

    const update = registry.updateSource({ ...other, name: one.name, description: 'new' });

    await expect(update).rejects.toMatchObject(NAME_TAKEN);
    expect(await registry.sourceByToken(other.token)).toEqual(other);
  });

  test('moves with a rename, and the old one is free', async () => {
    const registry = database.registry();
    const source = aSource({ name: 'before-rename' });
    await registry.createSource(source);

    await registry.updateSource({ ...source, name: 'after-rename' });

    expect(await registry.sourceByName('before-rename')).toBeUndefined();
    expect((await registry.sourceByName('after-rename'))?.token).toBe(source.token);
    await registry.createSource(aSource({ name: 'before-rename' }));
  });

  test('can be swapped back and forth', async () => {
    const registry = database.registry();
    const source = aSource({ name: 'there' });
    await registry.createSource(source);

    await registry.updateSource({ ...source, name: 'and-back' });
    await registry.updateSource(source);

    expect(await registry.sourceByName('there')).toEqual(source);
    expect(await registry.sourceByName('and-back')).toBeUndefined();
  });
});

describe('a token that the client brings along', () => {
  test('cannot be used twice', async () => {
    const registry = database.registry();
    const first = aSource();
    await registry.createSource(first);

    const second = registry.createSource(aSource({ token: first.token }));

    await expect(second).rejects.toMatchObject({ errors: { token: ['has already been taken'] } });
    expect(await registry.sourceByToken(first.token)).toEqual(first);
  });

  test('goes to exactly one of many that bring it at the same time', async () => {
    const token = randomUUID();

    const { succeeded } = await outcomes(
      Array.from({ length: 10 }, (_, index) =>
        database.registry().createSource(aSource({ token, name: `same-token-${index}` })),
      ),
    );

    expect(succeeded).toBe(1);
    const registry = database.registry();
    const winner = await registry.sourceByToken(token);
    expect(await registry.sourceByName(String(winner?.name))).toEqual(winner);
  });
});

describe('two changes at the same time', () => {
  test('do not overwrite each other', async () => {
    const registry = database.registry();
    const endpoint = anEndpoint();
    await registry.createEndpoint(endpoint);

    const { succeeded, errors } = await outcomes(
      [1, 2, 3].map((max_limit) => database.registry().updateEndpoint({ ...endpoint, max_limit })),
    );

    expect(succeeded).toBeGreaterThanOrEqual(1);
    for (const error of errors) expect(error).toMatchObject({ code: 'conflict', status: 409 });
  });

  test('are refused when one was made from a state that is no more', async () => {
    const registry = database.registry();
    const base = anEndpoint();
    await registry.createEndpoint(base);
    const newer = { ...base, version: 2, updatedAt: '2026-01-01T00:00:01.000Z' };
    await registry.updateEndpoint(newer, base);

    const late = registry.updateEndpoint({ ...base, query: 'select 2', version: 2 }, base);

    await expect(late).rejects.toMatchObject({ code: 'conflict', status: 409 });
    expect(await registry.endpointByToken(base.token)).toEqual(newer);
  });
});

describe('a process that dies in the middle', () => {
  /** A registry whose n-th write does not happen, nor anything after it. */
  function dying(survivedWrites: number) {
    const { client, intercept } = watched(database.client);
    let writes = 0;
    intercept((operation, sent) => {
      if (operation !== 'Put' && operation !== 'Delete') return;
      if (sent) writes += 1;
      else if (writes >= survivedWrites) throw new Error('died');
    });
    return database.registry({ client });
  }

  test.each([1, 2])(
    'of a creation, after write %i, locks neither name nor token',
    async (writes) => {
      const source = aSource();
      await expect(dying(writes).createSource(source)).rejects.toThrow('died');
      const registry = database.registry();
      expect(await registry.sourceByToken(source.token)).toBeUndefined();
      expect(await registry.listSources()).not.toContainEqual(source);

      await registry.createSource({ ...source, token: randomUUID() });
      await registry.createSource({ ...source, name: `${source.name}-2` });

      expect((await registry.sourceByName(source.name))?.token).not.toBe(source.token);
      expect((await registry.sourceByToken(source.token))?.name).toBe(`${source.name}-2`);
    },
  );

  test('of a rename, before it took effect, leaves the old name and locks no other', async () => {
    const registry = database.registry();
    const source = aSource();
    await registry.createSource(source);
    const name = `${source.name}-renamed`;
    await expect(dying(1).updateSource({ ...source, name })).rejects.toThrow('died');

    const other = aSource({ name });
    await registry.createSource(other);

    expect(await registry.sourceByName(source.name)).toEqual(source);
    expect(await registry.sourceByName(name)).toEqual(other);
  });

  test('of a rename may be followed by the same rename', async () => {
    const registry = database.registry();
    const source = aSource();
    await registry.createSource(source);
    const renamed = { ...source, name: `${source.name}-renamed` };
    await expect(dying(1).updateSource(renamed)).rejects.toThrow('died');

    await registry.updateSource(renamed);

    expect(await registry.sourceByName(renamed.name)).toEqual(renamed);
  });

  test('of a rename, after it took effect, locks the old name for no other entity', async () => {
    const registry = database.registry();
    const source = aSource();
    await registry.createSource(source);
    const renamed = { ...source, name: `${source.name}-renamed` };
    await expect(dying(2).updateSource(renamed)).rejects.toThrow('died');
    expect(await registry.sourceByName(renamed.name)).toEqual(renamed);
    expect(await registry.sourceByName(source.name)).toBeUndefined();

    const other = aSource({ name: source.name });
    await registry.createSource(other);

    expect(await registry.sourceByName(source.name)).toEqual(other);
  });

  test('of a deletion frees the name', async () => {
    const registry = database.registry();
    const source = aSource();
    await registry.createSource(source);
    await expect(dying(1).deleteSource(source.token)).rejects.toThrow('died');
    expect(await registry.sourceByName(source.name)).toBeUndefined();

    const other = aSource({ name: source.name });
    await registry.createSource(other);

    expect(await registry.sourceByName(source.name)).toEqual(other);
  });
});

describe('a writer who was overtaken', () => {
  test('while creating cannot have the name any more', async () => {
    const { client, intercept } = watched(database.client);
    const slow = aSource();
    const quick = aSource({ name: slow.name });
    let writes = 0;
    intercept(async (operation, sent) => {
      if (operation !== 'Put' || !sent) return;
      writes += 1;
      // The name is reserved now; the source itself is still invisible.
      if (writes === 2) await database.registry().createSource(quick);
    });

    await expect(database.registry({ client }).createSource(slow)).rejects.toMatchObject(
      NAME_TAKEN,
    );

    const registry = database.registry();
    expect(await registry.sourceByName(slow.name)).toEqual(quick);
    expect(await registry.sourceByToken(slow.token)).toBeUndefined();
  });

  test('while being renamed cannot have the name any more', async () => {
    const { client, intercept } = watched(database.client);
    const slow = aSource();
    await database.registry().createSource(slow);
    const quick = aSource();
    let overtaken = false;
    intercept(async (operation, sent) => {
      if (operation !== 'Put' || !sent || overtaken) return;
      overtaken = true;
      await database.registry().createSource(quick);
    });

    const rename = database.registry({ client }).updateSource({ ...slow, name: quick.name });

    await expect(rename).rejects.toMatchObject({ code: 'conflict' });
    const registry = database.registry();
    expect(await registry.sourceByName(quick.name)).toEqual(quick);
    expect(await registry.sourceByName(slow.name)).toEqual(slow);
  });
});

describe('a call whose answer gets lost and which is sent again', () => {
  test('creates, renames and deletes all the same', async () => {
    const registry = database.registry({ client: stuttering(database.client) });
    const source = aSource();
    const renamed = { ...source, name: `${source.name}-renamed` };

    await registry.createSource(source);
    await registry.updateSource(renamed);

    expect(await registry.sourceByName(renamed.name)).toEqual(renamed);
    await registry.deleteSource(source.token);
    expect(await registry.sourceByName(renamed.name)).toBeUndefined();
  });
});
