import type { Registry, Source } from '../../catalog/types.ts';
import { sourceSchema } from '../../lake/schema/schema.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Catalog, CatalogSource } from '../../sql/compile.ts';

export type CatalogRegistry = Pick<Registry, 'sourceByName' | 'sourceByToken' | 'schema'>;

/**
 * The sources behind the tables of a query. A name that the endpoint was saved with stands for the
 * source it meant then, whatever that is called now, so the texts keep working when a source is
 * renamed (Logflare 1.50). Names are compared whole: dots in them mean nothing.
 *
 * @param tables table names of the text; names without a source are left to the compiler, since
 *   they may be CTEs.
 * @throws ServiceError `source_deleted` (400).
 */
export async function loadCatalog(
  registry: CatalogRegistry,
  tables: readonly string[],
  sourceMapping: Readonly<Record<string, string>>,
): Promise<Catalog> {
  const sources = await Promise.all(
    [...new Set(tables)].map((name) => loadSource(registry, name, sourceMapping)),
  );
  const byName = new Map(sources.filter((found) => found !== undefined).map((s) => [s.name, s]));
  return { source: (name) => byName.get(name) };
}

async function loadSource(
  registry: CatalogRegistry,
  name: string,
  sourceMapping: Readonly<Record<string, string>>,
): Promise<CatalogSource | undefined> {
  const source = await findSource(registry, name, sourceMapping);
  if (source === undefined) return undefined;
  const schema = sourceSchema(await registry.schema(source.token));
  return { id: source.token, name, schema };
}

async function findSource(
  registry: CatalogRegistry,
  name: string,
  sourceMapping: Readonly<Record<string, string>>,
): Promise<Source | undefined> {
  const token = Object.hasOwn(sourceMapping, name) ? sourceMapping[name] : undefined;
  if (token === undefined) return registry.sourceByName(name);
  const source = await registry.sourceByToken(token);
  if (source === undefined) {
    throw new ServiceError(
      'source_deleted',
      400,
      `The endpoint reads the source "${name}", which has been deleted. ` +
        'Its query has to be saved again with a source that exists.',
    );
  }
  return source;
}
