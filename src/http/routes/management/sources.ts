import { randomUUID } from 'node:crypto';
import { SOURCE_DEFAULTS } from '../../../catalog/source-defaults.ts';
import { timestampAfter } from '../../../catalog/timestamp-after.ts';
import type { Registry, Source } from '../../../catalog/types.ts';
import type { RejectionLog } from '../../../ingest/rejections/rejection-log.ts';
import { sourceSchema } from '../../../lake/schema/schema.ts';
import type { Clock } from '../../../platform/clock.ts';
import { notFound } from '../../../platform/errors.ts';
import { readFields } from './fields.ts';
import { IGNORED_OF_SOURCES } from './ignored-fields.ts';
import { columnsByPath, dottedSchema, jsonSchema } from './json-schema.ts';
import { MAX_SHOWN_REJECTIONS, renderRejection } from './rejections.ts';
import type { JsonObject } from './request-body.ts';
import type { Resource } from './resource.ts';
import { newSource, sourceChange } from './source-fields.ts';

interface SourcesDeps {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly rejections: Pick<RejectionLog, 'latest'>;
}

export class Sources implements Resource {
  readonly #deps: SourcesDeps;

  constructor(deps: SourcesDeps) {
    this.#deps = deps;
  }

  async list(): Promise<object[]> {
    return (await this.#deps.registry.listSources()).map(render);
  }

  async create(body: JsonObject): Promise<object> {
    const { token, ...fields } = readFields(newSource, body, IGNORED_OF_SOURCES);
    const now = timestampAfter(this.#deps.clock);
    const source: Source = {
      ...SOURCE_DEFAULTS,
      ...fields,
      token: token ?? randomUUID(),
      insertedAt: now,
      updatedAt: now,
    };
    await this.#deps.registry.createSource(source);
    return render(source);
  }

  async show(token: string): Promise<object> {
    return render(await this.#find(token));
  }

  async update(token: string, body: JsonObject): Promise<object> {
    const base = await this.#find(token);
    const updatedAt = timestampAfter(this.#deps.clock, base.updatedAt);
    const source = { ...base, ...readFields(sourceChange, body, IGNORED_OF_SOURCES), updatedAt };
    await this.#deps.registry.updateSource(source, base);
    return render(source);
  }

  /** Endpoints that read the source stay, and say at the next call that it is gone. */
  async remove(token: string): Promise<void> {
    const source = await this.#find(token);
    await this.#deps.registry.deleteSource(source.token);
  }

  /** The inferred schema as JSON Schema, or as a flat map from dotted path to type or to columns of the lake. */
  async schema(token: string, variant: string | undefined): Promise<object> {
    const source = await this.#find(token);
    const schema = sourceSchema(await this.#deps.registry.schema(source.token));
    switch (variant) {
      case 'dot':
        return dottedSchema(schema);
      case 'columns':
        return columnsByPath(schema);
      default:
        return jsonSchema(source, schema);
    }
  }

  /** What the source was refused lately, the newest first. */
  async rejected(token: string): Promise<object> {
    const source = await this.#find(token);
    const records = await this.#deps.rejections.latest(source.token, MAX_SHOWN_REJECTIONS);
    return { result: records.map((one) => renderRejection(one, source.keep_rejected_events)) };
  }

  async #find(token: string): Promise<Source> {
    const source = await this.#deps.registry.sourceByToken(token, { fresh: true });
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
