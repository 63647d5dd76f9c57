import type { FlatSchema, SourceSchema } from '../../src/catalog/source-schema.ts';
import type { Registry } from '../../src/catalog/types.ts';

/** The schemas of all sources, kept as the registry keeps them, in memory. */
export class MemorySchemas implements Pick<Registry, 'schema' | 'learn' | 'assignSlots'> {
  readonly #types = new Map<string, Map<string, number>>();
  readonly #slots = new Map<string, readonly string[]>();

  async schema(sourceToken: string): Promise<SourceSchema> {
    return this.stored(sourceToken);
  }

  stored(sourceToken: string): SourceSchema {
    return {
      types: Object.fromEntries(this.#types.get(sourceToken) ?? []),
      slots: this.#slots.get(sourceToken) ?? [],
    };
  }

  async learn(sourceToken: string, added: FlatSchema): Promise<void> {
    const types = this.#types.get(sourceToken) ?? new Map<string, number>();
    for (const [path, mask] of Object.entries(added)) {
      types.set(path, (types.get(path) ?? 0) | mask);
    }
    this.#types.set(sourceToken, types);
  }

  async assignSlots(
    sourceToken: string,
    known: readonly string[],
    added: readonly string[],
  ): Promise<readonly string[]> {
    const slots = this.#slots.get(sourceToken) ?? [];
    if (slots.length !== known.length) return slots;
    this.#slots.set(sourceToken, [...known, ...added]);
    return [...known, ...added];
  }
}
