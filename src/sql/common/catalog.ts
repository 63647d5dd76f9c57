import type { SchemaNode } from '../../lake/schema/schema.ts';

/** A source as the compiler sees it. */
export interface CatalogSource {
  /** UUID. */
  readonly id: string;
  readonly name: string;
  readonly schema: SchemaNode;
}

/** A saved query read as a table: its text, with its own catalog, as its names were when it was saved. */
export interface CatalogEndpoint {
  readonly sql: string;
  readonly catalog: Catalog;
}

/** Every source that a query may name, and the other saved queries that it may read as tables. */
export interface Catalog {
  source(name: string): CatalogSource | undefined;
  /** Sources win over endpoints of the same name. */
  endpoint?(name: string): CatalogEndpoint | undefined;
}
