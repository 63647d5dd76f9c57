import type { SchemaNode } from '../lake/schema.ts';

/** A source as the compiler sees it. */
export interface CatalogSource {
  /** UUID. */
  readonly id: string;
  readonly name: string;
  readonly schema: SchemaNode;
}

/** Every source that a query may name. */
export interface Catalog {
  source(name: string): CatalogSource | undefined;
}
