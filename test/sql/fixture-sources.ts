import { type FlatSchema, type SourceSchema, sourceSchema } from '../../src/lake/schema.ts';
import type { Catalog } from '../../src/sql/compile.ts';

/** Sources in memory: their tokens by name, and what their events have shown. */
export class FixtureSources {
  readonly #tokens = new Map<string, string>();
  readonly #types = new Map<string, Record<string, number>>();
  readonly #slots = new Map<string, readonly string[]>();

  /** The token of a source, which is made where there is none. */
  token(name: string): string {
    const number = String(this.#tokens.size).padStart(12, '0');
    const token = this.#tokens.get(name) ?? `00000000-0000-4000-8000-${number}`;
    this.#tokens.set(name, token);
    return token;
  }

  async sourceByToken(): Promise<undefined> {}

  async schema(token: string): Promise<SourceSchema> {
    return this.#schemaOf(token);
  }

  async learn(token: string, added: FlatSchema): Promise<void> {
    const known = this.#types.get(token) ?? {};
    for (const [path, mask] of Object.entries(added)) {
      known[path] = (known[path] ?? 0) | mask;
    }
    this.#types.set(token, known);
  }

  async assignSlots(
    token: string,
    known: readonly string[],
    added: readonly string[],
  ): Promise<readonly string[]> {
    const slots = this.#slots.get(token) ?? [];
    if (slots.length !== known.length) return slots;
    this.#slots.set(token, [...known, ...added]);
    return [...known, ...added];
  }

  /** The sources as queries see them, or as they would if no path had got a slot. */
  catalog(read: 'slots' | 'json' = 'slots'): Catalog {
    return {
      source: (name) => {
        const id = this.#tokens.get(name);
        if (id === undefined) {
          return undefined;
        }
        const stored = this.#schemaOf(id);
        const schema = sourceSchema(read === 'slots' ? stored : { ...stored, slots: [] });
        return { id, name, schema };
      },
    };
  }

  #schemaOf(token: string): SourceSchema {
    return { types: this.#types.get(token) ?? {}, slots: this.#slots.get(token) ?? [] };
  }
}
