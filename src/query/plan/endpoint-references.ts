import type { Endpoint, ParameterDeclaration, Registry } from '../../catalog/types.ts';
import type { Catalog } from '../../sql/compile.ts';
import { type CatalogRegistry, loadCatalog } from './source-catalog.ts';

export type CompositionRegistry = CatalogRegistry & Pick<Registry, 'endpointByName'>;

export interface CompositionDeps {
  readonly registry: CompositionRegistry;
  readonly compiler: {
    /** Every table named, CTEs included. */
    tableNames(sql: string): readonly string[];
    /** Tables named that no CTE of the text has. */
    freeNames(sql: string): readonly string[];
  };
}

/** A text with what its names meant when it was saved. */
interface SavedText {
  readonly query: string;
  readonly source_mapping: Readonly<Record<string, string>>;
}

/**
 * The endpoints that a query reads as tables, at any depth, each once. A source wins over an endpoint
 * of the same name. Cycles end here; the compiler refuses them.
 */
export async function composedEndpoints(
  saved: SavedText,
  deps: CompositionDeps,
): Promise<readonly Endpoint[]> {
  const found = new Map<string, Endpoint>();
  let level: readonly SavedText[] = [saved];
  while (level.length > 0) {
    const read = await Promise.all(level.map((text) => directlyRead(text, deps)));
    const fresh = read.flat().filter((endpoint) => !found.has(endpoint.name));
    for (const endpoint of fresh) found.set(endpoint.name, endpoint);
    level = fresh;
  }
  return [...found.values()];
}

async function directlyRead(
  { query, source_mapping }: SavedText,
  { registry, compiler }: CompositionDeps,
): Promise<readonly Endpoint[]> {
  const names = compiler.freeNames(query).filter((name) => !Object.hasOwn(source_mapping, name));
  const endpoints = await Promise.all(
    names.map(async (name) =>
      (await registry.sourceByName(name)) === undefined ? registry.endpointByName(name) : undefined,
    ),
  );
  return endpoints.filter((endpoint) => endpoint !== undefined);
}

/** What a text and the endpoints that it reads may name, each by its own saved names. */
export async function composedCatalog(
  saved: SavedText,
  composed: readonly Endpoint[],
  { registry, compiler }: CompositionDeps,
): Promise<Catalog> {
  const sourcesOf = ({ query, source_mapping }: SavedText) =>
    loadCatalog(registry, compiler.tableNames(query), source_mapping);
  const catalogs = new Map<string, Catalog>();
  const withEndpoints = ({ source }: Catalog): Catalog => ({
    source,
    endpoint: (name) => {
      const sql = composed.find((endpoint) => endpoint.name === name)?.query;
      const catalog = catalogs.get(name);
      return sql === undefined || catalog === undefined ? undefined : { sql, catalog };
    },
  });
  await Promise.all(
    composed.map(async (endpoint) => {
      catalogs.set(endpoint.name, withEndpoints(await sourcesOf(endpoint)));
    }),
  );
  return withEndpoints(await sourcesOf(saved));
}

/** Declarations that hold for a query: its own, and those it inherits and does not declare anew. */
export function inheritedParameters(
  own: readonly ParameterDeclaration[],
  composed: readonly Endpoint[],
): readonly ParameterDeclaration[] {
  const byName = new Map<string, ParameterDeclaration>();
  for (const declaration of [...composed.flatMap(({ parameters }) => parameters), ...own]) {
    byName.set(declaration.name, declaration);
  }
  return [...byName.values()];
}
