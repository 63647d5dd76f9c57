import { randomUUID } from 'node:crypto';
import { notFound } from '../../errors.ts';
import { schemaFromFlat } from '../../lake/schema.ts';
import type { Clock } from '../../ports.ts';
import { NO_SETTINGS } from '../../registry/source-defaults.ts';
import type { Registry, Source } from '../../registry/types.ts';
import { readFields, timestampAfter } from './fields.ts';
import { dottedSchema, jsonSchema } from './json-schema.ts';
import type { JsonObject } from './request-body.ts';
import type { Resource } from './resource.ts';
import { newSource, sourceChange } from './source-fields.ts';

export class Sources implements Resource {
  readonly #registry: Registry;
  readonly #clock: Clock;

  constructor(deps: { registry: Registry; clock: Clock }) {
    this.#registry = deps.registry;
    this.#clock = deps.clock;
  }

  async list(): Promise<object[]> {
    return (await this.#registry.listSources()).map(render);
  }

  async create(body: JsonObject): Promise<object> {
    const { token, ...fields } = readFields(newSource, body);
    const now = timestampAfter(this.#clock);
    const source: Source = {
      description: null,
      ...NO_SETTINGS,
      ...fields,
      token: token ?? randomUUID(),
      insertedAt: now,
      updatedAt: now,
    };
    await this.#registry.createSource(source);
    return render(source);
  }

  async show(token: string): Promise<object> {
    return render(await this.#find(token));
  }

  async update(token: string, body: JsonObject): Promise<object> {
    const base = await this.#find(token);
    const updatedAt = timestampAfter(this.#clock, base.updatedAt);
    const source = { ...base, ...readFields(sourceChange, body), updatedAt };
    await this.#registry.updateSource(source, base);
    return render(source);
  }

  /** Endpoints that read the source stay, and say at the next call that it is gone. */
  async remove(token: string): Promise<void> {
    const source = await this.#find(token);
    await this.#registry.deleteSource(source.token);
  }

  /** The learned schema as JSON Schema, or as a flat map from dotted path to type. */
  async schema(token: string, variant: 'json' | 'dot'): Promise<object> {
    const source = await this.#find(token);
    const schema = schemaFromFlat(await this.#registry.schema(source.token));
    return variant === 'dot' ? dottedSchema(schema) : jsonSchema(source, schema);
  }

  async #find(token: string): Promise<Source> {
    const source = await this.#registry.sourceByToken(token, { fresh: true });
    if (source === undefined) throw notFound();
    return source;
  }
}

/**
 * Of Logflare's fields those that mean something here; `id`, a row number there, is the token. Rules are
 * a resource of their own.
 */
function render({ rules: _, insertedAt, updatedAt, ...fields }: Source): object {
  return { id: fields.token, ...fields, inserted_at: insertedAt, updated_at: updatedAt };
}
