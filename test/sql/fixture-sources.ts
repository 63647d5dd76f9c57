import { isPlainObject, parseJson, stringifyJson } from '../../src/json.ts';
import { type FlatSchema, type SourceSchema, sourceSchema } from '../../src/lake/schema.ts';
import { SlotMap, type SlotType, slotColumn, type TypedPath } from '../../src/lake/slots.ts';
import type { EventSink } from '../../src/ports.ts';
import type { Catalog } from '../../src/sql/compile.ts';

/** Sources in memory: their tokens by name, and what their events have shown. */
export class FixtureSources {
  readonly #tokens = new Map<string, string>();
  readonly #types = new Map<string, Record<string, number>>();
  readonly #slots = new Map<string, SlotMap>();

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

  slots(token: string): SlotMap {
    return this.#slots.get(token) ?? new SlotMap();
  }

  assign(token: string, slots: SlotMap): void {
    this.#slots.set(token, slots);
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
    return { types: this.#types.get(token) ?? {}, slots: this.slots(token).entries };
  }
}

/** Fills the slots of rows on their way to a sink. */
export function fillingSlots(sources: FixtureSources, sink: EventSink): EventSink {
  return {
    ...sink,
    write: (rows) => sink.write(rows.map((row) => withSlots(row, sources))),
  };
}

function withSlots(row: string, sources: FixtureSources): string {
  const columns = parseJson(row) as Record<string, string>;
  const token = columns.source_id ?? '';
  const found: (TypedPath & { readonly text: string })[] = [];
  const visit = (value: unknown, path: string): void => {
    const type = typeof value as SlotType;
    if (isPlainObject(value)) {
      if (path !== '') found.push({ path, type: 'object', text: '{}' });
      for (const [key, child] of Object.entries(value))
        visit(child, path === '' ? key : `${path}.${key}`);
    } else if (!Array.isArray(value)) {
      const isNumber = type === 'object' || type === 'number';
      const text = type === 'string' ? String(value) : stringifyJson(value);
      found.push({ path, type: isNumber ? 'number' : type, text });
    }
  };
  const { metadata, body } = columns;
  if (metadata !== undefined) visit(parseJson(metadata), 'metadata');
  if (body !== undefined) visit(parseJson(body), '');
  const slots = sources.slots(token).extendedBy(found);
  sources.assign(token, slots);
  for (const typed of found) {
    const slot = slots.slotOf(typed);
    if (slot !== undefined) columns[slotColumn(slot)] = typed.text;
  }
  return stringifyJson(columns);
}
