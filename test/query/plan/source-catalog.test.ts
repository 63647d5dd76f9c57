import { describe, expect, test } from 'vitest';
import { JsonType } from '../../../src/lake/schema/schema.ts';
import { loadCatalog } from '../../../src/query/plan/source-catalog.ts';
import { source, sourceRegistry } from '../support.ts';

const TOKEN = '44444444-4444-4444-8444-444444444444';

describe('loadCatalog', () => {
  test('finds sources by name, with their schema', async () => {
    const registry = {
      ...sourceRegistry(source(TOKEN, 'web.logs')),
      schema: async (token: string) => ({
        types: { [`seen-${token}`]: JsonType.string },
        slots: [],
      }),
    };
    const catalog = await loadCatalog(registry, ['web.logs', 'some_cte'], {});
    expect(catalog.source('web.logs')?.id).toBe(TOKEN);
    expect([...(catalog.source('web.logs')?.schema.children.keys() ?? [])]).toEqual([
      `seen-${TOKEN}`,
    ]);
    expect(catalog.source('some_cte')).toBeUndefined();
  });

  test('asks only for the tables that the text names', async () => {
    const asked: string[] = [];
    const registry = {
      ...sourceRegistry(source(TOKEN, 'a')),
      sourceByName: async (name: string) => {
        asked.push(name);
        return undefined;
      },
    };
    await loadCatalog(registry, ['a', 'b', 'a'], {});
    expect(asked).toEqual(['a', 'b']);
  });

  test('lets the old name of a renamed source stand for it', async () => {
    const registry = sourceRegistry(source(TOKEN, 'new.name'));
    const catalog = await loadCatalog(registry, ['old.name'], { 'old.name': TOKEN });
    expect(catalog.source('old.name')).toMatchObject({ id: TOKEN, name: 'old.name' });
  });

  test('prefers the saved source to another that has taken its name', async () => {
    const registry = sourceRegistry(source(TOKEN, 'new'), source('newcomer', 'old'));
    const catalog = await loadCatalog(registry, ['old'], { old: TOKEN });
    expect(catalog.source('old')?.id).toBe(TOKEN);
  });

  test('reports a saved source that was deleted, though its name is taken again', async () => {
    const registry = sourceRegistry(source('newcomer', 'old'));
    await expect(loadCatalog(registry, ['old'], { old: TOKEN })).rejects.toMatchObject({
      code: 'source_deleted',
      status: 400,
      message: expect.stringContaining('"old"'),
    });
  });

  test('does not take inherited properties for saved names', async () => {
    const catalog = await loadCatalog(sourceRegistry(), ['constructor', '__proto__'], {});
    expect(catalog.source('constructor')).toBeUndefined();
    expect(catalog.source('__proto__')).toBeUndefined();
  });
});
