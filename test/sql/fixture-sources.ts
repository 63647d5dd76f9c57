import type { SourceSchema } from '../../src/catalog/source-schema.ts';
import { sourceSchema } from '../../src/lake/schema/schema.ts';
import type { Catalog } from '../../src/sql/compile.ts';
import { MemorySchemas } from '../support/memory-schemas.ts';

/** Sources in memory: their tokens by name, and what their events have shown. */
export class FixtureSources extends MemorySchemas {
  readonly #tokens = new Map<string, string>();

  /** The token of a source, which is made where there is none. */
  token(name: string): string {
    const number = String(this.#tokens.size).padStart(12, '0');
    const token = this.#tokens.get(name) ?? `00000000-0000-4000-8000-${number}`;
    this.#tokens.set(name, token);
    return token;
  }

  async sourceByToken(): Promise<undefined> {}

  /** The sources as queries see them. */
  catalog(): Catalog {
    return this.#catalog((stored) => stored);
  }

  /** The same as if no path of theirs had got a slot. */
  jsonCatalog(): Catalog {
    return this.#catalog(({ types }) => ({ types, slots: [] }));
  }

  #catalog(seen: (stored: SourceSchema) => SourceSchema): Catalog {
    return {
      source: (name) => {
        const id = this.#tokens.get(name);
        return id === undefined
          ? undefined
          : { id, name, schema: sourceSchema(seen(this.stored(id))) };
      },
    };
  }
}
